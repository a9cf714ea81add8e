/** What a pattern would be with its repetitions written out, whatever it looks like. */
import { measurePattern } from '../../../src/domain/assertions/pattern-size';

/** Pattern, and at least how large it is, at most. */
const SIZES: readonly (readonly [string, number, number])[] = [
  ['', 0, 1],
  ['abc', 3, 6],
  ['a{1000}', 1_000, 1_010],
  ['(?:ab){1000}', 2_000, 2_020],
  ['(a{10}b){10}', 110, 130],
  ['((x{1,30}){1,30})', 900, 930],
  ['a{3,}', 4, 10],
  ['[a-z{3}]{20}', 20, 40],
  ['[]a{9}]', 1, 10],
  ['[^]a]{7}', 7, 16],
  ['\\{1000}', 8, 16],
  ['a{,5}', 5, 10],
  ['a|b{100}', 101, 110],
  ['\\pL{2}', 100, 120],
  ['(?i)a{100}', 400, 480],
  // Not valid, or only in quotes: never too small.
  ['ab)c){100}', 300, 1_000],
  ['(a{100}', 100, 110],
  ['a{1000}{1000}', 1_000_000, 1_000_020],
];

test.each(SIZES)('the measured size of %s is close to what it costs', (pattern, least, most) => {
  expect(measurePattern(pattern)).toBeGreaterThanOrEqual(least);
  expect(measurePattern(pattern)).toBeLessThanOrEqual(most);
});
