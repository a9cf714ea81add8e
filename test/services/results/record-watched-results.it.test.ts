/**
 * Tests results of watches in the database. They leave the same data as a recorded slot.
 *
 * Covers:
 * - services/results/sum-up-hours
 * - services/watches/list-moved-grids
 */

import type { WatchedResult } from '../../../src/contracts/watches';
import { HOUR_MS } from '../../../src/domain/health/summary';
import { recordWatchedResults } from '../../../src/services/results/record-watched-results';
import { listMovedGrids } from '../../../src/services/watches/list-moved-grids';
import {
  FIRST_SLOT_MS,
  failingOutcome,
  monitorRecord,
  newId,
  passingOutcome,
  pendingStatus,
} from '../../models/example-records';
import { type SuiteStores, withStores } from '../../models/with-stores';

const MINUTE_MS = 60_000;
const REGIONS = ['eu-west', 'us-east'];

/** This time is later than every slot in this file. */
let nowMs = FIRST_SLOT_MS + 3_600_000;
const clock = { now: () => nowMs };
const db = withStores(clock);

/** Records results of watches as the internal endpoint does. */
async function recordWatched(
  region: string,
  results: readonly WatchedResult[],
  stores: Pick<SuiteStores['stores'], 'watchedResults'> = db.stores,
) {
  const ids = results.map(({ monitorId }) => monitorId);
  const statuses = await db.stores.watchedResults.readStatuses(ids);
  const needs = { stores: { ...db.stores, ...stores }, clock };
  return recordWatchedResults(needs, { region, results, statuses });
}

interface Ids {
  readonly accountId: string;
  readonly monitorId: string;
}

/** Creates a monitor whose first slot passed in both regions. */
async function newMonitor(): Promise<Ids> {
  const ids = { accountId: newId('account'), monitorId: newId('monitor') };
  await db.stores.statuses.create(ids.accountId, pendingStatus(ids.accountId, ids.monitorId));
  await db.recorder.recordMonitorCheck(monitorRecord(ids));
  return ids;
}

/** Returns an outcome whose times belong to the slot. */
function outcomeAt(slotMs: number, responseTimeMs: number) {
  const startedAt = new Date(slotMs + 20).toISOString();
  const finishedAt = new Date(slotMs + 20 + responseTimeMs).toISOString();
  const attempts = [{ startedAt, responseTimeMs, status: 200, failure: null }];
  return passingOutcome({ startedAt, finishedAt, responseTimeMs, attempts });
}

function watchedResult(ids: Ids, slotMs: number, responseTimeMs = 50): WatchedResult {
  const outcome = outcomeAt(slotMs, responseTimeMs);
  return { ...ids, revision: 1, slotMs, nextSlotMs: slotMs + MINUTE_MS, outcome, gap: null };
}

/** Returns each change of health, by region. `*` stands for the whole monitor. */
async function timelineOf({ accountId, monitorId }: Ids): Promise<readonly string[]> {
  const changes = await db.database.models.healthChanges.find({ a: accountId }).lean();
  return changes
    .map(({ _id, at, s }) => `${_id.slice(monitorId.length + 1).split(':')[0]} ${at} ${s}`)
    .toSorted();
}

async function storedOf({ accountId, monitorId }: Ids) {
  const status = await db.database.models.statuses.findOne({ _id: monitorId }).lean();
  const { items } = await db.stores.results.page(accountId, {
    monitorId,
    regions: REGIONS,
    fromMs: null,
    toMs: null,
    status: null,
    limit: 200,
    after: null,
  });
  return { status, results: items };
}

/** A gap of the second and third slot, which comes with the result of the fourth. */
const GAP = {
  reason: 'missed',
  fromSlotMs: FIRST_SLOT_MS + MINUTE_MS,
  toSlotMs: FIRST_SLOT_MS + 2 * MINUTE_MS,
  slots: 2,
} as const;
const TIMES: Readonly<Record<string, number>> = { 'eu-west': 41, 'us-east': 73 };
const timeOf = (region: string): number => TIMES[region] ?? 0;

test.each([
  ['', FIRST_SLOT_MS + MINUTE_MS, null],
  [' after slots that nobody checked', FIRST_SLOT_MS + 3 * MINUTE_MS, GAP],
] as const)(
  'results of watches in each region%s are stored in the same way as one recorded slot',
  async (_, slotMs, gap) => {
    const [watched, full] = [await newMonitor(), await newMonitor()];
    for (const region of REGIONS)
      await recordWatched(region, [{ ...watchedResult(watched, slotMs, timeOf(region)), gap }]);
    const first = monitorRecord(full);
    await db.recorder.recordMonitorCheck({
      ...first,
      trigger: 'schedule',
      slotMs,
      gap,
      outcomes: REGIONS.map((region) => ({ region, outcome: outcomeAt(slotMs, timeOf(region)) })),
      regionsHealth: first.regionsHealth.map((known) => ({
        ...known,
        lastResponseTimeMs: timeOf(known.region),
      })),
      nextSlotMs: slotMs + MINUTE_MS,
    });
    const withoutIds = (stored: Awaited<ReturnType<typeof storedOf>>) => ({
      status: { ...stored.status, _id: '', accountId: '', isWatched: null, recordedSlotMs: null },
      results: stored.results.map((one) => ({ ...one, id: '', accountId: '', monitorId: '' })),
    });
    const [fromWatch, fromFull] = [await storedOf(watched), await storedOf(full)];
    expect(withoutIds(fromWatch)).toEqual(withoutIds(fromFull));
    expect([fromWatch.status?.isWatched, fromFull.status?.isWatched]).toEqual([true, false]);
    expect(await timelineOf(watched)).toEqual(await timelineOf(full));
  },
);

test('the overall health stays known if one region missed slots that another region checked', async () => {
  const ids = await newMonitor();
  const before = await timelineOf(ids);
  await recordWatched('us-east', [watchedResult(ids, GAP.toSlotMs)]);
  const slotMs = GAP.toSlotMs + MINUTE_MS;
  await recordWatched('eu-west', [{ ...watchedResult(ids, slotMs), gap: GAP }]);
  const added = (await timelineOf(ids)).filter((one) => !before.includes(one));
  expect(added).toEqual([`eu-west ${GAP.fromSlotMs} unknown`, `eu-west ${slotMs} up`]);
});

test('a gap that begins before the health of its region is refused and changes nothing', async () => {
  const ids = await newMonitor();
  const [before, { status }] = [await timelineOf(ids), await storedOf(ids)];
  const gap = { ...GAP, fromSlotMs: FIRST_SLOT_MS - HOUR_MS };
  const forged = { ...watchedResult(ids, GAP.toSlotMs + MINUTE_MS), gap };
  expect(await recordWatched('eu-west', [forged])).toEqual(['outdated']);
  expect(await timelineOf(ids)).toEqual(before);
  expect((await storedOf(ids)).status).toEqual(status);
});

test('a result that is delivered several times is stored once', async () => {
  const ids = await newMonitor();
  const result = watchedResult(ids, FIRST_SLOT_MS + MINUTE_MS);
  const record = () => recordWatched('eu-west', [result, result]);
  const receipts = await Promise.all([record(), record(), record()]);
  expect([...receipts, await record()].flat()).toEqual(Array(8).fill('stored'));
  expect((await storedOf(ids)).results).toHaveLength(3);
});

const atMinute = (minute: number): number => FIRST_SLOT_MS + minute * MINUTE_MS;
const slotsOf = async (ids: Ids): Promise<readonly string[]> =>
  (await storedOf(ids)).results
    .map(({ region, slotMs }) => `${region} ${(slotMs - FIRST_SLOT_MS) / MINUTE_MS}`)
    .toSorted();

test('late results are judged by the slots of their own region, and revert no status', async () => {
  const ids = await newMonitor();
  for (const minute of [1, 2, 3])
    await recordWatched('eu-west', [watchedResult(ids, atMinute(minute))]);
  const late = [1, 2].map((minute) => watchedResult(ids, atMinute(minute), 70 + minute));
  expect(await recordWatched('us-east', late)).toEqual(['stored', 'stored']);
  expect(await slotsOf(ids)).toEqual([
    ...[0, 1, 2, 3].map((minute) => `eu-west ${minute}`),
    ...[0, 1, 2].map((minute) => `us-east ${minute}`),
  ]);
  const { status } = await storedOf(ids);
  expect(status).toMatchObject({
    lastSlotMs: atMinute(3),
    nextSlotMs: atMinute(4),
    measured: [{ slotMs: atMinute(3) }, { slotMs: atMinute(2) }],
  });
  expect(status?.regionsHealth.map(({ lastResponseTimeMs }) => lastResponseTimeMs)).toEqual([
    50, 72,
  ]);
});

test('a slot recorded by the workflow counts for all regions', async () => {
  const ids = await newMonitor();
  await recordWatched('us-east', [watchedResult(ids, atMinute(1))]);
  const record = monitorRecord(ids);
  await db.recorder.recordMonitorCheck({ ...record, slotMs: atMinute(3), outcomes: [] });
  expect(await recordWatched('eu-west', [watchedResult(ids, atMinute(2))])).toEqual(['outdated']);
  expect(await recordWatched('eu-west', [watchedResult(ids, atMinute(4))])).toEqual(['stored']);
});

test('a check outside the schedule does not replace a slot that a watch will check', async () => {
  const ids = await newMonitor();
  const beside = { kind: 'manual', slotMs: atMinute(1.01), gridSlotMs: atMinute(0) } as const;
  await db.recorder.recordMonitorCheck({ ...monitorRecord(ids), ...beside });
  for (const region of REGIONS)
    expect(await recordWatched(region, [watchedResult(ids, atMinute(1))])).toEqual(['stored']);
  expect(await slotsOf(ids)).toContain('us-east 1');
  // The status contains the newest results, so that another probe continues after them.
  expect((await storedOf(ids)).status).toMatchObject({
    isWatched: true,
    measured: [{ slotMs: atMinute(1) }, { slotMs: atMinute(1) }],
  });
});

test('slots that are already stored are confirmed again, and older missing slots are not stored', async () => {
  const ids = await newMonitor();
  await recordWatched('eu-west', [watchedResult(ids, atMinute(1))]);
  await recordWatched('eu-west', [watchedResult(ids, atMinute(3))]);
  const sent = [1, 2, 3].map((minute) => watchedResult(ids, atMinute(minute)));
  expect(await recordWatched('eu-west', sent)).toEqual(['stored', 'outdated', 'stored']);
  expect(await slotsOf(ids)).not.toContain('eu-west 2');
});

test('a down or degraded result is stored like a passing result', async () => {
  const ids = await newMonitor();
  const outcomes = [failingOutcome(), { ...passingOutcome(), status: 'degraded' as const }];
  const results = outcomes.map((outcome, index) => ({
    ...watchedResult(ids, atMinute(index + 1)),
    outcome,
  }));
  expect(await recordWatched('eu-west', results)).toEqual(['stored', 'stored']);
  const { results: stored } = await storedOf(ids);
  expect(stored.slice(0, 2).map(({ status }) => status)).toEqual(['degraded', 'down']);
});

test('if regions report at the same time, each report updates the status', async () => {
  const ids = await newMonitor();
  const slots = [1, 2, 3, 4, 5];
  const sending = REGIONS.flatMap((region) =>
    slots.map((minute) => recordWatched(region, [watchedResult(ids, atMinute(minute))])),
  );
  const receipts = (await Promise.all(sending)).flat();
  const { status } = await storedOf(ids);
  expect(status?.lastSlotMs).toBe(atMinute(5));
  expect(status?.measured?.map(({ slotMs }) => slotMs)).toEqual([atMinute(5), atMinute(5)]);
  // Results of one region may arrive out of order. Every confirmed result is stored.
  expect(receipts.filter((receipt) => receipt === 'stored')).toHaveLength(
    (await slotsOf(ids)).length - REGIONS.length,
  );
});

test('a delivery that fails before the status is updated and is repeated stores each result once', async () => {
  const ids = await newMonitor();
  const sent = [1, 2].map((minute) => watchedResult(ids, atMinute(minute)));
  const cutOff = {
    ...db.stores.watchedResults,
    advanceStatuses: async () => {
      throw new Error('killed');
    },
  };
  await expect(recordWatched('eu-west', sent, { watchedResults: cutOff })).rejects.toThrow(
    'killed',
  );
  expect(await recordWatched('eu-west', sent)).toEqual(['stored', 'stored']);
  expect(await slotsOf(ids)).toEqual(['eu-west 0', 'eu-west 1', 'eu-west 2', 'us-east 0']);
  expect((await storedOf(ids)).status?.lastSlotMs).toBe(atMinute(2));
});

test('late results of a region enter the summary of an hour that another region has closed', async () => {
  const ids = await newMonitor();
  await recordWatched('us-east', [watchedResult(ids, atMinute(1))]);
  nowMs = atMinute(60);
  await recordWatched('eu-west', [watchedResult(ids, atMinute(60))]);
  await recordWatched('us-east', [watchedResult(ids, atMinute(2))]);
  nowMs = FIRST_SLOT_MS;
  const [summary] = await db.stores.summaries.sumUp(ids.accountId, {
    id: ids.monitorId,
    region: 'us-east',
    spans: [{ fromMs: FIRST_SLOT_MS, toMs: atMinute(60) }],
    summarisedUntilMs: atMinute(60),
  });
  expect(summary?.counts).toMatchObject({ up: 3 });
});

test('a result of another region or account or of an unknown monitor is not stored', async () => {
  const ids = await newMonitor();
  const next = watchedResult(ids, atMinute(3));
  expect(await recordWatched('ap-south', [next])).toEqual(['outdated']);
  const foreign = { ...next, accountId: newId('account') };
  const unknown = { ...next, monitorId: newId('monitor') };
  const receipts = await recordWatched('eu-west', [foreign, unknown, next]);
  expect(receipts).toEqual(['gone', 'gone', 'stored']);
  expect(await slotsOf(ids)).toEqual(['eu-west 0', 'eu-west 3', 'us-east 0']);
});

test('a result of a watch never reverts a status that a recorded slot has set', async () => {
  const ids = await newMonitor();
  const slotMs = FIRST_SLOT_MS + MINUTE_MS;
  const record = monitorRecord(ids);
  await db.recorder.recordMonitorCheck({
    ...record,
    slotMs,
    outcomes: [{ region: 'eu-west', outcome: failingOutcome() }],
    health: 'down',
    healthSinceMs: slotMs,
  });
  await recordWatched('eu-west', [watchedResult(ids, slotMs)]);
  const { results, status } = await storedOf(ids);
  expect(status).toMatchObject({ health: 'down', healthSinceMs: slotMs });
  expect(results.filter((row) => row.slotMs === slotMs).map((row) => row.status)).toEqual(['down']);
});

test('only the first slot that a watch stores in an hour summarises the hour before', async () => {
  const ids = await newMonitor();
  const { accountId, monitorId } = ids;
  for (const minute of [1, 2, 3, 60, 61])
    for (const region of REGIONS)
      await recordWatched(region, [watchedResult(ids, FIRST_SLOT_MS + minute * MINUTE_MS)]);
  const { status } = await storedOf(ids);
  expect(status?.summarisedUntilMs).toBe(FIRST_SLOT_MS + HOUR_MS);
  const span = { fromMs: FIRST_SLOT_MS, toMs: FIRST_SLOT_MS + HOUR_MS };
  const { summaries } = db.database.models;
  expect(await summaries.countDocuments({ a: accountId })).toBe(2);
  // Deletes the single results, so that the figures can come only from the summaries.
  await db.database.models.results.deleteMany({ a: accountId });
  for (const region of REGIONS) {
    const [summary] = await db.stores.summaries.sumUp(accountId, {
      id: monitorId,
      region,
      spans: [span],
      summarisedUntilMs: span.toMs,
    });
    expect(summary?.counts).toEqual({ up: 4, degraded: 0, down: 0, unknown: 0 });
  }
});

test('a probe gets the schedules that changed since its last request, for monitors of its region only', async () => {
  const sinceMs = nowMs - MINUTE_MS;
  const grid = { version: 2, revision: 1, anchorMs: sinceMs, intervalSeconds: 30 };
  const monitor = { ...grid, accountId: newId('account'), regions: ['eu-west'], state: 'active' };
  const moved = newId('monitor');
  await db.database.models.monitors.collection.insertMany([
    { ...monitor, _id: moved as never },
    { ...monitor, _id: newId('monitor') as never, anchorMs: sinceMs - 1 },
    { ...monitor, _id: newId('monitor') as never, regions: REGIONS },
    { ...monitor, _id: newId('monitor') as never, regions: ['us-east'] },
    { ...monitor, _id: newId('monitor') as never, state: 'paused' },
  ]);
  const question = { region: 'eu-west', changedSinceMs: sinceMs };
  const { moved: found, changedSinceMs } = await listMovedGrids({ ...db, clock }, question);
  const { intervalSeconds, ...rest } = grid;
  expect(found).toEqual([{ ...rest, id: moved, intervalMs: intervalSeconds * 1_000 }]);
  expect(changedSinceMs).toBeGreaterThan(sinceMs);
  const first = await listMovedGrids({ ...db, clock }, { ...question, changedSinceMs: 0 });
  expect(first.moved).toEqual([]);
});
