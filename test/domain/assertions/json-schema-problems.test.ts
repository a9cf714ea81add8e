/** Tests that a JSON Schema that cannot be evaluated is refused when it is saved, with the path of each problem. */
import * as fc from 'fast-check';
import type { JsonValue } from '../../../src/contracts/definition';
import { findSchemaProblems } from '../../../src/domain/assertions/json-schema-problems';
import { propertyOptions } from '../../support/property-runs';

const findPatternProblem = (pattern: string): string | null =>
  pattern.includes('(?=') ? 'is not a regular expression' : null;

function problemsOf(schema: JsonValue): string[] {
  return findSchemaProblems(schema, findPatternProblem).map(
    ({ path, message }) => `${path.join('/')} ${message}`,
  );
}

function nested(depth: number): JsonValue {
  let schema: JsonValue = true;
  for (let level = 0; level < depth; level += 1) schema = { not: schema };
  return schema;
}

test.each<[string, JsonValue]>([
  ['true', true],
  ['an object without keywords', {}],
  [
    'a schema exported by OpenAPI tools',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://shop.example.com/order.json',
      title: 'Order',
      type: 'object',
      required: ['id', 'items'],
      additionalProperties: false,
      properties: {
        id: { type: 'string', format: 'uuid', pattern: '^[0-9a-f-]+$' },
        items: { type: 'array', minItems: 1, items: { $ref: '#/$defs/item' } },
        parent: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
        at: { $ref: '#/$defs/a~1b%20c' },
        named: { $ref: '#price' },
      },
      $defs: {
        item: { type: ['object', 'null'], example: { $ref: 'kept' } },
        'a/b c': true,
        price: { $anchor: 'price', type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 },
      },
    },
  ],
  [
    'draft 7 with a list of item schemas',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }, { $ref: '#/definitions/a' }],
      definitions: { a: { enum: [1, null] } },
      dependencies: { a: ['b'], c: { required: ['d'] } },
    },
  ],
  ['32 levels', nested(32)],
])('%s is accepted as a JSON schema', (_, schema) => {
  expect(problemsOf(schema)).toEqual([]);
});

test.each<[JsonValue, string]>([
  [7, 'must be a schema: an object, true or false'],
  [{ properties: { a: { type: 'text' } } }, 'properties/a/type must be one of'],
  [{ properties: [] }, 'properties must be an object of schemas'],
  [{ properties: { a: 'string' } }, 'properties/a must be a schema'],
  [{ required: 'id' }, 'required must be a list of names'],
  [{ items: [{}] }, 'items must be a schema; in draft 2020-12 a list of schemas is prefixItems'],
  [{ anyOf: [] }, 'anyOf must be a list of at least one schema'],
  [{ anyOf: [true, 1] }, 'anyOf/1 must be a schema'],
  [{ minLength: -1 }, 'minLength must be a whole number from 0'],
  [{ minimum: '1' }, 'minimum must be a number'],
  [{ exclusiveMinimum: true }, 'exclusiveMinimum must be a number'],
  [{ multipleOf: 0 }, 'multipleOf must be a number above 0'],
  [{ uniqueItems: 1 }, 'uniqueItems must be true or false'],
  [{ enum: [] }, 'enum must be a list of at least one value'],
  [{ pattern: '(?=a)' }, 'pattern is not a regular expression'],
  [{ pattern: 5 }, 'pattern must be a regular expression'],
  [{ format: 5 }, 'format must be text'],
  [{ dependentRequired: { a: 'b' } }, 'dependentRequired must be an object of lists of names'],
  [{ patternProperties: { '^a': true } }, 'patternProperties is not supported; use propertyNames'],
  [{ items: { $dynamicRef: '#a' } }, 'items/$dynamicRef is not supported; use $ref'],
  [{ properties: { a: { nullable: true } } }, 'properties/a/nullable is not JSON Schema'],
  [{ not: { $id: 'b' } }, 'not/$id is only allowed at the top'],
  [{ $schema: 'http://json-schema.org/draft-04/schema#' }, '$schema must name draft-07'],
  [{ $ref: 'https://example.com/a.json' }, '$ref must point into this schema'],
  [{ $ref: '#/$defs/none' }, '$ref must point at a schema in here'],
  [{ $ref: '#/properties', properties: {} }, '$ref must point at a schema in here'],
  [{ $ref: '#/%E0%A4%A' }, '$ref must point at a schema in here'],
  [{ $ref: 3 }, '$ref must point at a schema in here'],
  [{ $ref: '#' }, 'refers to itself without end'],
  [
    {
      $ref: '#/$defs/a',
      $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } },
    },
    'refers to itself without end',
  ],
  [{ const: '{{orderId}}' }, 'const must not use {{…}}'],
])('the JSON schema %j is refused: %s', (schema, problem) => {
  expect(problemsOf(schema)).toEqual([expect.stringContaining(problem)]);
});

test('a JSON schema with more than 32 levels or 32 KiB is refused', () => {
  expect(problemsOf(nested(33))).toEqual([expect.stringContaining('at most 32 levels deep')]);
  const long = { title: 'x'.repeat(33_000) };
  expect(problemsOf(long)).toEqual([expect.stringContaining('at most 32 KiB')]);
});

test('all problems of a JSON schema are found at once', () => {
  const schema = { type: 'a', properties: { b: { minItems: 0.5 }, c: { $ref: 'd' } } };
  expect(problemsOf(schema)).toHaveLength(3);
});

test('checking any JSON as a schema never throws', () => {
  const keyword = fc.constantFrom(
    'type',
    'properties',
    'items',
    '$ref',
    'allOf',
    'enum',
    '$defs',
    'constructor',
    '$anchor',
  );
  const schema = fc.letrec<{ node: JsonValue; leaf: JsonValue }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      tie('leaf'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(keyword, tie('node'), { maxKeys: 4 }),
    ),
    leaf: fc.oneof(
      fc.constantFrom<JsonValue>('#', '#/$defs/a', '#/items', 'string', '', null, true, 0),
      fc.string(),
    ),
  })).node;
  fc.assert(
    fc.property(schema, (one) => {
      expect(Array.isArray(problemsOf(one))).toBe(true);
    }),
    propertyOptions(100),
  );
});
