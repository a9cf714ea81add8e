/** Tests filters in JSON paths. Accepted filters compare as RFC 9535 defines, and all others are refused. */
import { runInNewContext } from 'node:vm';
import { parseFilter } from '../../../src/domain/assertions/json-path-filter';

/** Evaluates the filter as the library does. `@` is replaced by the element. */
function isSelected(filter: string, element: unknown): boolean {
  const parsed = parseFilter(filter);
  if (!parsed.ok) throw new Error(parsed.problem);
  expect(parsed.rest).toBe('');
  const selected: unknown = runInNewContext(parsed.spelling.replaceAll('@', 'element'), {
    element,
  });
  return selected === true;
}

test.each([
  ['@.price < 10', { price: 9 }, true],
  ['@.price < 10', { price: 10 }, false],
  ['@.price < 10', { price: '9' }, false],
  ['@.price <= 10', { price: 10 }, true],
  ['@.name == "a"', { name: 'a' }, true],
  ["@.name == 'a'", { name: 'A' }, false],
  ['@.name > "a"', { name: 'b' }, true],
  ['@.name != "a"', {}, true],
  ['@.on == true', { on: 1 }, false],
  ['@.gone == null', { gone: null }, true],
  ['@.gone <= null', { gone: null }, true],
  ['@.gone < null', { gone: null }, false],
  ['@.name', { name: false }, true],
  ['@.name', {}, false],
  ['@.name', 'text', false],
  ['!@.name', {}, true],
  ['@ == 3', 3, true],
  ['@["a"] == 1', { a: 1 }, true],
  ['(@.a == 1 && @.b == 2)', { a: 1, b: 2 }, true],
  ['@.a == 1 || @.b == 2', { a: 0, b: 2 }, true],
  ['@.toString', {}, false],
])('the filter [?%s] selects the element %j: %s', (filter, element, selected) => {
  expect(isSelected(filter, element)).toBe(selected);
});

test.each([
  ['@.length > 1', 'not length'],
  ['@.constructor', 'simple name'],
  ['@.__proto__', 'simple name'],
  ['@["a b"]', 'simple name'],
  ['@', 'names a member'],
  ['price < 10', 'starts with the element'],
  ['process.exit()', 'starts with the element'],
  ['@.a =~ /x/', 'compares with'],
  ['@.a === 1', 'compares with'],
  ['@.a == @.b', 'fixed value'],
  ['@.a == process', 'fixed value'],
  ['@.a == "x)"', 'not contain quotes'],
  ['!@.a == 1', 'Write !='],
  ['(@.a == 1', 'Parentheses'],
  [Array(11).fill('@.a').join(' && '), 'at most 10'],
])('the filter [?%s] is refused', (filter, problem) => {
  expect(parseFilter(filter)).toMatchObject({
    ok: false,
    problem: expect.stringContaining(problem),
  });
});

test('the filter parser returns the text that follows the filter', () => {
  expect(parseFilter('@.a == 1].name')).toMatchObject({ ok: true, rest: '].name' });
});
