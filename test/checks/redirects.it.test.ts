/** Tests redirects: what the next request contains, and what is never sent to another origin. */
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { buildDefinition, buildRunner } from '../support/step-builder';
import { withStepTarget } from './support/step-target';

let second: RecordingTarget;
let status = 302;
let location: () => string;

const { target: first, run } = withStepTarget({
  path: '/from',
  inputs: { secrets: [{ name: 'key', value: 'top-secret' }] },
  respond: ({ url }, response) => {
    if (url.startsWith('/from')) response.writeHead(status, { location: location() }).end();
    else response.end('first');
  },
});

beforeAll(async () => {
  second = await startRecordingTarget((_, response) => response.end('second'));
});
afterAll(() => second.close());
beforeEach(() => {
  status = 302;
  location = () => '/to?x=1';
  second.received.length = 0;
});

it.each([
  [301, 'GET', 'GET', false],
  [301, 'POST', 'GET', false],
  [301, 'PUT', 'PUT', true],
  [302, 'POST', 'GET', false],
  [302, 'HEAD', 'HEAD', false],
  [303, 'POST', 'GET', false],
  [303, 'PUT', 'GET', false],
  [303, 'HEAD', 'HEAD', false],
  [307, 'POST', 'POST', true],
  [308, 'PATCH', 'PATCH', true],
] as const)(
  'after a redirect with status %i, a %s continues as %s, with the original body: %s',
  async (code, method, next, hasBody) => {
    status = code;
    const body = ['GET', 'HEAD'].includes(method) ? null : { a: 1 };
    const outcome = await run({ method, body });
    expect(outcome).toMatchObject({ status: 'up', response: { redirects: 1 } });
    expect(first.received[1]).toMatchObject({
      method: next,
      url: '/to?x=1',
      body: hasBody ? '{"a":1}' : '',
    });
    expect(first.received[1]?.headers['content-type']).toBe(
      hasBody ? 'application/json' : undefined,
    );
  },
);

it('a redirect on the same origin keeps all headers', async () => {
  await run({ headers: [{ name: 'authorization', value: 'Bearer x' }] });
  expect(first.received[1]?.headers.authorization).toBe('Bearer x');
});

it('a redirect to another origin drops credentials and headers with secrets, and keeps the rest', async () => {
  location = () => `${second.origin}/there`;
  const headers = [
    { name: 'Authorization', value: 'Bearer x' },
    { name: 'Cookie', value: 'a=b' },
    { name: 'Host', value: 'virtual.example' },
    { name: 'X-Api-Key', value: '{{secret:key}}' },
    { name: 'X-Basic', value: `Basic ${Buffer.from('me:top-secret').toString('base64')}` },
    { name: 'X-Plain', value: 'plain' },
  ];
  const outcome = await run({ headers });
  expect(outcome).toMatchObject({ status: 'up', response: { finalUrl: `${second.origin}/there` } });
  const seen = second.received[0]?.headers ?? {};
  expect(seen).toMatchObject({ 'x-plain': 'plain', host: new URL(second.origin).host });
  expect(Object.keys(seen)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/authorization|cookie|x-api-key|x-basic/)]),
  );
  expect(JSON.stringify(seen)).not.toContain('top-secret');
});

it('a trace id is sent only if the step allows it, and a redirect never sends the id to another origin', async () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const runTraced = (sendTraceparent: boolean) => run({ sendTraceparent }, { traceparent });
  location = () => `${second.origin}/there`;
  await runTraced(true);
  await runTraced(false);
  const seen = [...first.received, ...second.received].map(({ headers }) => headers['traceparent']);
  expect(seen).toEqual([traceparent, undefined, undefined, undefined]);
});

it('a redirect that would send a secret in the body to another origin is refused', async () => {
  status = 307;
  location = () => `${second.origin}/there`;
  const outcome = await run({ method: 'POST', body: { key: '{{secret:key}}' } });
  expect(outcome.failure?.code).toBe('blocked_target');
  expect(second.received).toEqual([]);
});

it('credentials in the target URL of a redirect are ignored', async () => {
  location = () => second.origin.replace('://', '://user:pass@');
  await run();
  expect(second.received[0]?.headers.authorization).toBeUndefined();
});

it('a step that turns redirects off follows no redirect', async () => {
  const outcome = await run({ followRedirects: false });
  expect(outcome.response).toMatchObject({ status: 302, redirects: 0 });
  expect(first.received).toHaveLength(1);
});

it.each([0, 1, 3])(
  'with `maxRedirects: %i`, the step follows that many redirects, and a further redirect fails the step',
  async (max) => {
    location = () => '/from';
    const outcome = await run({ maxRedirects: max });
    expect(outcome.failure).toMatchObject({
      code: 'too_many_redirects',
      message: `The target redirects more than ${max} times.`,
    });
    expect(first.received).toHaveLength(max + 1);
  },
);

it('each redirect is checked by the target guard before it is followed', async () => {
  location = () => `http://localhost:${second.port}/there`;
  const strict = buildRunner({ allowedPrivateTargets: [`127.0.0.1#${first.port}`] });
  const definition = buildDefinition({ url: `${first.origin}/from` });
  const outcome = await strict.runStep(definition, 0, { slotMs: 0 });
  await strict.close();
  expect(outcome.failure?.code).toBe('blocked_target');
  expect(outcome.response).toMatchObject({ status: 302 });
  expect(second.received).toEqual([]);
});
