/**
 * The process that sends is killed at random points around the send, again and again. No failure and
 * no recovery is lost, and of an escalation no step is skipped; what arrives twice has the same event id.
 * KEEPWATCH_TEST_KILLS sets how often,
 * KEEPWATCH_TEST_SEED repeats a failed choice of points.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type ApiClient, createApiClient } from '../support/api-client';
import { createRandom } from '../support/random';
import { startService, type TestService } from '../support/service';
import { waitUntil } from '../support/wait-until';

const KILLS = Number(process.env['KEEPWATCH_TEST_KILLS'] ?? 4);
const SEED = Number(process.env['KEEPWATCH_TEST_SEED'] ?? Date.now() % 1_000_000);
const MONITORS = 4;
/** The receiver takes its time, so that kills fall into the send. */
const RECEIVER_MS = 120;
/** From the request for a check to the receiver's yes, with room on both sides. */
const POINT_MAX_MS = 700;

const ANY = z.looseObject({});
const incidentPage = z.object({
  data: z.array(z.object({ id: z.string(), state: z.string() })),
  nextCursor: z.string().nullable(),
});
const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  incidentId: z.string().nullable(),
  entries: z.array(z.object({ kind: z.string(), incidentId: z.string().nullable() })),
});
type Event = z.output<typeof eventShape>;

let service: TestService;
let api: ApiClient;
let target: Server;
let receiver: Server;
let isBroken = false;
/** What the receiver said yes to, and what it had begun to read. */
const taken: Event[] = [];
/** Those that fail and recover now. A third change of one would be flapping, and told otherwise. */
let ids: readonly string[] = [];
let generation = 0;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

beforeAll(async () => {
  target = createServer((_request, response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      setTimeout(() => {
        taken.push(eventShape.parse(JSON.parse(body)));
        response.end();
      }, RECEIVER_MS);
    });
  });
  await Promise.all([listen(target), listen(receiver)]);
  service = await startService({ regions: ['eu-west'] });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  const url = `http://127.0.0.1:${portOf(receiver)}`;
  await api.call(
    { method: 'POST', path: '/v1/alert-channels', body: { name: 'hook', type: 'webhook', url } },
    { status: 201, shape: ANY },
  );
});
afterAll(async () => {
  await service?.stop();
  for (const server of [target, receiver]) {
    server?.closeAllConnections();
    server?.close();
  }
});

async function renewMonitors(): Promise<void> {
  generation += 1;
  ids = await Promise.all(
    Array.from({ length: MONITORS }, (_, index) =>
      api.createMonitor({
        name: `killed-${generation}-${index}`,
        url: `http://127.0.0.1:${portOf(target)}/${generation}/${index}`,
        interval: 604_800,
        retries: 0,
        alerts: { channels: ['webhook'] },
      }),
    ),
  );
  for (const id of ids)
    await waitUntil('a first result', async () => (await api.resultsOf(id)).length > 0, 20_000);
}

async function checkAll(): Promise<void> {
  for (const id of ids)
    await api.call({ method: 'POST', path: `/v1/monitors/${id}/run` }, { status: 202, shape: ANY });
}

async function incidents(state: 'open' | 'resolved'): Promise<readonly string[]> {
  const path = `/v1/incidents?state=${state}&limit=500`;
  const { data } = await api.call({ method: 'GET', path }, { status: 200, shape: incidentPage });
  return data.map(({ id }) => id);
}

/** Ids of the events that told of this; a digest tells of all that it holds. */
function toldOf(incidentId: string, kind: string): ReadonlySet<string> {
  const events = taken.filter(
    (event) =>
      (event.type === `alert.${kind}` && event.incidentId === incidentId) ||
      event.entries.some((entry) => entry.kind === kind && entry.incidentId === incidentId),
  );
  return new Set(events.map(({ id }) => id));
}

test(`${KILLS} kills of the sender, seed ${SEED}: every failure and recovery is told, under one id`, async () => {
  const random = createRandom(SEED);
  for (let kill = 0; kill < KILLS; kill += 1) {
    if (!isBroken) await renewMonitors();
    isBroken = !isBroken;
    await checkAll();
    await sleep(random() * POINT_MAX_MS);
    await service.kill('orchestrator');
    await service.start('orchestrator');
    const wanted = isBroken ? MONITORS : 0;
    await waitUntil(
      `the state after kill ${kill + 1} (seed ${SEED})`,
      async () => (await incidents('open')).length === wanted,
      60_000,
    );
  }
  if (isBroken) {
    isBroken = false;
    await checkAll();
    await waitUntil('the end', async () => (await incidents('open')).length === 0, 60_000);
  }
  const all = await incidents('resolved');
  expect(all).toHaveLength(MONITORS * Math.ceil(KILLS / 2));
  const untold = (): readonly string[] =>
    all.flatMap((id) =>
      ['failure', 'recovery']
        .filter((kind) => toldOf(id, kind).size === 0)
        .map((kind) => id + kind),
    );
  await waitUntil(`everything told (seed ${SEED})`, async () => untold().length === 0, 150_000);
  const repeated = all.flatMap((id) =>
    ['failure', 'recovery'].filter((kind) => toldOf(id, kind).size > 1).map((kind) => id + kind),
  );
  expect(repeated).toEqual([]);
}, 3_600_000);
