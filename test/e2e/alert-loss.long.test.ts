/**
 * Tests the loss of all of Temporal's data while alerts wait for their receiver, as after a restore onto an empty host.
 * Each pending alert is still sent, once, and not all at the same moment.
 */
import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { HOUSEKEEPING_WORKFLOW_ID, PASS_NOW_SIGNAL } from '../../src/contracts/housekeeping';
import type { PostedEvent } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { readWebhookReports } from '../support/reported-changes';
import { startService, type TestService } from '../support/service';
import { waitUntil } from '../support/wait-until';

/** Number of failures. It is above the limit for individual alerts. */
const FAILING = 13;
/** Upper bound of alerts of one kind that are sent individually within a minute. */
const SINGLE_MAX = 10;
const environment = { KEEPWATCH_SECRET_KEY: randomBytes(32).toString('hex') };

const ANY = z.looseObject({});
const alertPage = z.object({
  data: z.array(z.object({ id: z.string(), kind: z.string(), status: z.string() })),
});

let service: TestService;
let api: ApiClient;
let target: LoopbackServer;
let receiver: RecordingTarget;
let isBroken = false;
/** While true, the receiver refuses alerts. It stays busy until the service has restarted on an empty Temporal. */
let isBusy = true;
const tried: string[] = [];
const events: PostedEvent[] = [];

beforeAll(async () => {
  target = await startLoopbackServer((_request, response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  receiver = await startRecordingTarget(({ url, headers, body }, response) => {
    tried.push(String(headers['keepwatch-event-id']));
    if (!isBusy) events.push({ path: url, headers, body, atMs: Date.now() });
    response.writeHead(isBusy ? 503 : 200).end();
  });
  service = await startService({ regions: ['eu-west'], environment });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([target?.close(), receiver?.close()]);
});

const checkNow = (id: string) =>
  api.call({ method: 'POST', path: `/v1/monitors/${id}/run` }, { status: 202, shape: ANY });

async function newMonitor(name: string, more: object = {}): Promise<string> {
  const url = `${target.url}/${name}`;
  const id = await api.createMonitor({ name, url, interval: 86_400, retries: 0, ...more });
  await waitUntil('a first result', async () => (await api.resultsOf(id)).length > 0);
  return id;
}

async function alerts() {
  const request = { method: 'GET', path: '/v1/alerts?limit=500' };
  return (await api.call(request, { status: 200, shape: alertPage })).data;
}

async function passNow(): Promise<void> {
  const connection = await Connection.connect({ address: service.temporalAddress });
  try {
    const client = new Client({ connection, namespace: service.suite });
    await waitUntil('the housekeeping', async () => {
      await client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID).signal(PASS_NOW_SIGNAL);
      return true;
    });
  } finally {
    await connection.close();
  }
}

/** Restarts the service on the same database with an empty Temporal. */
async function loseTemporal(apiKey: string): Promise<void> {
  await service.stop();
  service = await startService({ regions: ['eu-west'], environment, database: service.suite });
  api = createApiClient(service.url, apiKey);
}

const told = (kind: string) => readWebhookReports({ events }).filter((news) => news.kind === kind);
const namesOf = (news: ReturnType<typeof told>) => news.map(({ name }) => name).toSorted();

test('after Temporal has lost its data, pending alerts and their recoveries are sent exactly once', async () => {
  const { apiKey } = await service.setup();
  const { suite } = service;
  api = createApiClient(service.url, apiKey);
  const channel = { name: 'hook', type: 'webhook', url: receiver.origin };
  await api.call(
    { method: 'POST', path: '/v1/alert-channels', body: channel },
    { status: 201, shape: ANY },
  );
  const names = Array.from({ length: FAILING }, (_, index) => `lost-${index}`);
  const ids = await Promise.all(names.map((name) => newMonitor(name)));
  const assertion = { type: 'status', operator: 'equals', value: 200, severity: 'degraded' };
  const slow = { assertions: [assertion], alerts: { onDegraded: true } };
  ids.push(await newMonitor('lost-slow', slow));
  isBroken = true;
  await Promise.all(ids.map(checkNow));
  const owedIds = await waitUntil('all alerts are pending, and no digest is sent yet', async () => {
    const owed = await alerts();
    return owed.length === ids.length && owed.map(({ id }) => id);
  });
  expect(new Set((await alerts()).map(({ status }) => status))).toEqual(new Set(['pending']));
  await waitUntil('the first tries', () => new Set(tried).size === SINGLE_MAX + 1);

  await loseTemporal(apiKey);
  expect(service.suite).not.toBe(suite);
  isBusy = false;
  await waitUntil('everyone is notified', async () => {
    // Requests a pass each time, because a pass ignores alerts that have just begun.
    await passNow();
    return told('failure').length >= FAILING && told('degraded').length > 0;
  });
  await waitUntil('nothing is pending', async () =>
    (await alerts()).every(({ status }) => status !== 'pending'),
  );
  expect(namesOf(told('failure'))).toEqual(names.toSorted());
  expect(told('degraded')).toMatchObject([{ name: 'lost-slow', isFolded: false }]);
  for (const { id, isFolded } of readWebhookReports({ events }))
    if (!isFolded) expect(owedIds).toContain(id);
  expect(new Set(told('failure').map(({ id }) => id)).size).toBeLessThanOrEqual(SINGLE_MAX + 1);

  isBroken = false;
  await checkNow(ids[0] ?? '');
  await waitUntil('the first recovery', () => told('recovery').length > 0);
  expect(namesOf(told('recovery'))).toEqual(['lost-0']);
  expect(namesOf(told('failure'))).toEqual(names.toSorted());
});
