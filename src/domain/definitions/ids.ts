/**
 * Ids consist of a prefix for the type and a 26-character lower-case ULID, so they sort by creation. Callers pass in
 * time and randomness.
 */

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_BYTES = 10;

/** Maps each type of object to the prefix of its ids. */
export const ID_PREFIXES = {
  account: 'acc',
  user: 'usr',
  person: 'per',
  apiKey: 'key',
  monitor: 'mon',
  scenario: 'scn',
  run: 'run',
  request: 'req',
  incident: 'inc',
  identityProvider: 'idp',
  channel: 'chn',
  alertPolicy: 'pol',
  alert: 'alr',
  invitation: 'inv',
  audit: 'aud',
  statusPage: 'stp',
  post: 'pst',
  postUpdate: 'upd',
  subscriber: 'sub',
  notice: 'ntc',
  letter: 'ltr',
  maintenance: 'mnt',
  hours: 'hrs',
  profile: 'prf',
  session: 'ses',
  ping: 'png',
  probeKey: 'prk',
  savedView: 'viw',
  pipeline: 'pip',
  environment: 'env',
  rollout: 'rol',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/**
 * Makes ids that sort by creation. Within a millisecond, increments the random part of the previous id (ULID
 * specification, "monotonicity"). If the clock goes back, later ids sort before earlier ones.
 */
export function createIdMaker(
  now: () => number,
  randomBytes: (count: number) => Uint8Array,
): (kind: IdKind) => string {
  let lastMs = -1;
  let random: Uint8Array = new Uint8Array(RANDOM_BYTES);
  return (kind) => {
    const atMs = now();
    random = atMs === lastMs ? plusOne(random) : randomBytes(RANDOM_BYTES);
    lastMs = atMs;
    return buildId(kind, atMs, random);
  };
}

function plusOne(bytes: Uint8Array): Uint8Array {
  const next = Uint8Array.from(bytes);
  for (let index = next.length - 1; index >= 0; index -= 1) {
    const byte = ((next[index] ?? 0) + 1) % 256;
    next[index] = byte;
    if (byte !== 0) return next;
  }
  return next;
}

/** Returns an id of this type from a time in milliseconds and exactly 10 random bytes. */
export function buildId(kind: IdKind, atMs: number, random: Uint8Array): string {
  return `${ID_PREFIXES[kind]}_${buildUlid(atMs, random)}`;
}

/** True if the text has the form of an id of this type. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return text.startsWith(prefix) && /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length));
}

/** Returns when the id was created, in milliseconds. Call it only for valid ids. */
export function readIdTime(id: string): number {
  const time = id.slice(id.indexOf('_') + 1).slice(0, TIME_CHARACTERS);
  return time.split('').reduce((ms, digit) => ms * 32 + CROCKFORD.indexOf(digit), 0);
}

/** Builds 48 bits of time and 80 bits of randomness in Crockford's base 32 (ULID specification). */
export function buildUlid(atMs: number, random: Uint8Array): string {
  if (random.length !== RANDOM_BYTES) throw new RangeError('a ULID needs 10 random bytes');
  return timePart(atMs) + randomPart(random);
}

function timePart(atMs: number): string {
  let rest = Math.max(0, Math.floor(atMs));
  let text = '';
  for (let index = 0; index < TIME_CHARACTERS; index += 1) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomPart(random: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of random) {
    held = held * 256 + byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      const digit = Math.floor(held / 2 ** bits);
      text += CROCKFORD.charAt(digit);
      held -= digit * 2 ** bits;
    }
  }
  return text;
}
