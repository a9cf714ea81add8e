/**
 * Tests runs on the whole service: waits, polling, failed extractions, cancelling, tests, and one run per idempotency
 * key.
 */
import { z } from 'zod';
import type { ApiClient } from '../support/api-client';
import { never } from '../support/never';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { openSharedService, type SharedService } from '../support/shared-service';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const stepShape = z.object({
  status: z.string(),
  tries: z.number(),
  waitingUntil: z.string().nullable(),
  startedAt: z.string().nullable(),
  failure: z.object({ code: z.string() }).nullable(),
});
const runShape = z.object({
  id: z.string().nullable(),
  status: z.string(),
  durationMs: z.number().nullable(),
  failure: z.object({ code: z.string(), stepName: z.string().nullable() }).nullable(),
  steps: z.array(stepShape),
});
const pageShape = z.object({ data: z.array(runShape) });
const idShape = z.object({ id: z.string() });

let service: SharedService;
let target: RecordingTarget;
let api: ApiClient;
let apiKey: string;
/** The responses of polled URLs, by path. After the last one, it is repeated. */
const answers = new Map<string, object[]>();
/** The target responds to a path only after its promise has resolved. */
const held = new Map<string, Promise<void>>();

beforeAll(async () => {
  target = await startRecordingTarget(async ({ url }, response) => {
    const waiting = answers.get(url) ?? [];
    const answer = waiting.length > 1 ? waiting.shift() : waiting[0];
    await held.get(url);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer ?? {}));
  });
  service = await openSharedService();
  ({ api, apiKey } = await service.newAccount());
});
afterAll(async () => {
  await service?.close();
  await target?.close();
});

const seen = (prefix: string) =>
  target.received
    .filter(({ url }) => url.startsWith(prefix))
    .map(({ method, url }) => `${method} ${url}`);

async function create(steps: readonly object[]): Promise<string> {
  const variables = { base: target.origin };
  const body = {
    name: 'runs',
    interval: 604_800,
    enabled: false,
    variables,
    steps,
    regions: ['eu-west'],
  };
  const request = { method: 'POST', path: '/v1/scenarios', body };
  return (await api.call(request, { status: 201, shape: idShape })).id;
}

const trigger = (id: string, query = '', status = 202) =>
  api.call(
    { method: 'POST', path: `/v1/scenarios/${id}/run${query}`, body: {} },
    { status, shape: runShape },
  );

const read = (id: string, runId: string | null, query = '') =>
  api.call(
    { method: 'GET', path: `/v1/scenarios/${id}/results/${runId}${query}` },
    { status: 200, shape: runShape },
  );

test('a run polls until the order is shipped, and the waiting request returns the ended run', async () => {
  answers.set('/a/order/1', [{ state: 'new' }, { state: 'packed' }, { state: 'shipped' }]);
  const shipped = { type: 'jsonPath', path: '$.state', operator: 'equals', value: 'shipped' };
  const id = await create([
    { name: 'order', method: 'POST', url: '{{base}}/a/orders' },
    {
      name: 'shipped',
      url: '{{base}}/a/order/1',
      waitSeconds: 1,
      until: { everySeconds: 1, forSeconds: 30 },
      assertions: [shipped],
      extract: { state: '$.state' },
    },
    { name: 'read', url: '{{base}}/a/{{state}}' },
  ]);
  const run = await trigger(id, '?wait=60', 200);
  expect(run.status).toBe('passed');
  expect(run.steps.map(({ tries }) => tries)).toEqual([1, 3, 1]);
  expect(seen('/a/')).toEqual([
    'POST /a/orders',
    ...Array.from({ length: 3 }, () => 'GET /a/order/1'),
    'GET /a/shipped',
  ]);
  expect(run.durationMs).toBeGreaterThanOrEqual(3_000);
});

test('a step of another type uses earlier values and passes its result on', async () => {
  answers.set('/k/node', [{ host: '127.0.0.1', id: 'n-1' }]);
  answers.set('/k/n-1', [{ state: 'new' }, { state: 'ready' }]);
  const id = await create([
    { name: 'find', url: '{{base}}/k/node', extract: { host: '$.host', id: '$.id' } },
    {
      name: 'talk',
      type: 'tcp',
      host: '{{host}}',
      port: Number(new URL(target.origin).port),
      send: 'GET /k/{{id}} HTTP/1.1\r\nHost: {{host}}\r\nConnection: close\r\n\r\n',
      expect: '"ready"',
      extract: { state: { from: 'body', pattern: '"state":"(\\w+)"' } },
      until: { everySeconds: 1, forSeconds: 30 },
    },
    { name: 'read', url: '{{base}}/k/{{state}}' },
  ]);
  const run = await trigger(id, '?wait=60', 200);
  expect(run.status).toBe('passed');
  expect({ tries: run.steps.map(({ tries }) => tries), seen: seen('/k/') }).toEqual({
    tries: [1, 2, 1],
    seen: ['GET /k/node', 'GET /k/n-1', 'GET /k/n-1', 'GET /k/ready'],
  });
});

test('an extraction that finds nothing fails its step', async () => {
  const id = await create([
    { name: 'order', method: 'POST', url: '{{base}}/b/orders', extract: { id: '$.missing' } },
    { name: 'read', url: '{{base}}/b/orders/{{id}}' },
    { name: 'undo', method: 'DELETE', url: '{{base}}/b/orders/{{id}}', always: true },
    { name: 'log out', method: 'DELETE', url: '{{base}}/b/session', always: true },
  ]);
  const run = await trigger(id, '?wait=60', 200);
  expect(run.failure).toMatchObject({ code: 'extraction_failed', stepName: 'order' });
  expect(run.steps.map(({ status, failure }) => [status, failure?.code])).toEqual([
    ['failed', 'extraction_failed'],
    ['skipped', undefined],
    ['skipped', undefined],
    ['passed', undefined],
  ]);
  await never(() => expect(seen('/b/')).toEqual(['POST /b/orders', 'DELETE /b/session']));
});

test('a run cancelled during a wait cleans up and ends once', async () => {
  const id = await create([
    { name: 'order', method: 'POST', url: '{{base}}/c/orders' },
    { name: 'later', url: '{{base}}/c/later', waitSeconds: 172_800 },
    { name: 'tidy', method: 'DELETE', url: '{{base}}/c/orders', always: true },
  ]);
  const { id: runId } = await trigger(id);
  const waiting = await waitUntil('the wait', async () => {
    const run = await read(id, runId);
    return run.status === 'waiting' && run;
  });
  expect(waiting.steps.map(({ status }) => status)).toEqual(['passed', 'waiting', 'pending']);
  const [order, later] = waiting.steps;
  const waitsForMs = Date.parse(later?.waitingUntil ?? '') - Date.parse(order?.startedAt ?? '');
  expect(waitsForMs).toBeGreaterThanOrEqual(172_800_000);
  const end = read(id, runId, '?wait=30');
  const cancel = { method: 'POST', path: `/v1/scenarios/${id}/results/${runId}/cancel` };
  await api.call(cancel, { status: 202, shape: runShape });
  expect((await end).status).toBe('cancelled');
  expect((await end).steps.map(({ status }) => status)).toEqual(['passed', 'skipped', 'passed']);
  await never(() => expect(seen('/c/')).toEqual(['POST /c/orders', 'DELETE /c/orders']));
  await waitUntil('the refusal of a second cancel', async () => {
    const shape = z.object({ code: z.literal('already_finished') });
    await api.call(cancel, { status: 409, shape });
    return true;
  });
});

if (isLongForm)
  test('a run cancelled during a request keeps its finished steps, and clean-up gets their values', async () => {
    answers.set('/g/login', [{ session: 's-1' }]);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    held.set('/g/orders', released);
    const slow = { timeoutMs: 60_000 };
    const id = await create([
      { name: 'log in', url: '{{base}}/g/login', extract: { session: '$.session' }, ...slow },
      { name: 'order', method: 'POST', url: '{{base}}/g/orders', ...slow },
      { name: 'read', url: '{{base}}/g/orders', ...slow },
      { name: 'tidy', method: 'DELETE', url: '{{base}}/g/{{session}}', always: true },
    ]);
    const { id: runId } = await trigger(id);
    await waitUntil('the order', () => seen('/g/').length === 2);
    const cancel = { method: 'POST', path: `/v1/scenarios/${id}/results/${runId}/cancel` };
    await api.call(cancel, { status: 202, shape: runShape });
    const run = await read(id, runId, '?wait=60');
    release();
    expect([run.status, run.steps.map(({ status }) => status)]).toEqual([
      'cancelled',
      ['passed', 'error', 'skipped', 'passed'],
    ]);
    await never(() => {
      expect(seen('/g/')).toEqual(['GET /g/login', 'POST /g/orders', 'DELETE /g/s-1']);
    });
  });

test('a test of an unsaved scenario runs once in one region and leaves nothing behind', async () => {
  const before = await api.call(
    { method: 'GET', path: '/v1/scenarios' },
    { status: 200, shape: z.object({ data: z.array(idShape) }) },
  );
  const body = {
    name: 'draft',
    region: 'eu-west',
    variables: { base: target.origin, pin: { value: 'a secret value', secret: true } },
    steps: [
      { name: 'one', url: '{{base}}/d/one', headers: { 'x-pin': '{{pin}}' }, retries: 3 },
      {
        name: 'two',
        url: '{{base}}/d/two',
        assertions: [{ type: 'status', operator: 'equals', value: 418 }],
      },
    ],
  };
  const request = { method: 'POST', path: '/v1/scenarios/test', body };
  const run = await api.call(request, { status: 200, shape: runShape });
  expect([run.id, run.status]).toEqual([null, 'failed']);
  expect(run.steps.map(({ status, tries }) => [status, tries])).toEqual([
    ['passed', 1],
    ['failed', 1],
  ]);
  await never(() => expect(seen('/d/')).toEqual(['GET /d/one', 'GET /d/two']));
  const after = await api.call(
    { method: 'GET', path: '/v1/scenarios' },
    { status: 200, shape: z.object({ data: z.array(idShape) }) },
  );
  expect(after).toEqual(before);
});

if (isLongForm)
  test('50 simultaneous triggers with one Idempotency-Key start one run', async () => {
    const id = await create([{ name: 'order', method: 'POST', url: '{{base}}/e/orders' }]);
    const send = async (): Promise<string> => {
      const answer = await fetch(`${service.url}/v1/scenarios/${id}/run?wait=20`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'deploy-1' },
      });
      return idShape.parse(await answer.json()).id;
    };
    const ids = await Promise.all(Array.from({ length: 50 }, send));
    expect(new Set(ids).size).toBe(1);
    await waitUntil('the end', async () => (await read(id, ids[0] ?? '')).status === 'passed');
    const page = await api.call(
      { method: 'GET', path: `/v1/scenarios/${id}/results` },
      { status: 200, shape: pageShape },
    );
    await never(() => {
      expect(page.data).toHaveLength(1);
      expect(seen('/e/')).toEqual(['POST /e/orders']);
    });
  });
