/** Tests that text of targets gets no control characters and no excessive length. */
import { toOneLine, toPlainLines } from '../../../src/domain/text/plain-lines';

test('one line has no line breaks, no control characters and at most 360 characters', () => {
  expect(toOneLine(' a\r\nb\u0000\u202ec\u2028 ')).toBe('a b c');
  expect(toOneLine('x'.repeat(1_000))).toHaveLength(360);
});

test('several lines keep their line breaks, but no blank lines', () => {
  expect(toPlainLines('a \r\n\n\u0007 b\u2028c')).toBe('a\n  b\nc');
});
