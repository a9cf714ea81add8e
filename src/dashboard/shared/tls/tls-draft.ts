/** The TLS settings of a request, in the form and in the format of the API. Pure. */
import { readList, readRecord, readText } from '../../../schemas/loose';
import type { Values } from '../definition/options';

/** The choices of trust, in the order in which they are offered. */
export const TRUST_WORDS = {
  system: 'Well-known authorities',
  ca: 'An authority of your own',
  pin: 'These certificates alone',
  unchecked: 'Any certificate (unchecked)',
} as const;

type TrustChoice = keyof typeof TRUST_WORDS;

const TEXTS = ['ca', 'pin', 'certificate', 'key', 'passphrase', 'serverName'] as const;
export type TlsText = (typeof TEXTS)[number];

export interface TlsDraft {
  /** The choice. null if nothing is set. */
  readonly trust: TrustChoice | null;
  readonly checkHost: boolean;
  /** The texts typed for all choices, so that switching loses nothing. Pins are one per line. */
  readonly texts: Readonly<Record<TlsText, string>>;
}

/** Reads the settings. Values of an unexpected type are treated as absent. */
export function readTls(given: unknown): TlsDraft {
  const fields = readRecord(given);
  const { ca, pin } = readRecord(fields['trust']);
  const texts = {
    ca: readText(ca),
    pin: readList(pin).map(readText).join('\n'),
    certificate: readText(fields['certificate']),
    key: readText(fields['key']),
    passphrase: readText(fields['passphrase']),
    serverName: readText(fields['serverName']),
  };
  return { trust: readTrust(fields), checkHost: fields['checkHost'] !== false, texts };
}

function readTrust({ trust, checkHost }: Values): TrustChoice | null {
  const { ca, pin } = readRecord(trust);
  if (ca !== undefined) return 'ca';
  if (pin !== undefined) return 'pin';
  return findTrust(readText(trust)) ?? (checkHost === true ? 'system' : null);
}

export function findTrust(text: string): TrustChoice | null {
  return Object.keys(TRUST_WORDS).find((known): known is TrustChoice => known === text) ?? null;
}

/** Returns the fields of the body. Empty if nothing is set. */
export function tlsFields({ trust, checkHost, texts }: TlsDraft): Values {
  const { ca, pin, ...others } = texts;
  const given = Object.entries(others)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return {
    ...(trust === null ? {} : { trust: trustBody(trust, { ca, pin }) }),
    ...(checkHost ? {} : { checkHost }),
    ...Object.fromEntries(given),
  };
}

function trustBody(trust: TrustChoice, { ca, pin }: Pick<TlsDraft['texts'], 'ca' | 'pin'>) {
  if (trust === 'ca') return { ca: ca.trim() };
  return trust === 'pin' ? { pin: pin.split(/[\s,]+/).filter((one) => one !== '') } : trust;
}

/** True if the text is empty, a reference, or the start of a reference. */
export function isReference(text: string): boolean {
  return /^\s*(?:\{\{?[^{}]*\}?\}?)?\s*$/.test(text);
}
