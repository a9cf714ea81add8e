/** Formats headers for results. Values of sensitive headers are masked, and the total length is limited. */

import type { NamedValue } from '../contracts/definition';
import { MASK } from '../domain/secrets/redact';
import { isSensitiveHeaderName } from '../domain/secrets/sensitive-headers';
import { cutText } from '../domain/text/cut-text';

/** Limit for the headers of a request, and for the headers of a response. */
const HEADERS_LENGTH_MAX = 8 * 1024;
const CUT_MARK = '…';

/** Formats one line per header. A name may occur more than once. */
export function formatHeaders(headers: readonly NamedValue[]): string {
  return headers.map(({ name, value }) => `${name}: ${shownValue(name, value)}`).join('\n');
}

/** Parses a text from `formatHeaders`. If there are too many headers, the last header ends with `…`. */
export function parseHeaders(text: string): readonly NamedValue[] {
  const kept = cutText(text, HEADERS_LENGTH_MAX + CUT_MARK.length, CUT_MARK);
  return kept.split('\n').flatMap((line) => {
    const end = line.indexOf(': ');
    if (end !== -1) return [{ name: line.slice(0, end), value: line.slice(end + 2) }];
    return line === '' ? [] : [{ name: line, value: '' }];
  });
}

/** Returns the value of a header as it may be shown. Of a cookie, only the name and the attributes may be shown. */
function shownValue(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (lower === 'set-cookie') return value.replace(/^([^=;]*)=?[^;]*/, `$1=${MASK}`);
  if (lower === 'cookie') return value.replaceAll(/=[^;]*/g, `=${MASK}`);
  return isSensitiveHeaderName(name) ? MASK : value;
}
