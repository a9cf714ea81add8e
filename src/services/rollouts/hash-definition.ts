/** Hashes a stored definition. The order of the fields does not matter. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../platform/canonical-json';

export function hashDefinition(fields: object): string {
  return createHash('sha256').update(canonicalJson(fields)).digest('base64url');
}
