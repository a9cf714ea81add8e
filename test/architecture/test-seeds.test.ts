/** Tests that random choices of a test can be repeated. CI uses a fixed seed, and the long form prints its seed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

const TESTS = join(__dirname, '..');
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:ts|cjs|mjs)$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(TESTS, file), 'utf8') }));

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

const isNamed = (node: unknown, name: string): boolean => isNode(node) && node['value'] === name;

function isAssert({ type, callee }: Node): boolean {
  return (
    type === 'CallExpression' &&
    isNode(callee) &&
    isNamed(callee['object'], 'fc') &&
    isNamed(callee['property'], 'assert')
  );
}

/** Returns the options of each `fc.assert` as JSON of the syntax tree, or `null` for a call without options. */
function optionsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(optionsIn);
  if (!isNode(node)) return [];
  const given = node['arguments'];
  const own = isAssert(node) && Array.isArray(given) ? [JSON.stringify(given[1] ?? null)] : [];
  return [...own, ...Object.values(node).flatMap(optionsIn)];
}

const isSeeded = (options: string): boolean => /"value":"(?:propertyOptions|ORDERS)"/.test(options);

function countUnseeded(text: string): number {
  const { body } = parseSync(text, { syntax: 'typescript' });
  return optionsIn(body).filter((options) => !isSeeded(options)).length;
}

test('every property test takes its seed from propertyOptions or ORDERS', () => {
  const asserting = files.filter(({ text }) => text.includes('fc.assert('));
  expect(asserting.length).toBeGreaterThan(70);
  const found = asserting.filter(({ text }) => countUnseeded(text) > 0);
  expect(found.map(({ file }) => file)).toEqual([]);
});

test('no test uses an unseeded source of randomness', () => {
  const found = files.filter(({ text }) => /\bMath\.random\b/.test(text));
  expect(found.map(({ file }) => file)).toEqual([]);
});

test.each([
  ['fc.assert(fc.property(one, hold));', 1],
  ['fc.assert(fc.property(one, hold), { numRuns: 20 }); fc.sample(one, propertyOptions(1));', 1],
  ['await fc.assert(fc.asyncProperty(one, hold), propertyOptions(20));', 0],
  ['fc.assert(fc.property(one, hold), { ...ORDERS, numRuns: 2 });', 0],
])('the check of randomness counts the unseeded calls in %j as %i', (text, unseeded) => {
  expect(countUnseeded(text)).toBe(unseeded);
});
