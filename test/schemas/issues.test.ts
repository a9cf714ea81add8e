/** Bodies whose JSON is looked at as a whole first: what is refused of them is the same. */
import { z } from 'zod';
import { validate, validateJson } from '../../src/schemas/issues';

const shape = z.strictObject({ text: z.string(), found: z.record(z.string(), z.unknown()) });

test.each([
  ['plain text', '{"text":"ok","found":{"a":["b"]}}', true],
  ['escapes that are whole characters', '{"text":"\\u00e9\\ud83d\\ude00","found":{}}', true],
  ['half a character', '{"text":"\\ud83d","found":{}}', false],
  ['half a character in capital digits', '{"text":"x","found":{"a":["\\uDE00"]}}', false],
  ['half a character in a name', '{"text":"x","found":{"\\ud83d":1}}', false],
  ['a name that objects cannot hold', '{"text":"x","found":{"a":{"__proto__":1}}}', false],
  ['the same name in escapes', '{"text":"x","found":{"a":{"\\u005f_proto__":1}}}', false],
  ['a wrong type', '{"text":1,"found":{}}', false],
  ['a field that is not known', '{"text":"x","found":{},"more":1}', false],
])('%s in a body is judged by its JSON as by its values', (_, json, isFit) => {
  const body: unknown = JSON.parse(json);
  const judged = validateJson(shape, { body, json });
  expect(judged).toEqual(validate(shape, body));
  expect(judged.ok).toBe(isFit);
});
