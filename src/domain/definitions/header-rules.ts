/** The rules for header names and values of a request, from any source. */

/** Matches a token of RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FRAMING_HEADERS: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
]);

/** Matches visible characters, space, tab, and bytes above ASCII (RFC 9110 §5.5), but not CR, LF or NUL. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function isHeaderValue(text: string): boolean {
  return HEADER_VALUE.test(text);
}

export function isHeaderName(text: string): boolean {
  return HEADER_NAME.test(text);
}

/** True for headers that describe how a message is framed on its connection. The service sets these headers itself. */
export function isFramingHeader(name: string): boolean {
  return FRAMING_HEADERS.has(name.toLowerCase());
}
