/**
 * Tests the check that reads a body as JSON text. It refuses exactly the bodies that the check of the parsed values
 * refuses.
 */
import { z } from 'zod';
import { validate, validateJson } from '../../src/schemas/issues';

const shape = z.strictObject({ text: z.string(), found: z.record(z.string(), z.unknown()) });

test.each([
  ['plain text', '{"text":"ok","found":{"a":["b"]}}', true],
  ['escapes of whole characters', '{"text":"\\u00e9\\ud83d\\ude00","found":{}}', true],
  ['half a surrogate pair', '{"text":"\\ud83d","found":{}}', false],
  [
    'half a surrogate pair in upper-case hex digits',
    '{"text":"x","found":{"a":["\\uDE00"]}}',
    false,
  ],
  ['half a surrogate pair in a name', '{"text":"x","found":{"\\ud83d":1}}', false],
  ['a forbidden property name', '{"text":"x","found":{"a":{"__proto__":1}}}', false],
  [
    'a forbidden property name in escapes',
    '{"text":"x","found":{"a":{"\\u005f_proto__":1}}}',
    false,
  ],
  ['a wrong type', '{"text":1,"found":{}}', false],
  ['an unknown field', '{"text":"x","found":{},"more":1}', false],
])('a body with %s gets the same verdict as JSON text and as parsed values', (_, json, isFit) => {
  const body: unknown = JSON.parse(json);
  const judged = validateJson(shape, { body, json });
  expect(judged).toEqual(validate(shape, body));
  expect(judged.ok).toBe(isFit);
});
