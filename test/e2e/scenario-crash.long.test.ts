/** Tests scenario runs whose probe dies in the middle. Nothing is lost, and nothing is sent twice. */
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { z } from 'zod';
import { scenarioWorkflowId } from '../../src/contracts/workflows';
import { type ApiClient, createApiClient } from '../support/api-client';
import { createFormShop } from '../support/form-shop';
import { never } from '../support/never';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { startService, type TestService } from '../support/service';
import { waitUntil } from '../support/wait-until';

const { TIMEOUT_TYPE_HEARTBEAT } = temporal.api.enums.v1.TimeoutType;
const PROBE = 'probe-eu-west';
const runShape = z.object({
  id: z.string(),
  status: z.string(),
  failure: z.object({ code: z.string(), stepName: z.string().nullable() }).nullable(),
  steps: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      cookies: z.array(z.object({ name: z.string() })),
    }),
  ),
});
const pageShape = z.object({ data: z.array(runShape) });
type Run = z.output<typeof runShape>;

const shop = createFormShop();
let service: TestService;
let target: RecordingTarget;
let api: ApiClient;
let connection: Connection;
/** For each path whose responses the target holds, a promise that resolves when the test releases them. */
const held = new Map<string, Promise<void>>();

beforeAll(async () => {
  target = await startRecordingTarget((received, response) => {
    const { url } = received;
    void Promise.resolve(held.get(url)).then(() => {
      if (url.startsWith('/shop/')) {
        shop.respond(received, response);
        return;
      }
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ value: `of${url.replaceAll('/', '-')}` }));
    });
  });
  service = await startService({ regions: ['eu-west'] });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  connection = await Connection.connect({ address: service.temporalAddress });
});
afterAll(async () => {
  await connection?.close();
  await service?.stop();
  await target?.close();
});

/** Holds the responses of a path. The returned function releases them. */
function hold(path: string): () => void {
  let release = (): void => undefined;
  held.set(
    path,
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  return release;
}

const seen = (prefix: string) =>
  target.received
    .filter(({ url }) => url.startsWith(prefix))
    .map(({ method, url }) => `${method} ${url}`);

async function createScenario(steps: readonly object[]): Promise<string> {
  const body = { name: 'crash', interval: 3600, variables: { base: target.origin }, steps };
  const request = { method: 'POST', path: '/v1/scenarios', body };
  return (await api.call(request, { status: 201, shape: z.object({ id: z.string() }) })).id;
}

async function onlyRun(id: string): Promise<Run | undefined> {
  const request = { method: 'GET', path: `/v1/scenarios/${id}/results` };
  return (await api.call(request, { status: 200, shape: pageShape })).data[0];
}

const finishedRun = (id: string) =>
  waitUntil('the end of the run', async () => {
    const run = await onlyRun(id);
    return run !== undefined && run.status !== 'queued' && run.status !== 'running' && run;
  });

async function timeoutsOf(id: string) {
  const { workflow } = new Client({ connection, namespace: service.suite });
  const { events } = await workflow.getHandle(scenarioWorkflowId(id)).fetchHistory();
  return (events ?? []).flatMap(
    (event) =>
      event.activityTaskTimedOutEventAttributes?.failure?.timeoutFailureInfo?.timeoutType ?? [],
  );
}

test('after a kill during step 3 of 5, the next probe continues at step 3', async () => {
  const release = hold('/a/3/of-a-2-of-a-1');
  const names = ['1', '2', '3', '4', '5'];
  const id = await createScenario(
    names.map((name, index) => ({
      name: `step ${name}`,
      method: index === 3 ? 'POST' : 'GET',
      url: index === 0 ? '{{base}}/a/1' : `{{base}}/a/${name}/{{value${index}}}`,
      extract: { [`value${index + 1}`]: '$.value' },
    })),
  );
  await waitUntil('step 3', () => seen('/a/3').length === 1);
  const runId = String((await onlyRun(id))?.id);
  await service.kill(PROBE);
  release();
  await service.start(PROBE);
  const run = await finishedRun(id);
  expect([run.id, run.status]).toEqual([runId, 'passed']);
  expect(seen('/a/')).toEqual([
    'GET /a/1',
    'GET /a/2/of-a-1',
    'GET /a/3/of-a-2-of-a-1',
    'GET /a/3/of-a-2-of-a-1',
    'POST /a/4/of-a-3-of-a-2-of-a-1',
    'GET /a/5/of-a-4-of-a-3-of-a-2-of-a-1',
  ]);
});

test('after a kill between login and order, the order is made without a second login', async () => {
  const release = hold('/look');
  const id = await createScenario([
    {
      name: 'open the form',
      url: '{{base}}/shop/login',
      extract: { csrf: { from: 'body', pattern: 'name="csrf" value="([^"]+)"' } },
    },
    {
      name: 'sign in',
      method: 'POST',
      url: '{{base}}/shop/login',
      form: { user: 'demo', password: 'correct horse', csrf: '{{csrf}}' },
      assertions: [{ type: 'body', operator: 'equals', value: 'welcome demo' }],
    },
    { name: 'look around', url: '{{base}}/look' },
    {
      name: 'order',
      method: 'POST',
      url: '{{base}}/shop/orders',
      body: { item: 'tea' },
      assertions: [{ type: 'status', operator: 'equals', value: 201 }],
    },
  ]);
  await waitUntil('the step after the login', () => seen('/look').length === 1);
  const runId = String((await onlyRun(id))?.id);
  await service.kill(PROBE);
  release();
  await service.start(PROBE);
  const run = await finishedRun(id);
  expect([run.id, run.status]).toEqual([runId, 'passed']);
  expect([shop.logins(), [...shop.orders.values()]]).toEqual([1, ['demo']]);
  const [, login] = run.steps;
  expect(login?.cookies.map(({ name }) => name)).toEqual(['sid']);
  const session = target.received
    .flatMap(({ headers }) => headers.cookie?.split('; ') ?? [])
    .find((pair) => pair.startsWith('sid='));
  const whole = { method: 'GET', path: `/v1/scenarios/${id}/results/${runId}` };
  const shown = await api.call(whole, { status: 200, shape: z.unknown() });
  expect(session).toBeDefined();
  expect(JSON.stringify(shown)).not.toContain(session?.slice('sid='.length));
});

test('a POST step is sent once and clean-up runs, even if everything is killed during the step', async () => {
  const release = hold('/c/order');
  const id = await createScenario([
    { name: 'log in', url: '{{base}}/c/login', extract: { user: '$.value' } },
    { name: 'order', method: 'POST', url: '{{base}}/c/order', timeoutMs: 1000 },
    { name: 'read', url: '{{base}}/c/read' },
    { name: 'tidy', method: 'DELETE', url: '{{base}}/c/{{user}}', always: true },
  ]);
  await waitUntil('the order', () => seen('/c/').length === 2);
  const names = ['api', 'orchestrator', PROBE];
  await Promise.all(names.map((name) => service.kill(name)));
  release();
  for (const name of names) await service.start(name);
  const run = await finishedRun(id);
  expect([run.status, run.failure?.code]).toEqual(['error', 'worker_lost']);
  expect(run.steps.map(({ status }) => status)).toEqual(['passed', 'error', 'skipped', 'passed']);
  await never(() =>
    expect(seen('/c/')).toEqual(['GET /c/login', 'POST /c/order', 'DELETE /c/of-c-login']),
  );
});

test('a long POST step is not sent again after its probe is killed, and clean-up follows', async () => {
  const release = hold('/b/order');
  const id = await createScenario([
    { name: 'order', method: 'POST', url: '{{base}}/b/order', timeoutMs: 60_000 },
    { name: 'read', url: '{{base}}/b/read' },
    { name: 'tidy', method: 'DELETE', url: '{{base}}/b/tidy', always: true },
  ]);
  await waitUntil('the order', () => seen('/b/').length === 1);
  await service.kill(PROBE);
  release();
  await service.start(PROBE);
  const run = await finishedRun(id);
  expect(run.status).toBe('error');
  expect(run.failure).toMatchObject({ code: 'worker_lost', stepName: 'order' });
  // The activity ended by its heartbeat timeout, not by the timeout of the step.
  expect(await timeoutsOf(id)).toEqual([TIMEOUT_TYPE_HEARTBEAT]);
  expect(run.steps.map(({ status }) => status)).toEqual(['error', 'skipped', 'passed']);
  await never(() => expect(seen('/b/')).toEqual(['POST /b/order', 'DELETE /b/tidy']));
});
