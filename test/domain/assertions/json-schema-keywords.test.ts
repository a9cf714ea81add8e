/**
 * Tests the keyword tables of JSON Schema: the draft of a schema, the positions of subschemas, and the target of a
 * reference.
 */
import {
  findDraft,
  listSubschemas,
  readReference,
} from '../../../src/domain/assertions/json-schema-keywords';

test.each([
  [true, '2020-12'],
  [{}, '2020-12'],
  [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, '2019-09'],
  [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '7'],
  [{ $schema: 'http://json-schema.org/draft-06/schema#' }, null],
  [{ $schema: 7 }, null],
] as const)('the schema %j is read as draft %j of JSON Schema', (schema, draft) => {
  expect(findDraft(schema)).toBe(draft);
});

test.each([
  ['#', { path: [] }],
  ['#/$defs/a~1b~0c%20d', { path: ['$defs', 'a/b~c d'] }],
  ['#price', { anchor: 'price' }],
  ['#/%zz', null],
  ['other.json#/a', null],
] as const)('the schema reference %s points at %j', (reference, target) => {
  expect(readReference(reference)).toEqual(target);
});

test('schemas are found only under keywords that contain schemas', () => {
  expect(listSubschemas('items', [true])).toEqual([{ path: ['items', 0], value: true }]);
  expect(listSubschemas('not', {})).toEqual([{ path: ['not'], value: {} }]);
  expect(listSubschemas('properties', { a: true })).toEqual([
    { path: ['properties', 'a'], value: true },
  ]);
  expect(listSubschemas('dependencies', { a: ['b'] })).toEqual([]);
  expect(listSubschemas('const', { type: 'null' })).toEqual([]);
});
