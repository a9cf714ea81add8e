/** Headers as results keep them: values of sensitive names masked, all of them within a bound. */

import type { NamedValue } from '../contracts/definition';
import { MASK } from '../domain/secrets/redact';
import { isSensitiveHeaderName } from '../domain/secrets/sensitive-headers';
import { cutText } from '../domain/text/cut-text';

/** Of a request, and of a response. */
const HEADERS_LENGTH_MAX = 8 * 1024;
const CUT_MARK = '…';

/** A line for each header, for a text to be redacted as a whole; names may repeat. */
export function headerText(headers: readonly NamedValue[]): string {
  return headers.map(({ name, value }) => `${name}: ${shownValue(name, value)}`).join('\n');
}

/** The headers of such a text; where they are too long, the last one ends in `…`. */
export function headersOf(text: string): readonly NamedValue[] {
  const kept = cutText(text, HEADERS_LENGTH_MAX + CUT_MARK.length, CUT_MARK);
  return kept.split('\n').flatMap((line) => {
    const end = line.indexOf(': ');
    if (end !== -1) return [{ name: line.slice(0, end), value: line.slice(end + 2) }];
    return line === '' ? [] : [{ name: line, value: '' }];
  });
}

/** Of cookies the name and the attributes are shown. */
function shownValue(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (lower === 'set-cookie') return value.replace(/^([^=;]*)=?[^;]*/, `$1=${MASK}`);
  if (lower === 'cookie') return value.replaceAll(/=[^;]*/g, `=${MASK}`);
  return isSensitiveHeaderName(name) ? MASK : value;
}
