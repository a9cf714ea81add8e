/** Tests that text of targets gets no control characters and no excessive length. */
import { oneLine, severalLines } from '../../../src/domain/text/plain-lines';

test('one line has no line breaks, no control characters and at most 360 characters', () => {
  expect(oneLine(' a\r\nb\u0000\u202ec\u2028 ')).toBe('a b c');
  expect(oneLine('x'.repeat(1_000))).toHaveLength(360);
});

test('several lines keep their line breaks, but no blank lines', () => {
  expect(severalLines('a \r\n\n\u0007 b\u2028c')).toBe('a\n  b\nc');
});
