/**
 * Handles recipients of news from a status page. Recipients are stored encrypted, looked up by hash, and masked when
 * shown.
 */
import { createHash } from 'node:crypto';
import type { SubscriberType } from '../../contracts/letters/letters';
import { subscriberContext } from '../../contracts/seal-contexts';
import type { Subscriber } from '../../models/subscribers/subscribers';
import type { TextSealer } from '../../platform/sealing';
import { maskEntry } from '../alerting/alert-destinations';
import { maskUrl } from '../alerting/channel-config';

interface Recipient {
  readonly type: SubscriberType;
  readonly to: string;
}

/** Returns the hash by which a recipient is looked up. The same recipient of the same page always has the same hash. */
export function hashRecipient(pageId: string, { type, to }: Recipient): string {
  return createHash('sha256')
    .update(JSON.stringify([pageId, type, to]))
    .digest('base64url');
}

export function sealRecipient(
  sealer: Pick<TextSealer, 'seal'>,
  pageId: string,
  recipient: Recipient,
): Pick<Subscriber, 'type' | 'sealed' | 'hash' | 'masked'> {
  const { type, to } = recipient;
  return {
    type,
    sealed: sealer.seal(to, subscriberContext(pageId)),
    hash: hashRecipient(pageId, recipient),
    masked: type === 'mail' ? maskEntry(to) : maskUrl(to),
  };
}

/** Decrypts the recipient. Returns null if the key that encrypted it no longer exists. */
export function openRecipient(
  sealer: Pick<TextSealer, 'open'>,
  { pageId, sealed }: Pick<Subscriber, 'pageId' | 'sealed'>,
): string | null {
  try {
    return sealer.open(sealed, subscriberContext(pageId));
  } catch {
    return null;
  }
}

/** Shorter parts of a URL are not treated as secret, because hiding them would remove ordinary words. */
const SECRET_LENGTH_MIN = 4;
const EMAIL = /[^\s<>()[\]"',;:@]+@[^\s<>()[\]"',;:@]+/g;

/**
 * Hides the recipient in a message of a mail server or receiver. Emails are masked, and parts of the URL are left out.
 */
export function hideRecipient(detail: string, { type, to }: Recipient): string {
  if (type === 'mail') return detail.replaceAll(EMAIL, maskEntry);
  const { pathname, search } = new URL(to);
  return `${pathname}${search}`
    .split(/[/?&=]/)
    .filter(({ length }) => length >= SECRET_LENGTH_MIN)
    .reduce((said, part) => said.replaceAll(part, '…'), detail);
}
