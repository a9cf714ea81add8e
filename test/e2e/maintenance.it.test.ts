/** Maintenance and a suspect network on a whole service: nobody is woken, and nobody's time is counted. */
import { connect } from 'node:net';
import { z } from 'zod';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { startService, type TestService } from '../support/service';
import { waitUntil } from '../support/wait-until';

const ANY = z.looseObject({});
const monitorShape = z.object({ status: z.string(), currentIncidentId: z.string().nullable() });
const resultPage = z.object({
  data: z.array(
    z.object({
      kind: z.string(),
      status: z.string(),
      inMaintenance: z.boolean(),
      slot: z.string(),
    }),
  ),
});
const regionPage = z.object({
  data: z.array(z.object({ id: z.string(), networkSuspectSince: z.string().nullable() })),
});

let service: TestService;
let api: ApiClient;
let hook: HttpSink;
let target: LoopbackServer;
let canary: LoopbackServer;
let isBroken = false;
const hits: string[] = [];

beforeAll(async () => {
  hook = await startHttpSink();
  target = await startLoopbackServer((request, response) => {
    hits.push(request.url ?? '');
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  canary = await startLoopbackServer((_request, response) => response.end());
  service = await startService({
    regions: ['eu-west'],
    environment: { KEEPWATCH_CANARY_HOSTS: `127.0.0.1:${canary.port}` },
  });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  await api.call({ method: 'POST', path: '/v1/alert-channels', body }, { status: 201, shape: ANY });
});
afterAll(async () => {
  await service?.stop();
  await hook?.close();
  await Promise.all([target?.close(), canary?.close()]);
});

async function newMonitor(name: string, interval = 3_600): Promise<string> {
  const url = `${target.url}/${name}`;
  const id = await api.createMonitor({ name, url, interval, retries: 0 });
  await waitUntil('the first result', async () => (await resultsOf(id)).length > 0);
  return id;
}

const post = (path: string, body: object | undefined, status: number) =>
  api.call(
    { method: 'POST', path, ...(body === undefined ? {} : { body }) },
    { status, shape: ANY },
  );

async function startMaintenance(id: string, mode: string): Promise<string> {
  const window = { minutes: 30, target: { ids: [id] }, mode };
  return String((await post('/v1/maintenance-windows/now', window, 201))['id']);
}

const endMaintenance = (windowId: string) =>
  post(`/v1/maintenance-windows/${windowId}/end`, undefined, 200);

async function checkNow(id: string): Promise<void> {
  const before = (await resultsOf(id)).length;
  await post(`/v1/monitors/${id}/run`, undefined, 202);
  await waitUntil('its result', async () => (await resultsOf(id)).length > before);
}

async function resultsOf(id: string) {
  const path = `/v1/monitors/${id}/results`;
  return (await api.call({ method: 'GET', path }, { status: 200, shape: resultPage })).data;
}

const monitorOf = (id: string) =>
  api.call({ method: 'GET', path: `/v1/monitors/${id}` }, { status: 200, shape: monitorShape });

const eventsAbout = (name: string) =>
  hook.events
    .filter(({ body }) => body.includes(name))
    .map(({ body }) => /"type":"alert\.(\w+)"/.exec(body)?.[1]);

test('what breaks in maintenance is measured, and told only when it is still down after it', async () => {
  const id = await newMonitor('muted');
  const windowId = await startMaintenance(id, 'mute');
  expect((await monitorOf(id)).status).toBe('maintenance');
  isBroken = true;
  await checkNow(id);
  const [newest] = await resultsOf(id);
  expect(newest).toMatchObject({ status: 'down', inMaintenance: true });
  expect((await monitorOf(id)).currentIncidentId).not.toBeNull();
  await endMaintenance(windowId);
  expect((await monitorOf(id)).status).toBe('down');
  expect(eventsAbout('muted')).toEqual([]);
  await checkNow(id);
  await waitUntil('the failure', () => eventsAbout('muted').length === 1);
  expect(eventsAbout('muted')).toEqual(['failure']);
  isBroken = false;
});

test('a pause by maintenance outlives the orchestrator, and ends when it is ended', async () => {
  const id = await newMonitor('resting', 10);
  const hitsOf = () => hits.filter((url) => url === '/resting').length;
  const windowId = await startMaintenance(id, 'pause');
  await service.kill('orchestrator');
  const before = hitsOf();
  await service.start('orchestrator');
  const other = await newMonitor('awake', 10);
  // Its first check is on saving, and the second one an interval later: a slot of both.
  await waitUntil('others are checked', async () => (await resultsOf(other)).length >= 2);
  expect(hitsOf()).toBe(before);
  await endMaintenance(windowId);
  await waitUntil('it is checked again', () => hitsOf() > before);
  const results = await resultsOf(id);
  expect(results.filter(({ status }) => status !== 'up')).toEqual([]);
}, 120_000);

test('a network of ours that is broken makes outcomes unknown, and nobody is told', async () => {
  const id = await newMonitor('innocent');
  const ports = [target.port, canary.port];
  await Promise.all([target.close(), canary.close()]);
  await waitUntil('nobody listens', () => Promise.all(ports.map(isRefused)).then(areAll));
  await checkNow(id);
  expect((await resultsOf(id))[0]).toMatchObject({ status: 'unknown' });
  expect((await monitorOf(id)).currentIncidentId).toBeNull();
  await waitUntil('the region says so', async () => {
    const { data } = await api.call(
      { method: 'GET', path: '/v1/regions' },
      { status: 200, shape: regionPage },
    );
    return data.some(({ networkSuspectSince }) => networkSuspectSince !== null);
  });
  expect(eventsAbout('innocent')).toEqual([]);
}, 180_000);

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}

function areAll(answers: readonly boolean[]): boolean {
  return answers.every(Boolean);
}
