/** Tests forms, multipart bodies and GraphQL as a target receives them. Also tests how a GraphQL response is judged. */
import fc from 'fast-check';
import { propertyOptions } from '../support/property-runs';
import { buildVars } from '../support/step-builder';
import { withStepTarget } from './support/step-target';

const generated = { uuid: 'u-1', now: '2026-01-01T00:00:00.000Z', runId: 'run_1' };
const {
  target,
  run: send,
  lastReceived: received,
} = withStepTarget({
  step: { method: 'POST' },
  inputs: { generated },
  respond: (_, response) => response.end('{}'),
});

/** Returns the parts of the request body as a form parser reads them. */
async function partsOf({ body, headers }: ReturnType<typeof received>) {
  const type = String(headers['content-type']);
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  return Promise.all(
    [...form].map(async ([name, part]) =>
      typeof part === 'string' ? [name, part] : [name, part.name, part.type, await part.text()],
    ),
  );
}

test('a check sends a form as a browser would send it, with its templates filled in', async () => {
  const form = [
    { name: 'user name', value: '{{user}}' },
    { name: 'q', value: 'a&b=c ä' },
    { name: 'count', value: '{{count}}' },
  ];
  await send({ form }, { vars: buildVars({ user: 'x&admin=1', count: 3 }) });
  expect(received().headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect([...new URLSearchParams(received().body)]).toEqual([
    ['user name', 'x&admin=1'],
    ['q', 'a&b=c ä'],
    ['count', '3'],
  ]);
});

test('any field values of a form reach the target unchanged', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[{}]/.test(text));
  const forms = fc.uniqueArray(fc.record({ name: texts, value: texts }), {
    selector: (f) => f.name,
  });
  await fc.assert(
    fc.asyncProperty(forms, async (form) => {
      await send({ form });
      const arrived = [...new URLSearchParams(received().body)];
      expect(arrived).toEqual(form.map(({ name, value }) => [name, value]));
    }),
    propertyOptions(40),
  );
});

test('the parts of a multipart body reach the target with their names, file names, types and bytes', async () => {
  const multipart = [
    { name: 'note', value: 'for {{user}}' },
    { name: 'a "b"', value: 'x', fileName: 'r {{user}}.txt', contentType: 'text/plain' },
    { name: 'bytes', base64: Buffer.from('raw').toString('base64') },
  ];
  await send({ multipart }, { vars: buildVars({ user: 'me' }) });
  const { body, headers } = received();
  expect(headers['content-type']).toBe('multipart/form-data; boundary=keepwatch-u-1');
  expect(body).toContain('name="a %22b%22"; filename="r me.txt"');
  const [note, file] = await partsOf(received());
  expect(note).toEqual(['note', 'for me']);
  expect(file?.slice(1)).toEqual(['r me.txt', 'text/plain', 'x']);
  expect(body).toMatch(/name="bytes"\r\nContent-Type: application\/octet-stream\r\n\r\nraw\r\n/);
});

test('a retry sends the same bytes of a form, and no value can break out of its multipart part', async () => {
  target.respond = (_, response) => response.writeHead(503).end();
  const hostile = 'x\r\n--keepwatch-u-1--\r\n';
  await send(
    { multipart: [{ name: 'a', value: '{{v}}' }], retries: 1 },
    { vars: buildVars({ v: hostile }) },
  );
  const [first, second] = target.received;
  expect(first?.body).toBe(second?.body);
  expect(first?.headers['content-type']).toBe(second?.headers['content-type']);
  expect(await partsOf(received())).toEqual([['a', hostile]]);
});

test('GraphQL is sent as JSON by POST, and its variables keep their types', async () => {
  const query = 'query Me($id: Int!) { user(id: $id) { name } }';
  await send(
    { graphql: { query, variables: { id: '{{id}}' }, operationName: 'Me' } },
    { vars: buildVars({ id: 7 }) },
  );
  expect(received().headers['content-type']).toBe('application/json');
  expect(JSON.parse(received().body)).toEqual({ query, variables: { id: 7 }, operationName: 'Me' });
});

test.each([
  ['{"data":{"a":1}}', 'up'],
  ['{"data":null,"errors":[]}', 'up'],
  ['{"data":null,"errors":null}', 'up'],
  ['{"errors":[{"message":"no"}]}', 'down'],
  ['<html>', 'down'],
])('with the GraphQL response %s, the step is %s', async (body, status) => {
  target.respond = (_, response) => response.end(body);
  expect((await send({ graphql: { query: '{ a }' } })).status).toBe(status);
});

test('an explicit assertion on $.errors replaces the default assertion of GraphQL steps', async () => {
  target.respond = (_, response) => response.end('{"errors":[{"message":"no"}]}');
  const expected = { path: '$.errors[0].message', operator: 'equals', value: 'no' } as const;
  const { status } = await send({
    graphql: { query: '{ a }' },
    assertions: [{ type: 'jsonPath', match: 'first', severity: 'fail', ...expected }],
  });
  expect(status).toBe('up');
});

test('a secret in a form is sent but never shown in the outcome', async () => {
  target.respond = ({ body }, response) => response.writeHead(500).end(body);
  const outcome = await send(
    { form: [{ name: 'password', value: '{{secret:pw}}' }] },
    { secrets: [{ name: 'pw', value: 'open sesame!' }] },
  );
  expect(received().body).toBe('password=open+sesame%21');
  expect(JSON.stringify(outcome)).not.toContain('sesame');
});
