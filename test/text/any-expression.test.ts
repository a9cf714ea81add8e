/**
 * Tests patterns, paths and schemas that are generated from their grammars, on random texts. Each of them ends within
 * its deadline, with a result or with a problem that has a code. The thread then runs the next task.
 */
import fc from 'fast-check';
import type { Assertion, JsonValue } from '../../src/contracts/definition';
import { createTextPool, type TextPool } from '../../src/text/text-pool';
import type { ResponseSummary, TextTask } from '../../src/text/text-task';
import { propertyOptions } from '../support/property-runs';

let pool: TextPool;
beforeAll(() => {
  pool = createTextPool();
});
afterAll(() => pool.close());

const RUNS = 60;
const TEXT_LENGTH_MAX = 4_096;
const PROBLEM = { problem: expect.stringMatching(/^[a-z]\w*: /) };

const response: ResponseSummary = {
  status: 200,
  headers: new Map(),
  responseTimeMs: 1,
  timings: { dnsMs: null, connectMs: 1, tlsMs: null, ttfbMs: 1, downloadMs: 1, totalMs: 1 },
  redirects: 0,
  finalUrl: 'https://example.com/',
  bodyBytes: 1,
  tls: null,
};

/** Expects one of the possible results of the task. Also runs another task, to which a dead pool would not respond. */
async function expectToEnd(text: string, task: TextTask, results: readonly object[]) {
  const next: TextTask = { kind: 'pattern', pattern: 'b+', subject: 'abbc' };
  const [first, second] = await pool.run({ text, response, tasks: [task, next] });
  expect([...results, PROBLEM]).toContainEqual(first);
  expect(second).toEqual({ values: ['bb'], count: 1 });
}

const FOUND = { values: expect.any(Array), count: expect.any(Number) };
const JUDGED = {
  outcome: expect.objectContaining({ ok: expect.any(Boolean), message: expect.any(String) }),
};

/** Generates texts of few different characters, so that patterns nearly match. */
const anyText = fc
  .array(fc.constantFrom('a', 'aaaa', 'b', 'ab', ' ', '\n', 'é', '💡', '0', 'x'.repeat(64)), {
    maxLength: 400,
    size: 'max',
  })
  .map((pieces) => pieces.join('').slice(0, TEXT_LENGTH_MAX));

const { pattern: anyPattern } = fc.letrec<Record<'pattern' | 'branch' | 'piece', string>>(
  (tie) => ({
    pattern: fc.array(tie('branch'), { minLength: 1, maxLength: 3 }).map((all) => all.join('|')),
    branch: fc.array(tie('piece'), { maxLength: 5 }).map((all) => all.join('')),
    piece: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom('a', 'b', '.', '^', '$', '\\b', '\\pL', '[^a-f]', '[[:alpha:]]', '\\Q*\\E'),
      // Generates syntax that RE2 does not support, and invalid patterns.
      fc.constantFrom('(?=a)', '\\1', '(', ']', 'a{', '\\', '(?<n>', '[z-a]'),
      fc
        .tuple(
          tie('piece'),
          fc.constantFrom('*', '+', '?', '*?', '{0,40}', '{3,}', '{100}', '{1001}'),
        )
        .map((parts) => parts.join('')),
      fc
        .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?s)(', '(?P<n>'), tie('pattern'))
        .map(([open, inner]) => `${open}${inner})`),
    ),
  }),
);

test('any pattern of a random grammar ends with a match or a problem, however expensive it is', async () => {
  await fc.assert(
    fc.asyncProperty(anyPattern, anyText, async (pattern, text) => {
      await expectToEnd(text, { kind: 'pattern', pattern }, [FOUND]);
    }),
    propertyOptions(RUNS),
  );
});

const NAMES = ['a', 'b', 'constructor', '__proto__', 'length', 'é', "it's", '*'];
const anyName = fc.constantFrom(...NAMES);

/** Generates nested lists and objects. Their fields have the names that paths use. */
const anyBody: fc.Arbitrary<JsonValue> = fc.letrec<{ node: JsonValue; leaf: JsonValue }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, depthSize: 'large', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('node'), { maxLength: 6 }),
    fc.dictionary(anyName, tie('node'), { maxKeys: 5 }),
  ),
  leaf: fc.oneof(
    fc.constantFrom<JsonValue[]>(null, true, 0, -1.5, 1e300, 'a', ''),
    anyText.map((text) => text.slice(0, 100)),
  ),
})).node;

/** Generates JSON, and sometimes invalid JSON. */
const anyJsonText = fc.oneof(
  { weight: 9, arbitrary: anyBody.map((body) => JSON.stringify(body)) },
  { weight: 1, arbitrary: anyText },
);

const anyLiteral = fc.constantFrom(
  '1',
  '-0',
  '1e400',
  'null',
  'true',
  "'a'",
  '"b"',
  "'\\''",
  '@.a',
);
const anyCondition = fc
  .tuple(
    fc.constantFrom('@', '@.a', "@['b']", '@.constructor', '!@.a', '@..a', '$.a'),
    fc.constantFrom('', '==', '!=', '<', '<=', '=~'),
    anyLiteral,
  )
  .map(([member, operator, literal]) => (operator === '' ? member : member + operator + literal));
const anyFilter = fc
  .array(fc.tuple(anyCondition, fc.constantFrom('&&', '||')), { minLength: 1, maxLength: 4 })
  .map((all) => all.flatMap(([one, joint], at) => (at === 0 ? [one] : [joint, one])).join(' '));
const anySegment = fc.oneof(
  anyName.map((name) => `.${name}`),
  anyName.map((name) => `[${JSON.stringify(name)}]`),
  anyName.map((name) => `..${name}`),
  fc.constantFrom('.*', '..*', '[*]', '[0]', '[-1]', '[1:3]', '[::2]', "['a','b']", '[0,1]', '^'),
  fc.constantFrom('[(@.length-1)]', '.length()', '[?(@.a.constructor("x"))]', '[', '~', '..'),
  anyFilter.map((filter) => `[?${filter}]`),
);
const anyPath = fc.array(anySegment, { maxLength: 7 }).map((segments) => `$${segments.join('')}`);
const anyWant = fc.constantFrom('first', 'all', 'count');

test('any JSON path of a random grammar ends with its matches or a problem, however expensive it is', async () => {
  const missing = { ...PROBLEM, isMissing: true };
  await fc.assert(
    fc.asyncProperty(anyPath, anyWant, anyJsonText, async (path, want, text) => {
      await expectToEnd(text, { kind: 'path', path, want }, [FOUND, missing]);
    }),
    propertyOptions(RUNS),
  );
});

/** Generates schemas. Their keywords have valid values, and sometimes invalid values. */
const anySchema: fc.Arbitrary<JsonValue> = fc.letrec<{ node: JsonValue; leaf: JsonValue }>(
  (tie) => {
    const list = fc.array(tie('node'), { minLength: 1, maxLength: 3 });
    const members = fc.dictionary(anyName, tie('node'), { maxKeys: 3 });
    const under = (words: string, values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
      fc
        .tuple(fc.constantFrom(...words.split(' ')), values)
        .map(([word, value]) => ({ [word]: value }));
    const merged = fc
      .array(
        fc.oneof(
          under('properties $defs dependentSchemas', members),
          under('items additionalProperties propertyNames not contains if then else', tie('node')),
          under('allOf anyOf oneOf prefixItems', list),
          under('$ref', fc.constantFrom('#', '#/$defs/a', '#/nowhere', '#a', 'https://a.example/')),
          under('unevaluatedProperties unevaluatedItems', tie('leaf')),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((parts): JsonValue => Object.assign({}, ...parts));
    return {
      node: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), merged),
      leaf: fc.oneof(
        fc.boolean(),
        under('type', fc.constantFrom('string', 'number', 'object', 'array', 'null', 'nothing')),
        under('pattern', anyPattern),
        under('format', fc.constantFrom('email', 'uri', 'regex', 'date-time', 'constructor')),
        under('minLength maxItems multipleOf', fc.constantFrom<JsonValue[]>(0, 1, 1e-9, 'x')),
        under('uniqueItems', fc.constant(true)),
        under('const', anyBody),
        fc.constantFrom<JsonValue[]>(null, 5, 'text', []),
      ),
    };
  },
).node;

test('any schema of a random grammar ends with a result or a problem, however expensive it is', async () => {
  await fc.assert(
    fc.asyncProperty(anySchema, anyJsonText, async (value, text) => {
      const assertion: Assertion = {
        type: 'jsonSchema',
        operator: 'matches',
        value,
        severity: 'fail',
      };
      await expectToEnd(text, { kind: 'assertion', assertion }, [JUDGED]);
    }),
    propertyOptions(RUNS),
  );
});
