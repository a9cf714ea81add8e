/** Ids for readers outside, made of what tells one thing from another; nothing can be learnt from them. */
import { createHash } from 'node:crypto';

export function hashId(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
