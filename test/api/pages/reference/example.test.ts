/** Tests the examples of responses. Each is valid for the schema of its response, and the reference shows it. */
import { z } from 'zod';
import { buildExample, type Schemas } from '../../../../src/api/pages/reference/example';
import type { Schema } from '../../../../src/api/pages/reference/field-list';
import { listOperations } from '../../../../src/api/pages/reference/operations';
import { renderOperationsPage } from '../../../../src/api/pages/reference/operations-page';
import { ROUTES } from '../../../../src/api/v1/route-table';
import { shownDocument as document } from '../../whole-document';

const operations = listOperations(document);
const cases = ROUTES.flatMap(({ doc }) =>
  Object.entries(doc.responses).flatMap(([status, { schema, mediaType = 'application/json' }]) =>
    status.startsWith('2') && schema !== undefined && mediaType === 'application/json'
      ? [[doc.operationId, status, schema] as const]
      : [],
  ),
);

test('there are examples for more than 150 responses', () => {
  expect(cases.length).toBeGreaterThan(150);
});

test.each(cases)('the example of %s, %s is valid for its schema', (id, status, schema) => {
  const operation = operations.find((each) => each.id === id);
  const example = operation?.responses.find((each) => each.status === status)?.example;
  expect(example).toBeDefined();
  expect(z.safeParse(schema, example).error).toBeUndefined();
});

test('the page shows an example below the responses of an operation', () => {
  const page = renderOperationsPage(document, { fontUrl: null });
  const [, shown = ''] = page.split('<details id="listIncidents"');
  expect(shown.split('<details id=')[0]).toContain(
    '<summary>Example of <code>200</code></summary>',
  );
});

test.each<readonly [string, Schema, unknown]>([
  ['its own example', { type: 'string', example: 'Shop' }, 'Shop'],
  ['null if it may be null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
  ['its constant', { const: 'http' }, 'http'],
  ['the first of its values', { type: 'string', enum: ['up', 'down'] }, 'up'],
  ['its minimum', { type: 'integer', minimum: 1 }, 1],
  ['no entries if it is a list of texts', { type: 'array', items: { type: 'string' } }, []],
  ['one entry if it is a list of objects', { type: 'array', items: { type: 'object' } }, [{}]],
])('the example of a schema is %s', (_rule, schema, expected) => {
  expect(buildExample(schema, {})).toEqual(expected);
});

test('an example follows references and leaves out fields that may be absent', () => {
  const schemas: Schemas = { Time: { type: 'string', format: 'date-time' } };
  const at = { $ref: '#/components/schemas/Time' };
  const schema: Schema = { type: 'object', properties: { at, until: at }, required: ['at'] };
  expect(buildExample(schema, schemas)).toEqual({ at: '2026-01-31T12:00:00.000Z' });
});
