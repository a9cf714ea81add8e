/** Tests the estimated size of a pattern, in which each repetition counts as if it were written out. */
import { measurePattern } from '../../../src/domain/assertions/pattern-size';

/** Each row: a pattern, and the lower and upper limit of its size. */
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
  // These patterns are invalid. Their estimated size may be too large, but not too small.
  ['ab)c){100}', 300, 1_000],
  ['(a{100}', 100, 110],
  ['a{1000}{1000}', 1_000_000, 1_000_020],
];

test.each(SIZES)(
  'the estimated size of the pattern %s is within its limits',
  (pattern, least, most) => {
    expect(measurePattern(pattern)).toBeGreaterThanOrEqual(least);
    expect(measurePattern(pattern)).toBeLessThanOrEqual(most);
  },
);
