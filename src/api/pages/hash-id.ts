/** Ids for the public, hashed from identifying parts; they reveal nothing about these parts. */
import { createHash } from 'node:crypto';

export function hashId(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
