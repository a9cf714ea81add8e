/**
 * Time-based one-time passwords (RFC 6238), from a base32 key or an otpauth:// URL of an authenticator app. Pure: the
 * caller gives the time.
 */
import { createHmac } from 'node:crypto';

interface TotpKey {
  readonly bytes: Buffer;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly digits: number;
  readonly periodMs: number;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;

/** Returns the current code. null if the text is not a valid key. */
export function createCode(text: string, atMs: number): string | null {
  const key = readKey(text);
  return key === null ? null : codeAt(key, atMs);
}

/** Returns the current code and the previous code. Both are masked in results. Empty if the text is not a valid key. */
export function listCodes(text: string, atMs: number): readonly string[] {
  const key = readKey(text);
  return key === null ? [] : [codeAt(key, atMs), codeAt(key, atMs - key.periodMs)];
}

function readKey(text: string): TotpKey | null {
  const isUrl = /^otpauth:\/\/totp\//i.test(text.trim());
  const params = new URLSearchParams(isUrl ? text.trim().replace(/^[^?]*/, '') : { secret: text });
  const bytes = readBase32(params.get('secret') ?? '');
  const named = (params.get('algorithm') ?? 'SHA1').toLowerCase().replace('-', '');
  const algorithm = ALGORITHMS.find((known) => known === named);
  const digits = Number(params.get('digits') ?? 6);
  const seconds = Number(params.get('period') ?? 30);
  const isUsable = digits >= 6 && digits <= 10 && Number.isInteger(digits) && seconds >= 1;
  if (bytes === null || algorithm === undefined || !isUsable) return null;
  return { bytes, algorithm, digits, periodMs: seconds * 1_000 };
}

/**
 * Decodes base32 (RFC 4648 §6). Accepts spaces, hyphens and lower case, and drops trailing bits that do not fill a
 * byte. null if the text is not base32.
 */
function readBase32(text: string): Buffer | null {
  const plain = text.replaceAll(/[\s-]|=+$/g, '').toUpperCase();
  if (!/^[A-Z2-7]{2,}$/.test(plain)) return null;
  const bits = plain.replaceAll(/./g, (sign) =>
    ALPHABET.indexOf(sign).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Computes the code at an instant (RFC 4226 §5.3). */
function codeAt({ bytes, algorithm, digits, periodMs }: TotpKey, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(atMs / periodMs))));
  const mac = createHmac(algorithm, bytes).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}
