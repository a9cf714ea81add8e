/** Tests that references are found in every part of a request, with every kind of body. */
import type { RequestBody } from '../../../src/contracts/definition';
import { listFilledIn } from '../../../src/domain/templates/payload';
import { findReferences } from '../../../src/domain/templates/template';
import { listTexts } from '../../../src/domain/text/list-texts';

function namesIn(carried: RequestBody): readonly string[] {
  return listTexts(listFilledIn(carried)).flatMap((text) =>
    findReferences(text).map(({ name }) => name),
  );
}

const nothing: RequestBody = { body: null };

test.each<[string, RequestBody]>([
  ['a JSON body', { body: { deep: ['{{a}}', { more: '{{b}}' }] } }],
  ['a text', { body: '{{a}} {{b}}' }],
  ['a form', { ...nothing, form: [{ name: 'x', value: '{{a}}{{b}}' }] }],
  ['parts', { ...nothing, multipart: [{ name: 'x', value: '{{a}}', fileName: '{{b}}' }] }],
  [
    'GraphQL',
    {
      ...nothing,
      graphql: { query: '{ {{a}} }', variables: { id: '{{b}}' } },
    },
  ],
])('references to variables in %s are found', (_kind, carried) => {
  expect(namesIn(carried)).toEqual(['a', 'b']);
});

test('a request without a payload has no references to variables', () => {
  expect(namesIn(nothing)).toEqual([]);
});

test('braces in field names are not read as references', () => {
  expect(namesIn({ ...nothing, form: [{ name: '{{a}}', value: 'x' }] })).toEqual([]);
});
