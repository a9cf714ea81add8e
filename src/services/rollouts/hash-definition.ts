/** Hashes a stored definition. The order of the fields does not matter. */
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../platform/canonical-json';

export function hashDefinition(fields: object): string {
  return createHash('sha256').update(toCanonicalJson(fields)).digest('base64url');
}
