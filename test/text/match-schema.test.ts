/**
 * Tests matching of JSON bodies with JSON Schemas in the worker threads of the text pool. Time and text length are
 * limited, and a mismatch is described in one sentence.
 */
import * as fc from 'fast-check';
import type { JsonValue } from '../../src/contracts/definition';
import type { AssertionOutcome } from '../../src/contracts/outcome';
import { findSchemaProblems } from '../../src/domain/assertions/json-schema-problems';
import { createTextPool } from '../../src/text/text-pool';
import type { ResponseSummary } from '../../src/text/text-task';
import { propertyOptions } from '../support/property-runs';

const pool = createTextPool();
afterAll(async () => await pool.close());

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

function taskOf(schema: JsonValue) {
  const assertion = {
    type: 'jsonSchema',
    operator: 'matches',
    value: schema,
    severity: 'fail',
  } as const;
  return { kind: 'assertion', assertion } as const;
}

async function judgeText(
  schema: JsonValue,
  text: string,
  hidden: readonly string[] = [],
): Promise<AssertionOutcome> {
  const [result] = await pool.run({ text, response, tasks: [taskOf(schema)], hidden });
  if (result === undefined || !('outcome' in result)) throw new Error(JSON.stringify(result));
  return result.outcome;
}

async function judge(schema: JsonValue, body: JsonValue): Promise<AssertionOutcome> {
  return await judgeText(schema, JSON.stringify(body));
}

const ORDER = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^A-\\d+$', minLength: 3 },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
    next: { $ref: '#' },
    constructor: { type: 'number' },
  },
  $defs: {
    item: { type: ['object', 'null'], required: ['a b'], properties: { 'a b': { minimum: 1 } } },
  },
};

test.each<[JsonValue]>([
  [{ id: 'A-1' }],
  [{ id: 'A-1', items: [{ 'a b': 1 }, null], next: { id: 'A-2', constructor: 1 } }],
])('the schema of an order matches %j', async (body) => {
  expect(await judge(ORDER, body)).toMatchObject({ ok: true, target: null, operator: 'matches' });
});

test.each<[JsonValue, string]>([
  [7, '$ expected object, got number'],
  [{}, '$ property "id" is missing'],
  [{ id: 5 }, '$.id expected string, got number'],
  [{ id: 'B-1' }, '$.id does not match the pattern ^A-\\d+$'],
  [{ id: 'A-1', other: 1 }, '$.other is not allowed'],
  [{ id: 'A-1', items: [null, 5] }, '$.items[1] expected object, null, got number'],
  [{ id: 'A-1', items: [{ 'a b': 0 }] }, "$.items[0]['a b'] 0 is less than 1"],
  [
    { id: 'A-1', next: { id: 'A-2', constructor: '1' } },
    '$.next.constructor expected number, got string',
  ],
])('the schema of an order does not match %j, and the path is reported', async (body, fault) => {
  const judged = await judge(ORDER, body);
  expect(judged).toMatchObject({ ok: false });
  expect(judged.message).toBe(`Expected body to match the schema: ${fault}.`);
});

test.each<[JsonValue, JsonValue, boolean]>([
  [{ format: 'constructor' }, 'x', true],
  [{ format: 'email' }, 'x', false],
  [{ pattern: 'a', allOf: [{ maxLength: 2 }] }, 'cab', false],
  [{ pattern: 'a', allOf: [{ maxLength: 3 }] }, 'cab', true],
  [{ pattern: 'a' }, 5, true],
  [{ anyOf: [{ type: 'null' }, { const: { a: [1] } }] }, { a: [1] }, true],
  [{ oneOf: [{ type: 'number' }, { minimum: 1 }] }, 5, false],
  [JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'), { a: 1 }, false],
  [{ propertyNames: { pattern: '^x-' } }, { 'x-a': 1 }, true],
  [{ propertyNames: { pattern: '^x-' } }, { a: 1 }, false],
  [{ $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: 'string' } } }, 5, false],
  [
    { properties: { a: { $ref: '#n' } }, $defs: { n: { $anchor: 'n', type: 'null' } } },
    { a: 1 },
    false,
  ],
  [{ example: { $id: 'x', $ref: 'nowhere' }, id: 'y' }, 1, true],
  [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 1], false],
  [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], false],
  [{ $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'null' }] }, [1], false],
])('the schema %j accepts the value %j: %j', async (schema, body, isMatch) => {
  expect(findSchemaProblems(schema, () => null)).toEqual([]);
  expect(await judge(schema, body)).toMatchObject({ ok: isMatch });
});

test('a schema assertion on a body that is invalid JSON or nested too deeply fails', async () => {
  expect((await judgeText(true, '<html>')).message).toBe(
    'Expected body to match the schema: the body is not JSON (not_json).',
  );
  expect(await judgeText(true, `${'['.repeat(101)}${']'.repeat(101)}`)).toMatchObject({
    ok: false,
  });
});

test('a JSON schema that takes too long is stopped, and the next schema is evaluated', async () => {
  const defs = Array.from({ length: 30 }, (_, index) => [
    `d${index}`,
    { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
  ]);
  const schema: JsonValue = {
    $ref: '#/$defs/d0',
    $defs: { ...Object.fromEntries(defs), d30: { type: 'number' } },
  };
  expect(findSchemaProblems(schema, () => null)).toEqual([]);
  const tasks = [taskOf(schema), taskOf({ type: 'number' })];
  const results = await pool.run({ text: '5', response, tasks });
  expect(results).toEqual([
    { problem: expect.stringContaining('assertion_too_slow') },
    { outcome: expect.objectContaining({ ok: true }) },
  ]);
});

test('a pattern of a schema is not applied to text beyond 1 MiB, and the message says so', async () => {
  const judged = await judge({ pattern: 'a' }, 'b'.repeat(1_100_000));
  expect(judged).toMatchObject({ ok: false });
  expect(judged.message).toContain('text_too_long');
});

test('a secret that a body repeats is masked in the message of the assertion and in its values', async () => {
  const secret = 'sk-very-secret-value';
  const judged = await judgeText(
    { properties: { token: { const: 'other' } }, additionalProperties: false },
    JSON.stringify({ token: secret, [secret]: 1 }),
    [secret],
  );
  expect(judged).toMatchObject({ ok: false });
  expect(JSON.stringify(judged)).not.toContain(secret);
});

test('an accepted schema can be evaluated on any body without throwing', async () => {
  const type = fc.constantFrom('string', 'number', 'object', 'array', 'null');
  const name = fc.constantFrom('a', 'b', 'constructor', 'toString', 'a/b', '~', '%', '"');
  const schema = fc.letrec<{ node: JsonValue; leaf: JsonValue }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc.record({ properties: fc.dictionary(name, tie('node'), { maxKeys: 3 }) }),
      fc.record({ items: tie('node'), pattern: fc.constantFrom('^a', 'b$', '.') }),
      fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('node'), additionalProperties: tie('node') }),
      fc.record({ propertyNames: tie('node'), required: fc.array(name, { maxLength: 2 }) }),
    ),
    leaf: fc.oneof(
      fc.boolean(),
      fc.record({ type }),
      fc.record({ format: fc.string() }),
      fc.constant({ properties: { a: { $ref: '#' } } }),
    ),
  })).node;
  await fc.assert(
    fc.asyncProperty(schema, fc.jsonValue({ maxDepth: 5 }), async (one, body) => {
      fc.pre(findSchemaProblems(one, () => null).length === 0);
      const judged = await judgeText(one, JSON.stringify(body));
      expect(typeof judged.ok).toBe('boolean');
      expect(judged.message).toMatch(/^Expected body to match the schema: /);
    }),
    propertyOptions(50),
  );
});
