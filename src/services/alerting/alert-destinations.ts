/**
 * Where alerts lead: places of channels and single addresses, sealed for their account, and the
 * targets that a rule names. It reads channels; it sends nothing.
 */
import type { AlertAddress, AlertTarget, ChannelType } from '../../contracts/alerts';
import { CHANNEL_TYPES } from '../../contracts/alerts';
import { destinationContext } from '../../contracts/seal-contexts';
import type {
  AlertChannel,
  AlertChannelStore,
  ChannelDestination,
} from '../../models/alerting/alert-channels';
import type { TextSealer } from '../../platform/sealing';

/** Channels of an account that a rule can name; far more than anybody has. */
const CHANNELS_MAX = 500;

export function sealDestination(
  sealer: TextSealer,
  accountId: string,
  address: AlertAddress,
): ChannelDestination {
  const shown = address.type === 'email' ? address.email : maskUrl(address.url);
  return { shown, sealed: sealer.seal(JSON.stringify(address), destinationContext(accountId)) };
}

/** Throws when the place was altered, moved, or sealed with a key that is gone. */
export function openDestination(
  sealer: TextSealer,
  accountId: string,
  sealed: string,
): AlertAddress {
  return JSON.parse(sealer.open(sealed, destinationContext(accountId)));
}

/** Scheme and host; what comes behind them is the secret of a webhook. */
function maskUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}

/** True for an address as maskUrl makes it, which leads nowhere. */
export function isMaskedUrl(url: string): boolean {
  return new URL(url).href === new URL(maskUrl(url)).href;
}

/** `m***@example.com` */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}

/** Every channel of the account. */
export async function readChannels(
  store: AlertChannelStore,
  accountId: string,
): Promise<readonly AlertChannel[]> {
  const { rows } = await store.list(accountId, { limit: CHANNELS_MAX, beforeId: null });
  return rows;
}

/** The places behind words and ids; each only once, and unknown ones are left out. */
export function targetsOfChannels(
  references: readonly string[],
  channels: readonly AlertChannel[],
): readonly AlertTarget[] {
  const named = channels.filter(
    ({ id, type, isDefault }) =>
      references.includes(id) || (isDefault && references.includes(type)),
  );
  return named.flatMap(({ id, type, places }) =>
    places.map((place, index) => targetOf(`${id}:${index}`, { type, channelId: id, place })),
  );
}

/** The addresses that a rule itself names. */
export function targetsOfEmails(
  sealer: TextSealer,
  accountId: string,
  emails: readonly string[],
): readonly AlertTarget[] {
  return emails.map((email) => {
    const place = sealDestination(sealer, accountId, { type: 'email', email });
    return targetOf(email, { type: 'email', channelId: null, place });
  });
}

function targetOf(
  key: string,
  part: {
    readonly type: ChannelType;
    readonly channelId: string | null;
    readonly place: ChannelDestination;
  },
): AlertTarget {
  const { type, channelId, place } = part;
  const masked = type === 'email' ? maskEmail(place.shown) : place.shown;
  return { key, type, channelId, masked, sealed: place.sealed };
}

/** True for `email`, `slack` and `webhook`. */
export function isChannelType(reference: string): reference is ChannelType {
  return CHANNEL_TYPES.some((type) => type === reference);
}
