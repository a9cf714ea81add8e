/** Tests how the reference describes the type of a field in words. */
import { renderType } from '../../../../src/api/pages/reference/field-html';
import type { Schema } from '../../../../src/api/pages/reference/field-list';

const NULL = { type: 'null' } as const;
const name = { type: 'string', minLength: 1, maxLength: 32 } as const;

test.each<readonly [string, Schema]>([
  ['text (1 to 32 characters)', name],
  ['text (at most 9 characters) or null', { anyOf: [{ type: 'string', maxLength: 9 }, NULL] }],
  ['text (date-time)', { type: 'string', format: 'date-time' }],
  ['integer (1 to 20)', { type: 'integer', minimum: 1, maximum: 20 }],
  ['integer (at least 1)', { type: 'integer', minimum: 1 }],
  ['list of texts', { type: 'array', items: { type: 'string' } }],
  ['list of texts, or null', { anyOf: [{ type: 'array', items: { type: 'string' } }, NULL] }],
  [
    'list of texts (1 to 32 characters each), at least 1 entry, or null',
    { anyOf: [{ type: 'array', items: name, minItems: 1 }, NULL] },
  ],
  [
    'list of numbers, 24 entries',
    { type: 'array', items: { type: 'number' }, minItems: 24, maxItems: 24 },
  ],
  [
    'map of texts, at most 50 entries',
    { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 50 },
  ],
  [
    'list of maps of any JSON',
    { type: 'array', items: { type: 'object', additionalProperties: {} } },
  ],
  [
    '<code>a</code>, <code>b</code> or <code>c</code>, or null',
    { anyOf: [{ type: 'string', enum: ['a', 'b', 'c'] }, NULL] },
  ],
  ['<a href="#Run">Run</a> or null', { anyOf: [{ $ref: '#/components/schemas/Run' }, NULL] }],
])('the reference describes the type of a field as %s', (words, schema) => {
  expect(renderType(schema, (to) => `#${to}`)).toBe(words);
});
