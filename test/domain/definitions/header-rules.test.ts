/** Tests that accepted headers can be sent unchanged, and that none of them affects the framing of a message. */
import {
  isFramingHeader,
  isHeaderName,
  isHeaderValue,
} from '../../../src/domain/definitions/header-rules';

test.each(['accept', 'X-Api-Key', "a!#$%&'*+.^_`|~0"])(
  '%s is accepted as a header name',
  (name) => {
    expect(isHeaderName(name)).toBe(true);
  },
);

test.each(['', 'a b', 'a:b', 'ä', 'a\n', 'a(b)', 'a/b'])(
  '%j is refused as a header name',
  (name) => {
    expect(isHeaderName(name)).toBe(false);
  },
);

test.each(['', 'plain', 'with\ttab', 'caf\u00e9'])('%j is accepted as a header value', (value) => {
  expect(isHeaderValue(value)).toBe(true);
});

test.each(['a\r\nx: y', 'a\n', '\0', '\u007f', '\u20ac'])(
  '%j is refused as a header value',
  (value) => {
    expect(isHeaderValue(value)).toBe(false);
  },
);

test.each(['Content-Length', 'TRANSFER-ENCODING', 'connection', 'te', 'expect'])(
  '%s is a framing header in any letter case',
  (name) => {
    expect(isFramingHeader(name)).toBe(true);
  },
);

test.each(['content-type', 'x-te', 'host'])('%s is not a framing header', (name) => {
  expect(isFramingHeader(name)).toBe(false);
});
