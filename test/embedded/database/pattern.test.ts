// Which patterns are let through, and that none of them can be made to take long.
import { compilePattern } from '../../../src/embedded/database/query/pattern';

function found(pattern: string, text: string, options = ''): boolean {
  return compilePattern(pattern, options)(text);
}

// What PCRE, as MongoDB uses it, says about these is in its own documentation.
test.each([
  ['[]a]+', ']', '', true],
  ['[^]a]', ']', '', false],
  ['[\\]\\-\\\\]', '-', '', true],
  ['[[a]', '[', '', true],
  ['[\\s]', '\v', '', true],
  ['\\S', '\v', '', false],
  ['[[:^digit:]]', '5', '', false],
  ['\\bcat\\b', 'a cat.', '', true],
  ['\\Q(a|b)\\E\\d', '(a|b)7', '', true],
  ['\\Qa+', 'a+', '', true],
  ['a\\/b\\_c\\"', 'a/b_c"', '', true],
  ['(a$|b)', 'a\n', '', true],
  ['(a|b$)', 'b\n', '', true],
  ['a$', 'a\n\n', '', false],
  ['a\\z', 'a\n', '', false],
  ['caf\u00e9', 'CAF\u00c9', 'i', true],
  ['a.c', 'a\u{1f600}c', '', true],
  ['x]}y', 'x]}y', '', true],
])('%s on %j with %j: %s', (pattern, text, options, expected) => {
  expect(found(pattern, text, options)).toBe(expected);
});

test.each([
  '(?=a)',
  '(?<!a)b',
  '(a)\\1',
  '(?>a)',
  '(?i)a',
  '(?P<n>a)',
  '(*UCP)\\w',
  'a++',
  'a*+',
  '\\h',
  '\\v',
  '\\Z',
  '\\R',
  '\\pL',
  '\\x4',
  '\\cA',
  '\\101',
  '[\\h]',
  '[\\b]',
  '[[.a.]]',
  '[[=a=]]',
  '[\\d-z]',
  '[[:word:]]',
  '[a',
  'a$b',
  '(a$)b',
  '(a$)*',
  '$*',
  'a{,3}',
  '{',
  'a\0',
  'a{201}',
  'a'.repeat(1001),
])('%j is refused', (pattern) => {
  expect(() => compilePattern(pattern, '')).toThrow(expect.objectContaining({ code: 51091 }));
});

test.each(['[\\w]', '[[:alpha:]]'])('%s is refused where case is ignored', (pattern) => {
  expect(found(pattern, 'a')).toBe(true);
  expect(() => compilePattern(pattern, 'i')).toThrow(expect.objectContaining({ code: 51091 }));
});

test.each([
  ['m', 238],
  ['x', 238],
  ['q', 51108],
])('the option %s is refused', (option, code) => {
  expect(() => compilePattern('a', option)).toThrow(expect.objectContaining({ code }));
});

test('a pattern that makes others backtrack for ever is answered within the time of the test', () => {
  expect(found('^(a+)+$', `${'a'.repeat(50_000)}b`)).toBe(false);
  expect(found('^(a|aa)+\\z', `${'a'.repeat(50_000)}b`)).toBe(false);
});
