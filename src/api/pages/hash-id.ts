/** Hashes internal ids into public ids, which reveal nothing about the internal ids. */
import { createHash } from 'node:crypto';

export function hashId(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
