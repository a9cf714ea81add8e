/** Tests maintenance of a monitor on a whole service. */
import { z } from 'zod';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import type { ApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { openSharedService, type SharedService } from '../support/shared-service';
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

let service: SharedService;
let api: ApiClient;
let hook: HttpSink;
let target: LoopbackServer;
let isBroken = false;

beforeAll(async () => {
  hook = await startHttpSink();
  target = await startLoopbackServer((_request, response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  service = await openSharedService();
  ({ api } = await service.newAccount());
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  await api.call({ method: 'POST', path: '/v1/alert-channels', body }, { status: 201, shape: ANY });
});
afterAll(async () => {
  await service?.close();
  await Promise.all([hook?.close(), target?.close()]);
});

async function newMonitor(name: string): Promise<string> {
  const url = `${target.url}/${name}`;
  const id = await api.createMonitor({
    name,
    url,
    interval: 3_600,
    retries: 0,
    regions: ['eu-west'],
  });
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

test('people are notified of a failure that begins during maintenance only if it lasts longer than the maintenance', async () => {
  const id = await newMonitor('muted');
  const windowId = await startMaintenance(id, 'mute');
  expect((await monitorOf(id)).status).toBe('maintenance');
  isBroken = true;
  await checkNow(id);
  const [newest] = await resultsOf(id);
  expect(newest).toMatchObject({ status: 'down', inMaintenance: true });
  // Waits for the status of the monitor, because the status is stored after the result.
  await waitUntil('the incident', async () => (await monitorOf(id)).currentIncidentId !== null);
  await endMaintenance(windowId);
  expect((await monitorOf(id)).status).toBe('down');
  expect(eventsAbout('muted')).toEqual([]);
  await checkNow(id);
  await waitUntil('the failure', () => eventsAbout('muted').length === 1);
  expect(eventsAbout('muted')).toEqual(['failure']);
  isBroken = false;
});
