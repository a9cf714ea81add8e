/** Masks request headers for people who may not change the request. Pure. */
import { findReferences } from '../templates/template';

/** The mask of a header value. Its characters are above U+00FF, so that no real header value can equal it. */
export const HEADER_MASK = '••••••';

/** Matches sensitive names. The name must be reduced to letters and digits first. */
const SENSITIVE_NAME =
  /authorization|cookie|token|secret|password|passwd|credential|apikey|privatekey/;

/** Matches text before references that is not secret itself, like `Bearer`. */
const SCHEME_OR_NOTHING = /^(?:(?:basic|bearer|token|apikey) +)?$/i;

export function isSensitiveHeaderName(name: string): boolean {
  const lower = name.toLowerCase();
  return SENSITIVE_NAME.test(lower.replaceAll(/[^a-z0-9]/g, '')) || lower.endsWith('-key');
}

/**
 * True if readers must not see the value. False for a value that consists of references, for example `Bearer
 * {{secret:token}}`.
 */
export function isSensitiveHeader(name: string, value: string): boolean {
  return isSensitiveHeaderName(name) && !SCHEME_OR_NOTHING.test(withoutReferences(value));
}

/**
 * True if the value itself contains a secret. `session={{token}}` is masked for readers, but the secret is not in the
 * value.
 */
export function hasLiteralSecret(name: string, value: string): boolean {
  if (!isSensitiveHeader(name, value)) return false;
  const pairs = withoutReferences(value).split(';');
  return (
    name.toLowerCase() !== 'cookie' || !pairs.every((pair) => /^\s*(?:[^=]*=)?\s*$/.test(pair))
  );
}

function withoutReferences(text: string): string {
  let rest = '';
  let last = 0;
  for (const { kind, start, end } of findReferences(text)) {
    if (kind === 'malformed' || kind === 'literal') continue;
    rest += text.slice(last, start);
    last = end;
  }
  return rest + text.slice(last);
}
