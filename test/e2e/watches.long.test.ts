/**
 * Tests watches on the whole service while the processes and servers that they depend on are killed and frozen. Checks
 * continue, no slot is lost, and a watch moves only if its own probe is lost. watch-changes.long.test.ts tests changes
 * by people, failures and lost regions.
 */
import { z } from 'zod';
import { readActivityRegion } from '../../src/contracts/probe-activity-ids';
import type { Result } from '../support/api-client';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';
import {
  INTERVAL_MS,
  type PendingWatch,
  startWatchService,
  type WatchService,
} from '../support/watch-service';

const BOTH = ['eu-west', 'us-east'];
const KILLED = ['/a', '/b', '/c', '/d'];
/** Seconds for which Temporal hangs before it is killed and restarts. `KEEPWATCH_TEST_AWAY=1200` sets 20 minutes. */
const AWAY_SECONDS = testSize('away', { ci: 10, long: 60 });
/** Seconds without a heartbeat after which Temporal may give a watch to another probe. */
const HEARTBEAT_TIMEOUT_SECONDS = 900;
const healthShape = z.object({ health: z.string() });

let watched: WatchService;

beforeAll(async () => {
  const both = KILLED.map((path) => [path, BOTH]);
  watched = await startWatchService({
    ...Object.fromEntries(both),
    '/frozen': ['eu-west'],
    '/changed': ['eu-west'],
  });
});
afterAll(() => watched?.stop());

/** Resolves after two more checks from each region of each monitor. */
async function untilChecksGoOn(what: string): Promise<void> {
  const { target } = watched;
  const before = new Map(KILLED.map((path) => [path, target.countOf(path)]));
  await waitUntil(`checks while ${what}`, () =>
    KILLED.every((path) => target.countOf(path) >= (before.get(path) ?? 0) + 2 * BOTH.length),
  );
}

/** Kills the API in the middle of a delivery. At this point, it has received results but confirmed none. */
async function killApiInDelivery(): Promise<void> {
  const { service, target } = watched;
  service.processes.get('api')?.kill('SIGSTOP');
  const before = target.countOf('/a');
  await waitUntil('the next slot', () => target.countOf('/a') >= before + BOTH.length);
  await service.kill('api');
  await untilChecksGoOn('the API is away');
  await service.start('api');
}

/** Returns the activity id and the attempt of the watch in each region. */
function attemptsOf(watches: readonly PendingWatch[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    watches.map(({ activityId, attempt }) => [
      readActivityRegion(activityId),
      `${activityId} ${attempt}`,
    ]),
  );
}

async function readAttempts(): Promise<Readonly<Record<string, unknown>>> {
  const all = await watched.untilAllWatched(KILLED);
  return Object.fromEntries(KILLED.map((path) => [path, attemptsOf(all[path] ?? [])]));
}

test('steady checks continue in the same watches while any other process or server is away', async () => {
  const { service, servers } = watched;
  const before = await readAttempts();
  await service.kill('orchestrator');
  await untilChecksGoOn('no orchestrator works');
  await service.start('orchestrator');
  await watched.untilLaterSlot('/a');
  await killApiInDelivery();
  await watched.untilLaterSlot('/a');
  for (const name of ['database', 'temporal'] as const) {
    servers[name].freeze();
    await untilChecksGoOn(`the server ${name} hangs`);
    servers[name].thaw();
    await watched.untilLaterSlot('/a');
    servers[name].kill();
    await watched.untilLaterSlot('/a');
  }
  expect(await readAttempts()).toEqual(before);
  expect(await watched.findLaterFaults(KILLED)).toEqual({});
});

test('another probe takes over the watches of a killed probe', async () => {
  const { service } = watched;
  const before = await watched.untilAllWatched(KILLED);
  await service.kill('probe-eu-west');
  await service.start('probe-eu-west');
  await waitUntil('the same watches at another probe', async () => {
    const now = await watched.readWatches('/a');
    return now.every(({ activityId, identity, attempt }) => {
      const old = before['/a']?.find((one) => one.activityId === activityId);
      const isMoved = old !== undefined && attempt > old.attempt && identity !== old.identity;
      return old !== undefined && isMoved === (readActivityRegion(activityId) === 'eu-west');
    });
  });
  expect(await watched.findLaterFaults(KILLED)).toEqual({});
});

test('a watch continues while the database hangs, and every requested check has a result afterwards', async () => {
  const { servers, target, api, idOf } = watched;
  await watched.untilAllWatched(['/frozen']);
  servers.database.freeze();
  const before = target.countOf('/frozen');
  await waitUntil('three more checks', () => target.countOf('/frozen') >= before + 3);
  expect(await watched.readWatches('/frozen')).toHaveLength(1);
  servers.database.thaw();
  expect(await watched.findLaterFaults(['/frozen'])).toEqual({});
  await waitUntil('a result for each request', async () => {
    const isUp = ({ status }: Result) => status === 'up';
    const measured = (await api.resultsOf(idOf('/frozen'))).filter(isUp);
    return measured.length >= target.countOf('/frozen') - 1;
  });
});

async function readHealth(path: string): Promise<string> {
  const { api, idOf } = watched;
  const request = { method: 'GET', path: `/v1/monitors/${idOf(path)}` };
  return (await api.call(request, { status: 200, shape: healthShape })).health;
}

/** Returns the slot of the first stored failure, in milliseconds after the instant. */
async function firstFailedSlotMs(path: string, sinceMs: number): Promise<number> {
  const results = await watched.api.resultsOf(watched.idOf(path));
  const failed = results.filter(({ status }) => status === 'down');
  return Math.min(...failed.map(({ slot }) => Date.parse(slot))) - sinceMs;
}

/** Returns the gaps of all regions since the instant, with their reasons. */
async function listGaps(path: string, sinceMs: number): Promise<readonly Result['gap'][]> {
  const results = await watched.api.resultsOf(watched.idOf(path));
  return results.flatMap(({ gap }) => (gap !== null && Date.parse(gap.to) > sinceMs ? [gap] : []));
}

test(`while Temporal hangs for ${AWAY_SECONDS} s, no slot is missed, no watch moves, and a later change is still handled`, async () => {
  const { servers, target } = watched;
  await watched.untilAllWatched(['/changed']);
  const before = await readAttempts();
  const sinceMs = Date.now();
  target.failing.add('/changed');
  servers.temporal.freeze();
  // Measures the time by slots, because checks continue.
  for (let awayMs = 0; awayMs < AWAY_SECONDS * 1_000; awayMs += INTERVAL_MS)
    await watched.untilLaterSlot(KILLED[0] ?? '');
  servers.temporal.kill();
  const backMs = Date.now();
  await waitUntil('the change is judged', async () => (await readHealth('/changed')) === 'down');
  const judgedMs = Date.now() - backMs;
  target.failing.delete('/changed');
  const failedMs = await firstFailedSlotMs('/changed', sinceMs);
  console.log(
    `judged ${judgedMs} ms after the restart of Temporal; the first failure that is stored has its slot ${failedMs} ms after the change`,
  );
  expect(await watched.findLaterFaults(KILLED)).toEqual({});
  const gaps = await Promise.all(KILLED.map((path) => listGaps(path, sinceMs)));
  expect(gaps.flat()).toEqual([]);
  if (AWAY_SECONDS >= HEARTBEAT_TIMEOUT_SECONDS) return;
  expect(await readAttempts()).toEqual(before);
  expect(failedMs).toBeLessThanOrEqual(INTERVAL_MS);
});
