/** Tests request bodies in forms. Every kind of body is returned unchanged. */
import {
  BODY_MODES,
  type BodyDraft,
  bodyFields,
  findJsonProblem,
  NO_BODY,
  readBody,
  withBodyTexts,
  withMode,
} from '../../../src/dashboard/shared/body/body-draft';

const bodies = [
  {},
  { body: { item: '{{x}}', deep: [1, null, '{{x}}'] } },
  { body: 'plain {{x}}' },
  { form: { user: 'demo', note: 'a {{x}}' } },
  {
    multipart: [
      { name: 'note', value: 'text {{x}}', fileName: 'a-{{x}}.txt', contentType: 'text/plain' },
      { name: 'raw', base64: 'e3t4fX0=' },
    ],
  },
  { graphql: { query: '{ me(id: "{{x}}") { id } }' } },
  {
    graphql: { query: 'query A { me { id } }', variables: { id: '{{x}}' }, operationName: 'A' },
  },
] as const;

test.each(bodies)('the body %j is unchanged after it was read into the form', (body) => {
  expect(bodyFields(readBody(body))).toEqual(body);
});

test('switching the kind of body keeps typed values', () => {
  const text = readBody({ body: 'plain' });
  const form = withMode(text, 'form');
  expect(form.form).toHaveLength(1);
  expect(bodyFields(withMode(form, 'text'))).toEqual({ body: 'plain' });
});

test.each(BODY_MODES)('an empty body of the kind %s is never reported as broken JSON', (mode) => {
  expect(findJsonProblem(withMode(NO_BODY, mode))).toBeNull();
});

test('invalid JSON is reported with its line and sent as text', () => {
  const body: BodyDraft = { ...NO_BODY, mode: 'json', text: '{\n  "a": 1,\n}' };
  expect(findJsonProblem(body)).toEqual({
    path: 'body',
    message: expect.stringMatching(/^must be valid JSON/),
  });
  expect(bodyFields(body)).toEqual({ body: body.text });
  const graphql = { query: '{ a }', variables: '{', operationName: '' };
  expect(findJsonProblem({ ...NO_BODY, mode: 'graphql', graphql })?.path).toBe('graphql.variables');
});

test('renaming a variable changes references in the texts of a body, but not names, types or bytes', () => {
  const renamed = (body: (typeof bodies)[number]) =>
    bodyFields(withBodyTexts(readBody(body), (text) => text.replaceAll('{{x}}', '{{y}}')));
  for (const body of bodies) {
    const expected: unknown = JSON.parse(JSON.stringify(body).replaceAll('{{x}}', '{{y}}'));
    expect(renamed(body)).toEqual(expected);
  }
  expect(
    renamed({ multipart: [{ name: 'raw', base64: 'e3t4fX0=' }] } as (typeof bodies)[number]),
  ).toEqual({ multipart: [{ name: 'raw', base64: 'e3t4fX0=' }] });
});
