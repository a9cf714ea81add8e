/** Facts about an extraction that are known before a request is sent. Pure. */
import type { Extraction } from '../../contracts/definition';

/**
 * True if the extracted value is treated like a secret, because the extraction is marked as secret or the value is a
 * cookie.
 */
export function isSecretSource({ from, secret }: Pick<Extraction, 'from' | 'secret'>): boolean {
  return secret === true || from === 'cookie';
}
