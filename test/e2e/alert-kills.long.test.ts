/**
 * Repeatedly kills the process that sends alerts, at random points around the sending of an alert. No failure and no
 * recovery is lost, and no step of an escalation is skipped. A message that arrives twice has the same event id.
 * KEEPWATCH_TEST_KILLS sets the number of kills. KEEPWATCH_TEST_SEED repeats the points of a failed run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { createRandom } from '../support/random';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { startService, type TestService } from '../support/service';
import { testSeed } from '../support/test-seed';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const KILLS = testSize('kills', { ci: 4, long: 60 });
const SEED = testSeed();
const MONITORS = 4;
/** Milliseconds until the receiver responds. It is slow, so that some kills happen during a send. */
const RECEIVER_MS = 120;
/**
 * Upper bound of the delay before a kill, in milliseconds. The period covers the time from the request for a check to
 * the response of the receiver, with some margin on both sides.
 */
const POINT_MAX_MS = 700;

const ANY = z.looseObject({});
const incidentPage = z.object({
  data: z.array(z.object({ id: z.string(), resourceName: z.string() })),
  nextCursor: z.string().nullable(),
});
const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  incidentId: z.string().nullable(),
  entries: z.array(z.object({ kind: z.string(), incidentId: z.string().nullable() })),
});
type Event = z.output<typeof eventShape> & { readonly path: string };

/** The name of a monitor that is always down. Its policy has two steps a minute apart. */
const ESCALATED = 'escalated';
const STEPS = ['/step-1', '/step-2'];

let service: TestService;
let api: ApiClient;
let target: LoopbackServer;
let receiver: RecordingTarget;
let isBroken = false;
let isEscalatedDown = true;
/** Events that arrived at the receiver, even if the sender died before it got the response. */
const taken: Event[] = [];
/**
 * The monitors that fail and recover now. New monitors replace them later, because a third change of a monitor would be
 * flapping, with other notifications.
 */
let ids: readonly string[] = [];
let generation = 0;

beforeAll(async () => {
  target = await startLoopbackServer(({ url }, response) => {
    const isDown = url === `/${ESCALATED}` ? isEscalatedDown : isBroken;
    response.statusCode = isDown ? 500 : 200;
    response.end('ok');
  });
  receiver = await startRecordingTarget(({ url, body }, response) => {
    setTimeout(() => {
      taken.push({ ...eventShape.parse(JSON.parse(body)), path: url });
      response.end();
    }, RECEIVER_MS);
  });
  service = await startService({ regions: ['eu-west'] });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  const url = receiver.origin;
  const post = (path: string, body: object) =>
    api.call({ method: 'POST', path, body }, { status: 201, shape: ANY });
  await post('/v1/alert-channels', { name: 'hook', type: 'webhook', url });
  for (const path of STEPS) {
    const channel = { name: path, key: path.slice(1), type: 'webhook', url: `${url}${path}` };
    await post('/v1/alert-channels', channel);
  }
  const steps = STEPS.map((path, index) => ({ afterMinutes: index, notify: [path.slice(1)] }));
  await post('/v1/alert-policies', { key: 'on-call', name: 'On call', steps });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([target?.close(), receiver?.close()]);
});

async function renewMonitors(): Promise<void> {
  generation += 1;
  ids = await Promise.all(
    Array.from({ length: MONITORS }, (_, index) =>
      api.createMonitor({
        name: `killed-${generation}-${index}`,
        url: `${target.url}/${generation}/${index}`,
        interval: 604_800,
        retries: 0,
        alerts: { channels: ['webhook'] },
      }),
    ),
  );
  for (const id of ids)
    await waitUntil('a first result', async () => (await api.resultsOf(id)).length > 0);
}

async function checkAll(): Promise<void> {
  for (const id of ids)
    await api.call({ method: 'POST', path: `/v1/monitors/${id}/run` }, { status: 202, shape: ANY });
}

async function incidents(state: 'open' | 'resolved'): Promise<readonly string[]> {
  const path = `/v1/incidents?state=${state}&limit=500`;
  const { data } = await api.call({ method: 'GET', path }, { status: 200, shape: incidentPage });
  return data.flatMap(({ id, resourceName }) => (resourceName === ESCALATED ? [] : [id]));
}

/** Returns the number of different events of a kind that each step of the escalation sent. */
const sentBySteps = (kind: string): readonly number[] =>
  STEPS.map((path) => {
    const isOf = ({ type, entries }: Event): boolean =>
      type === `alert.${kind}` || entries.some((entry) => entry.kind === kind);
    const own = taken.filter((event) => event.path === path && isOf(event));
    return new Set(own.map(({ id }) => id)).size;
  });

async function escalate(): Promise<string> {
  const url = `${target.url}/${ESCALATED}`;
  const alerts = { channels: [], policy: 'on-call' };
  const body = { name: ESCALATED, url, interval: 604_800, retries: 0, alerts };
  const id = await api.createMonitor(body);
  await waitUntil('its failure', async () => (await api.resultsOf(id)).length > 0);
  return id;
}

/** Returns the ids of the events about this incident. A digest counts for each incident that it contains. */
function toldOf(incidentId: string, kind: string): ReadonlySet<string> {
  const events = taken.filter(
    (event) =>
      (event.type === `alert.${kind}` && event.incidentId === incidentId) ||
      event.entries.some((entry) => entry.kind === kind && entry.incidentId === incidentId),
  );
  return new Set(events.map(({ id }) => id));
}

test(`${KILLS} kills of the sender lose no alert, and each alert keeps the same id (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const escalated = await escalate();
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
    );
  }
  if (isBroken) {
    isBroken = false;
    await checkAll();
    await waitUntil('the end', async () => (await incidents('open')).length === 0);
  }
  const all = await incidents('resolved');
  expect(all).toHaveLength(MONITORS * Math.ceil(KILLS / 2));
  const untold = (): readonly string[] =>
    all.flatMap((id) =>
      ['failure', 'recovery']
        .filter((kind) => toldOf(id, kind).size === 0)
        .map((kind) => id + kind),
    );
  await waitUntil(`every alert is sent (seed ${SEED})`, async () => untold().length === 0);
  const repeated = all.flatMap((id) =>
    ['failure', 'recovery'].filter((kind) => toldOf(id, kind).size > 1).map((kind) => id + kind),
  );
  expect(repeated).toEqual([]);
  await waitUntil('the last step', () => sentBySteps('failure')[1] === 1);
  isEscalatedDown = false;
  const path = `/v1/monitors/${escalated}/run`;
  await api.call({ method: 'POST', path }, { status: 202, shape: ANY });
  const isOver = (): boolean => sentBySteps('recovery').every((count) => count > 0);
  await waitUntil('the end of the escalation', isOver);
  expect([sentBySteps('failure'), sentBySteps('recovery')]).toEqual([
    [1, 1],
    [1, 1],
  ]);
}, 3_600_000);
