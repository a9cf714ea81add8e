/**
 * Tests regular expressions in bodies. Their total cost is limited, but many ordinary patterns do not reach the limit.
 */

import { findPatternsProblem } from '../../src/domain/assertions/pattern-size';
import { applyBody } from '../../src/schemas/apply';
import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';
import { findPatternProblem } from '../../src/schemas/patterns';

const monitorWith = (patterns: readonly string[]) => ({
  name: 'Shop',
  url: 'https://shop.example/',
  assertions: patterns.map((value) => ({ type: 'body', operator: 'matches', value })),
});
const costly = (index: number): string => `x{${500 + (index % 400)}}y{${index}}`;

test.each([
  ['(?:[a-z]{1,63}\\.){1,8}[a-z]{2,63}', null],
  ['^[A-Za-z0-9+/]{1000}$', null],
  ['(?:abcdefghijk){1000}', expect.stringContaining('repeats too much')],
  ['((a{100}){100}){100}', expect.stringContaining('repeats too much')],
  ['(', expect.stringContaining('not a valid regular expression')],
])('the pattern %s is accepted, or refused with the reason', (pattern, problem) => {
  expect(findPatternProblem(pattern)).toEqual(problem);
});

test('an object may have an ordinary pattern in every field that accepts one', () => {
  const ordinary = Array.from({ length: 20 }, (_, index) => `^order-[0-9]{8}-${index}$`);
  expect(validate(monitorBody, monitorWith(ordinary))).toMatchObject({ ok: true });
});

test('an object whose patterns are too expensive in total is refused before any pattern is parsed', () => {
  const schema = { anyOf: Array.from({ length: 200 }, (_, index) => ({ pattern: costly(index) })) };
  const body = {
    ...monitorWith([]),
    assertions: [{ type: 'jsonSchema', value: schema }],
  };
  expect(validate(monitorBody, body)).toEqual({
    ok: false,
    problems: [
      {
        path: '',
        code: 'out_of_bounds',
        message: expect.stringContaining('200 different regular expressions'),
      },
    ],
  });
});

test('a set with 40,000 different patterns is refused, and a set that repeats a few patterns is accepted', () => {
  const set = (patternAt: (index: number) => string) => ({
    dryRun: true,
    monitors: Array.from({ length: 2_000 }, (_, at) => ({
      key: `m${at}`,
      ...monitorWith(Array.from({ length: 20 }, (_each, index) => patternAt(20 * at + index))),
    })),
  });
  expect(
    findPatternsProblem(
      set((index) => costly(index % 10)),
      applyBody.patternsSizeMax,
    ),
  ).toBeNull();
  expect(
    validate(
      applyBody,
      set((index) => `${index}x{500}`),
    ),
  ).toMatchObject({
    ok: false,
    problems: [{ path: '', code: 'out_of_bounds' }],
  });
});
