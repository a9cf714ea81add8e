/**
 * Destinations of alerts: the recipients of channels, and single email addresses. Destinations are encrypted and bound
 * to their account. Also builds the targets of a rule.
 */
import type { AlertAddress, AlertTarget, AlertTemplate } from '../../contracts/alerts';
import { destinationContext } from '../../contracts/seal-contexts';
import { selectChannels } from '../../domain/alerting/select-channels';
import type {
  AlertChannel,
  AlertChannelStore,
  ChannelDestination,
} from '../../models/alerting/alert-channels';
import type { Channel, Config } from '../../notify/channels/channel';
import { findChannel } from '../../notify/channels/registry';
import type { TextSealer } from '../../platform/sealing';
import { listUrls, maskUrl, splitConfig } from './channel-config';

/** Maximum number of channels that are read. Accounts have far fewer. */
const CHANNELS_MAX = 500;

interface Addressed {
  readonly config: Config;
  readonly signingSecret: string | null;
}

/** Encrypts each recipient of the channel separately. */
export function sealDestinations(
  sealer: TextSealer,
  accountId: string,
  { channel, config, signingSecret }: Addressed & { readonly channel: Channel },
): readonly ChannelDestination[] {
  return splitConfig(channel, config).map((part) => {
    const address: AlertAddress = {
      type: channel.type,
      config: part,
      ...(signingSecret !== null && { signingSecret }),
    };
    const sealed = sealer.seal(JSON.stringify(address), destinationContext(accountId));
    return { shown: formatRecipient(channel, part), sealed };
  });
}

/**
 * Decrypts a recipient. Throws if the text was altered or belongs to another account, or if the encryption key was
 * removed.
 */
export function openDestination(
  sealer: TextSealer,
  accountId: string,
  sealed: string,
): AlertAddress {
  return JSON.parse(sealer.open(sealed, destinationContext(accountId)));
}

/** Decrypts the whole configuration of a stored channel. Throws the same errors as openDestination. */
export function openConfig(sealer: TextSealer, alertChannel: AlertChannel): Addressed {
  const { accountId, config, places, type } = alertChannel;
  const first = openDestination(sealer, accountId, places[0]?.sealed ?? '');
  const splitBy = findChannel(type)?.splitBy ?? null;
  const { template } = config;
  return {
    config: {
      ...first.config,
      ...(splitBy === null ? {} : { [splitBy]: config[splitBy] }),
      ...(template === undefined ? {} : { template }),
    },
    signingSecret: first.signingSecret ?? null,
  };
}

/**
 * Returns the name of a recipient for records. The name is the recipient's entry in the channel, or its masked URL, or
 * the label of the channel's type.
 */
function formatRecipient({ type, label, splitBy, ...channel }: Channel, config: Config): string {
  const entries = splitBy === null ? [] : config[splitBy];
  const [entry]: readonly unknown[] = Array.isArray(entries) ? entries : [];
  if (typeof entry === 'string') return entry;
  const [address] = listUrls({ type, label, splitBy, ...channel }, config);
  return address === undefined ? label : maskUrl(address.url);
}

/**
 * Masks an email address or phone number, for example as `m***@example.com` or `+49***78`. Returns other entries
 * unchanged.
 */
export function maskEntry(entry: string): string {
  const at = entry.lastIndexOf('@');
  if (at > 0) return `${entry.slice(0, 1)}***${entry.slice(at)}`;
  return entry.startsWith('+') ? `${entry.slice(0, 3)}***${entry.slice(-2)}` : entry;
}

/** Reads every channel of the account. */
export async function readChannels(
  store: Pick<AlertChannelStore, 'list'>,
  accountId: string,
): Promise<readonly AlertChannel[]> {
  const { items } = await store.list(accountId, { limit: CHANNELS_MAX, beforeId: null });
  return items;
}

/** Returns the current names of an account's channels, by id. */
export async function readChannelNames(
  store: AlertChannelStore,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const channels = await readChannels(store, accountId);
  return new Map(channels.map(({ id, name }) => [id, name]));
}

/**
 * Returns the recipients of the selected channels and of their fallbacks, without duplicates. A reference is the id of
 * a channel, or a word such as `default`. Unknown references are left out.
 */
export function listChannelTargets(
  references: readonly string[],
  channels: readonly AlertChannel[],
): readonly AlertTarget[] {
  const named = selectChannels(references, channels);
  const standby = listFallbacks(named, channels).flatMap(targetsOfChannel);
  return [
    ...named.flatMap(targetsOfChannel),
    ...standby.map((target): AlertTarget => ({ ...target, isStandby: true })),
  ];
}

/** Lists the fallback channels of the given channels, directly or in a chain. The given channels are not included. */
function listFallbacks(
  named: readonly AlertChannel[],
  channels: readonly AlertChannel[],
): readonly AlertChannel[] {
  const known = [...named];
  for (const { fallbackId } of known) {
    const next = channels.find(({ id }) => id === fallbackId);
    if (next !== undefined && !known.includes(next)) known.push(next);
  }
  return known.slice(named.length);
}

/** Returns the key of a channel's recipient, by its position in the channel. */
export function channelKey(channelId: string, index: number): string {
  return `${channelId}:${index}`;
}

function targetsOfChannel(alertChannel: AlertChannel): readonly AlertTarget[] {
  const { id, type, places, config, onlyKinds, fallbackId, fallbackAfterMinutes } = alertChannel;
  const template = readTemplate(config);
  const rules = {
    ...(onlyKinds !== null && { onlyKinds }),
    ...(fallbackId !== null && {
      fallback: { channelId: fallbackId, afterMinutes: fallbackAfterMinutes },
    }),
  };
  return places.map(({ shown, sealed }, index) => ({
    key: channelKey(id, index),
    type,
    channelId: id,
    masked: maskEntry(shown),
    sealed,
    ...rules,
    ...(template !== null && { template }),
  }));
}

/**
 * Reads a template. The template of a webhook is a single text. Templates of other types have a text and an optional
 * title.
 */
export function readTemplate({ template }: Config): AlertTemplate | null {
  if (typeof template === 'string') return { text: template };
  if (typeof template !== 'object' || template === null) return null;
  const { title, text } = { title: undefined, text: undefined, ...template };
  if (typeof text !== 'string') return null;
  return typeof title === 'string' ? { title, text } : { text };
}

/** Creates targets for the email addresses that a rule names itself. */
export function createEmailTargets(
  sealer: TextSealer,
  accountId: string,
  emails: readonly string[],
): readonly AlertTarget[] {
  return emails.map((email) => {
    const address: AlertAddress = { type: 'email', config: { emails: [email] } };
    const sealed = sealer.seal(JSON.stringify(address), destinationContext(accountId));
    return { key: email, type: 'email', channelId: null, masked: maskEntry(email), sealed };
  });
}
