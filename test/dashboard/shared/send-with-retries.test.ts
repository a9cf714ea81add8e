import { sendWithRetries } from '../../../src/dashboard/shared/data/send-with-retries';

const PATH = '/v1/monitors';

/** Replaces `fetch` by a fake that returns the responses in order. Returns the headers of each request. */
function respondWith(...responses: readonly Response[]): Headers[] {
  const sent: Headers[] = [];
  const left = [...responses];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_path, init) => {
    sent.push(new Headers(init?.headers));
    return left.shift() ?? new Response(null, { status: 500 });
  });
  return sent;
}

const deferral = (seconds = '5') =>
  new Response('{}', { status: 503, headers: { 'Retry-After': seconds } });
const created = () => new Response('{}', { status: 201 });

/** Returns the status of the last response, after all waits. */
async function send(init: RequestInit): Promise<number> {
  const sending = sendWithRetries(PATH, init);
  sending.catch(() => undefined);
  await jest.runAllTimersAsync();
  return (await sending).status;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a POST that the service asks to retry is sent again with the same idempotency key', async () => {
  const sent = respondWith(deferral(), deferral('0'), created(), created());
  expect(await send({ method: 'POST' })).toBe(201);
  expect(await send({ method: 'POST' })).toBe(201);
  const keys = sent.map((headers) => headers.get('Idempotency-Key'));
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test('a retried change keeps the version that it was based on, and needs no idempotency key', async () => {
  const sent = respondWith(deferral(), created());
  expect(await send({ method: 'PATCH', headers: { 'If-Match': '"3"' } })).toBe(201);
  expect(sent.map((headers) => headers.get('If-Match'))).toEqual(['"3"', '"3"']);
  expect(sent[0]?.has('Idempotency-Key')).toBe(false);
});

test('the dashboard tries a write three times at most, and then shows the last response', async () => {
  const sent = respondWith(deferral(), deferral(), deferral(), created());
  expect(await send({ method: 'POST' })).toBe(503);
  expect(sent).toHaveLength(3);
});

test.each([
  ['an error without Retry-After', new Response('{}', { status: 503 })],
  ['a wait of a minute', deferral('60')],
  ['a date as Retry-After', deferral('Wed, 21 Oct 2026 07:28:00 GMT')],
  ['a rate limit', new Response('{}', { status: 429, headers: { 'Retry-After': '1' } })],
])('the dashboard does not retry a write after a response with %s', async (_name, response) => {
  const sent = respondWith(response, created());
  expect(await send({ method: 'POST' })).toBe(response.status);
  expect(sent).toHaveLength(1);
});

test('a write that is cancelled while it waits for its retry is not sent again', async () => {
  const sent = respondWith(deferral(), created());
  const control = new AbortController();
  const sending = sendWithRetries(PATH, { method: 'POST', signal: control.signal });
  const outcome = sending.catch((reason: unknown) => reason);
  await jest.advanceTimersByTimeAsync(1_000);
  control.abort('left');
  await jest.runAllTimersAsync();
  expect(await outcome).toBe('left');
  expect(sent).toHaveLength(1);
});
