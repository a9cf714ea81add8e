/** Hash of a stored definition: equal for equal definitions, regardless of the order of their fields. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../platform/canonical-json';

export function hashDefinition(fields: object): string {
  return createHash('sha256').update(canonicalJson(fields)).digest('base64url');
}
