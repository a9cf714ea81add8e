/**
 * Kills all processes one second before hours begin. A check that is still down gets one alert, with its true start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { startService, type TestService } from '../support/service';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const MINUTE = 60_000;
const ANY = z.looseObject({});
const monitorShape = z.object({ currentIncidentId: z.string().nullable() });
const incidentShape = z.object({ openedAt: z.string() });
const eventShape = z.object({
  type: z.string(),
  openedAt: z.string(),
  resource: z.object({ name: z.string() }),
});

let service: TestService;
let target: SwitchableTarget;
let hook: HttpSink;
let api: ApiClient;

beforeAll(async () => {
  [target, hook] = await Promise.all([startSwitchableTarget(), startHttpSink()]);
  service = await startService({ regions: ['eu-west'] });
  const { apiKey } = await service.setup();
  api = createApiClient(service.url, apiKey);
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  await api.call({ method: 'POST', path: '/v1/alert-channels', body }, { status: 201, shape: ANY });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([target?.close(), hook?.close()]);
});

const clockText = (atMs: number): string => new Date(atMs).toISOString().slice(11, 16);

/**
 * Creates hours that begin at a whole minute, two to three minutes from now. Returns the instant at which they begin.
 */
async function makeHours(): Promise<number> {
  const opensAtMs = Math.ceil(Date.now() / MINUTE + 2) * MINUTE;
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const weekly = [{ days, from: clockText(opensAtMs), to: clockText(opensAtMs + 60 * MINUTE) }];
  const body = { key: 'desk', name: 'Desk', timeZone: 'UTC', weekly };
  await api.call({ method: 'POST', path: '/v1/hours', body }, { status: 201, shape: ANY });
  return opensAtMs;
}

const failures = () =>
  hook.events
    .map(({ body }) => eventShape.parse(JSON.parse(body)))
    .filter(({ type }) => type === 'alert.failure');

test('if all processes are killed just before hours begin, exactly one alert is sent', async () => {
  const opensAtMs = await makeHours();
  target.failing.add('/night');
  const id = await api.createMonitor({
    name: 'night',
    url: `${target.url}/night`,
    interval: 10,
    retries: 0,
    hours: 'desk',
    outside: 'quiet',
  });
  const incidentId = await waitUntil('the incident', async () => {
    const monitor = { method: 'GET', path: `/v1/monitors/${id}` };
    return (
      (await api.call(monitor, { status: 200, shape: monitorShape })).currentIncidentId ?? false
    );
  });
  const incident = { method: 'GET', path: `/v1/incidents/${incidentId}` };
  const { openedAt } = await api.call(incident, { status: 200, shape: incidentShape });
  expect(failures()).toEqual([]);
  await sleep(opensAtMs - 1_000 - Date.now());
  const names = [...service.processes.keys()];
  await Promise.all(names.map((name) => service.kill(name, 'SIGKILL')));
  for (const name of names) await service.start(name);
  await waitUntil('the alert', () => failures().length > 0);
  const slots = (await api.resultsOf(id)).length;
  await waitUntil('three further slots', async () => (await api.resultsOf(id)).length >= slots + 3);
  expect(failures()).toMatchObject([{ openedAt, resource: { name: 'night' } }]);
});
