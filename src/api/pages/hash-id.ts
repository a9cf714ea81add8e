/** Public ids, hashed from internal ids so that they reveal nothing about them. */
import { createHash } from 'node:crypto';

export function hashId(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
