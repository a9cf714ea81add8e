/**
 * The form of an API key: `kw_`, 32 random base62 characters, and a checksum of 6 base62 characters. The checksum is
 * the CRC-32 of all characters before it. A mistyped key is recognised by its checksum, without a database query.
 */
import { createHash } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'kw_';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const FORM = /^kw_[0-9A-Za-z]{38}$/;
/**
 * The largest multiple of 62 that fits in a byte. Larger bytes are not used, because some characters would then be more
 * frequent than others.
 */
const FAIR_BYTES = 248;
const CRC32_POLYNOMIAL = 0xedb88320;

/** Creates a key. All characters of its random part are equally likely. */
export function newApiKey(randomBytes: (count: number) => Buffer): string {
  let secret = '';
  while (secret.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      if (byte < FAIR_BYTES && secret.length < RANDOM_CHARACTERS) secret += BASE62[byte % 62];
    }
  }
  return PREFIX + secret + computeChecksum(PREFIX + secret);
}

/** True if the text has the form of a key and its checksum is correct. */
export function isApiKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  return computeChecksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

/** Returns the parts of a key that stay visible: its first seven and last four characters. */
export function readVisibleParts(key: string): { readonly prefix: string; readonly last4: string } {
  return { prefix: key.slice(0, PREFIX.length + 4), last4: key.slice(-4) };
}

/** Returns the SHA-256 of the token as hex. Keys and session ids are stored only in this form. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function computeChecksum(text: string): string {
  let rest = crc32(Buffer.from(text));
  let digits = '';
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Computes the CRC-32 of ISO 3309, as zip and PNG do. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc >>> 1) ^ ((crc & 1) === 1 ? CRC32_POLYNOMIAL : 0);
    }
  }
  return (crc ^ 0xffffffff) >>> 0;
}
