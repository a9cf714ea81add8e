/** Finds request headers that only people who may change the request can read, and masks them for others. Pure. */
import { findReferences } from '../templates/template';

/** Beyond U+00FF, so that no request could carry it. */
export const HEADER_MASK = '••••••';

/** For a name reduced to letters and digits. */
const SENSITIVE_NAME =
  /authorization|cookie|token|secret|password|passwd|credential|apikey|privatekey/;

/** Text that may precede references and is no secret itself. */
const SCHEME_OR_NOTHING = /^(?:(?:basic|bearer|token|apikey) +)?$/i;

export function isSensitiveHeaderName(name: string): boolean {
  const lower = name.toLowerCase();
  return SENSITIVE_NAME.test(lower.replaceAll(/[^a-z0-9]/g, '')) || lower.endsWith('-key');
}

/** A value of references alone, like `Bearer {{secret:token}}`, gives nothing away. */
export function isSensitiveHeader(name: string, value: string): boolean {
  return isSensitiveHeaderName(name) && !SCHEME_OR_NOTHING.test(withoutReferences(value));
}

/** True if the value itself contains a secret: `session={{token}}` is masked for readers, but contains none. */
export function holdsLiteralSecret(name: string, value: string): boolean {
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
