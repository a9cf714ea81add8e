/** Tests the start of a body, as shown on the first screen of an incident. */
import { firstLines } from '../../../src/dashboard/shared/results/first-lines';

test.each([
  ['', ''],
  ['\n  short \n', 'short'],
  ['a\r\nb\nc\nd\ne', 'a\nb\nc\nd\ne'],
  ['a\nb\nc\nd\ne\nf', 'a\nb\nc\nd\ne\n…'],
  ['{"error":"no database"}', '{\n  "error": "no database"\n}'],
])('the text %j is shortened to %j', (body, shown) => {
  expect(firstLines(body)).toBe(shown);
});

test('the first line of a text is truncated if it is long', () => {
  expect(firstLines('x'.repeat(4_096))).toHaveLength(400);
});
