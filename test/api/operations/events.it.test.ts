/** Tests live changes over HTTP. Two applications on one database represent two API processes. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Express } from 'express';
import request from 'supertest';
import { createApp } from '../../../src/api/create-app';
import { createLogger } from '../../../src/platform/logger';
import { createChangeFeed } from '../../../src/services/live/change-feed';
import { monitorRecord, passingOutcome, runRecord } from '../../models/example-records';
import { manyTimes } from '../../support/many-times';
import { waitUntil } from '../../support/wait-until';
import { arranged } from '../arranged';
import { personOf } from '../people';
import { openTestService, PUBLIC_URL, SECRET_KEY, type TestService } from '../test-service';

let service: TestService;
const servers: Server[] = [];
const origins: string[] = [];
/** The waits between polls that the second application has requested so far, in milliseconds. */
const waitedMs: number[] = [];

beforeAll(async () => {
  service = await openTestService();
  const other = createServer(otherProcess()).listen(0, '127.0.0.1');
  servers.push(other);
  await once(other, 'listening');
  origins.push(originOf(service.app), originOf(other));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await service.close();
});

/** A second application that shares only the database with the first. */
function otherProcess(): Express {
  const changeFeed = createChangeFeed({
    changes: service.services.stores.changes,
    clock: service.services.clock,
    sleep: (ms) => {
      waitedMs.push(ms);
      return setTimeout(ms, undefined, { ref: false });
    },
    onTrouble: () => undefined,
  });
  const options = {
    logger: createLogger('test', 'silent'),
    newRequestId: () => service.services.newId('request'),
    readReadiness: async () => ({ isReady: true, dependencies: {} }),
    publicUrl: PUBLIC_URL,
    secretKeys: [SECRET_KEY],
    metricsToken: null,
    trustedProxies: 0,
  };
  return createApp(options, { ...service.services, changeFeed });
}

function originOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${isAddress(address) ? address.port : 0}`;
}

function isAddress(address: ReturnType<Server['address']>): address is AddressInfo {
  return address !== null && typeof address === 'object';
}

/** Opens a stream of events and collects their data. */
async function follow(origin: string, headers: Readonly<Record<string, string>>) {
  const abort = new AbortController();
  const answer = await fetch(`${origin}/v1/events`, { headers, signal: abort.signal });
  const told: unknown[] = [];
  const read = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      const lines = (rest + decoder.decode(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith('data:{')) told.push(JSON.parse(line.slice('data:'.length)));
    }
  };
  const over = read().catch(() => undefined);
  return { answer, told, over, stop: () => abort.abort() };
}

function bearer(key: string) {
  return { Authorization: `Bearer ${key}` };
}

async function createMonitor(key: string): Promise<string> {
  const body = { name: 'One', url: 'http://shop.example.com' };
  return (await arranged(request(service.app).post('/v1/monitors').set(bearer(key)).send(body))).id;
}

it('a recorded slot is sent as an event by every API process, only to its account', async () => {
  const account = await service.newAccount();
  const other = await service.newAccount();
  const monitorId = await createMonitor(account.key);
  const streams = await Promise.all([
    follow(origins[0] ?? '', bearer(account.key)),
    follow(origins[1] ?? '', bearer(account.key)),
    follow(origins[0] ?? '', bearer(other.key)),
  ]);
  const [first, second, foreign] = streams;
  for (const { told } of [first, second])
    await waitUntil('the stream has come so far', () => told.length === 1);
  expect(first?.told).toEqual([{ kind: 'definition', id: monitorId }]);

  const slotMs = service.clock.nowMs;
  await service.recorder.recordMonitorCheck(
    monitorRecord({ accountId: account.id, monitorId, slotMs }),
  );
  for (const { told } of [first, second])
    await waitUntil('the stream has come so far', () => told.length === 2);
  expect(Math.max(...waitedMs)).toBeLessThanOrEqual(1_000);
  const at = new Date(slotMs).toISOString();
  expect(second?.told[1]).toEqual({
    kind: 'monitor',
    id: monitorId,
    health: 'up',
    healthSince: at,
    inMaintenance: false,
    lastCheckedAt: passingOutcome().finishedAt,
    nextCheckAt: new Date(slotMs + 60_000).toISOString(),
    lastResponseTimeMs: 122.6,
  });
  expect(foreign?.told).toEqual([]);
  for (const stream of streams) stream.stop();
});

it('runs, incidents, edits and deletions are sent as events', async () => {
  const account = await service.newAccount();
  const as = request.agent(service.app).set(bearer(account.key));
  const steps = [{ name: 'a', url: 'http://shop.example.com' }];
  const scenario = await as.post('/v1/scenarios').send({ name: 'Way', steps });
  const scenarioId: string = scenario.body.id;
  const monitorId = await createMonitor(account.key);
  const { told, stop } = await follow(origins[1] ?? '', bearer(account.key));
  await waitUntil('the stream has come so far', () => told.length === 2);
  told.length = 0;

  const run = runRecord({ accountId: account.id, scenarioId });
  await service.recorder.saveRun(run);
  await waitUntil('the stream has come so far', () => told.length === 1);
  expect(told).toEqual([{ kind: 'run', id: run.runId, scenarioId }]);
  await service.recorder.saveRun({ ...run, sequence: 1, status: 'running' });
  await waitUntil('the stream has come so far', () => told.length === 2);

  const incidentId = service.services.newId('incident');
  await service.recorder.recordMonitorCheck(
    monitorRecord({ accountId: account.id, monitorId, incident: incidentOf(incidentId) }),
  );
  await waitUntil('the stream has come so far', () => told.length === 4);
  expect(told).toContainEqual({ kind: 'incident', id: incidentId });
  service.clock.nowMs += 5;
  await as.post(`/v1/incidents/${incidentId}/acknowledge`);
  await waitUntil('the stream has come so far', () => told.length === 5);

  await as.patch(`/v1/monitors/${monitorId}`).send({ name: 'Two' });
  await waitUntil('the stream has come so far', () => told.length === 6);
  await as.delete(`/v1/scenarios/${scenarioId}`);
  await waitUntil('the stream has come so far', () => told.length === 7);
  expect(told.slice(5)).toEqual([
    { kind: 'definition', id: monitorId },
    { kind: 'definition', id: scenarioId },
  ]);
  stop();
});

it('an event is sent when a post of a status page is written, changed or deleted', async () => {
  const account = await service.newAccount();
  const as = request.agent(service.app).set(bearer(account.key));
  const page = await as
    .post('/v1/status-pages')
    .send({ slug: `p-${account.id.slice(-12)}`, title: 'Shop' });
  const pageId: string = page.body.id;
  const { told, stop } = await follow(origins[1] ?? '', bearer(account.key));
  const post = await as
    .post('/v1/status-page-posts')
    .send({ pageId, title: 'Cards fail', text: 'Looking.' });
  const { id } = post.body;
  await waitUntil('the event of the draft', () => told.length === 1);
  await as.post(`/v1/status-page-posts/${id}/publish`);
  await waitUntil('the event of the publication', () => told.length === 2);
  await as.delete(`/v1/status-page-posts/${id}`);
  await waitUntil('the event of the deletion', () => told.length === 3);
  expect(told).toEqual([1, 2, 3].map(() => ({ kind: 'post', id, pageId })));
  expect((await as.get('/v1/status-page-posts')).body.data).toEqual([]);
  stop();
});

function incidentOf(id: string) {
  const openedAtMs = service.clock.nowMs;
  return { id, openedAtMs, closedAtMs: null, cause: null, regions: [], firstRunId: null };
}

it('viewers with a session and API keys can read the event stream', async () => {
  const account = await service.newAccount();
  const { cookie } = await personOf(service, account.id, 'viewer');
  const { answer, stop } = await follow(origins[0] ?? '', { Cookie: cookie });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  stop();
  const head = await request(service.app).head('/v1/events').set(bearer(account.key));
  expect(head.status).toBe(200);
});

it('the 21st event stream of a key and the 51st event stream of an account are refused with 429', async () => {
  const account = await service.newAccount();
  const follow20 = (key: string) => manyTimes(20, () => follow(origins[0] ?? '', bearer(key)));
  const streams = await follow20(account.key);
  expect((await follow(origins[0] ?? '', bearer(account.key))).answer.status).toBe(429);
  const all = [
    ...streams,
    ...(await follow20(await account.newKey())),
    ...(await follow20(await account.newKey())),
  ];
  const statuses = all.map(({ answer }) => answer.status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  for (const { stop } of all) stop();
});

it('every event stream ends at once when the service stops', async () => {
  const account = await service.newAccount();
  const { over } = await follow(origins[0] ?? '', bearer(account.key));
  service.services.changeFeed.close();
  await over;
  const late = await request(service.app).get('/v1/events').set(bearer(account.key));
  expect(late.body).toMatchObject({ status: 503 });
});
