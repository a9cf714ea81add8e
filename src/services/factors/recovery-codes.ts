/** Recovery codes, for people who have lost their second factor. Each code can be used once. */
import { createHash } from 'node:crypto';
import type { Dependencies } from '../ports/dependencies';

const COUNT = 10;
/**
 * The number of characters of a code. A code has 120 random bits, so a fast hash such as SHA-256 is safe enough (OWASP
 * ASVS 5, 6.5.2).
 */
const CHARACTERS = 24;
/** The characters of Crockford's base 32. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Creates new codes, which are returned only once. Earlier codes stop working. */
export async function replaceRecoveryCodes(
  { stores, randomBytes }: Pick<Dependencies, 'stores' | 'randomBytes'>,
  personId: string,
): Promise<readonly string[]> {
  const codes = Array.from({ length: COUNT }, () => newCode(randomBytes));
  const hashes = codes.map((code) => hashRecoveryCode(personId, code));
  await stores.recoveryCodes.replace(personId, hashes);
  return codes;
}

function newCode(randomBytes: (count: number) => Buffer): string {
  const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET.charAt(byte % 32));
  return characters.join('').replaceAll(/(.{4})(?=.)/g, '$1-');
}

/** Hashes a code. Case, spaces and hyphens do not matter. The person's id is the salt. */
export function hashRecoveryCode(personId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256').update(`recovery:${personId}:${plain}`).digest('hex');
}
