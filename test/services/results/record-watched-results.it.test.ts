/**
 * Results of quiet checks in the database: what they leave is what a recorded slot leaves.
 *
 * Covers:
 * - services/results/sum-up-hours
 */

import type { WatchedResult } from '../../../src/contracts/watches';
import { HOUR_MS } from '../../../src/domain/health/summary';
import { recordWatchedResults } from '../../../src/services/results/record-watched-results';
import {
  FIRST_SLOT_MS,
  failingOutcome,
  monitorRecord,
  newId,
  passingOutcome,
  pendingStatus,
} from '../../models/example-records';
import { withStores } from '../../models/with-stores';

const MINUTE_MS = 60_000;
const REGIONS = ['eu-west', 'us-east'];

const db = withStores({ now: () => FIRST_SLOT_MS });

/** As the internal endpoint does. */
const recordQuiet = (region: string, results: readonly WatchedResult[]) =>
  recordWatchedResults(db, { region, results });

interface Ids {
  readonly accountId: string;
  readonly monitorId: string;
}

/** A monitor whose first slot passed in both regions. */
async function newMonitor(): Promise<Ids> {
  const ids = { accountId: newId('account'), monitorId: newId('monitor') };
  await db.stores.statuses.create(ids.accountId, pendingStatus(ids.accountId, ids.monitorId));
  await db.recorder.recordMonitorCheck(monitorRecord(ids));
  return ids;
}

/** An outcome whose times belong to the slot. */
function outcomeAt(slotMs: number, responseTimeMs: number) {
  const startedAt = new Date(slotMs + 20).toISOString();
  const finishedAt = new Date(slotMs + 20 + responseTimeMs).toISOString();
  const attempts = [{ startedAt, responseTimeMs, status: 200, failure: null }];
  return passingOutcome({ startedAt, finishedAt, responseTimeMs, attempts });
}

function quietResult(ids: Ids, slotMs: number, responseTimeMs = 50): WatchedResult {
  const outcome = outcomeAt(slotMs, responseTimeMs);
  return { ...ids, revision: 1, slotMs, nextSlotMs: slotMs + MINUTE_MS, outcome, gap: null };
}

/** Each change of health, by region, or `*` for the whole. */
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

/** The second and third slot, before the fourth. */
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
  'quiet results of each region%s leave what one recorded slot leaves',
  async (_, slotMs, gap) => {
    const [quiet, full] = [await newMonitor(), await newMonitor()];
    for (const region of REGIONS)
      await recordQuiet(region, [{ ...quietResult(quiet, slotMs, timeOf(region)), gap }]);
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
      status: { ...stored.status, _id: '', accountId: '', isQuiet: null },
      results: stored.results.map((one) => ({ ...one, id: '', accountId: '', monitorId: '' })),
    });
    const [fromQuiet, fromFull] = [await storedOf(quiet), await storedOf(full)];
    expect(withoutIds(fromQuiet)).toEqual(withoutIds(fromFull));
    expect([fromQuiet.status?.isQuiet, fromFull.status?.isQuiet]).toEqual([true, false]);
    expect(await timelineOf(quiet)).toEqual(await timelineOf(full));
  },
);

test('the whole is known while one region has missed what another has checked', async () => {
  const ids = await newMonitor();
  const before = await timelineOf(ids);
  await recordQuiet('us-east', [quietResult(ids, GAP.toSlotMs)]);
  const slotMs = GAP.toSlotMs + MINUTE_MS;
  await recordQuiet('eu-west', [{ ...quietResult(ids, slotMs), gap: GAP }]);
  const added = (await timelineOf(ids)).filter((one) => !before.includes(one));
  expect(added).toEqual([`eu-west ${GAP.fromSlotMs} unknown`, `eu-west ${slotMs} up`]);
});

test('a gap that begins before the health of its region did changes nothing', async () => {
  const ids = await newMonitor();
  const [before, { status }] = [await timelineOf(ids), await storedOf(ids)];
  const gap = { ...GAP, fromSlotMs: FIRST_SLOT_MS - HOUR_MS };
  const forged = { ...quietResult(ids, GAP.toSlotMs + MINUTE_MS), gap };
  expect(await recordQuiet('eu-west', [forged])).toEqual(['outdated']);
  expect(await timelineOf(ids)).toEqual(before);
  expect((await storedOf(ids)).status).toEqual(status);
});

test('the same result twice, at once and later, is one result', async () => {
  const ids = await newMonitor();
  const result = quietResult(ids, FIRST_SLOT_MS + MINUTE_MS);
  const record = () => recordQuiet('eu-west', [result, result]);
  const receipts = await Promise.all([record(), record(), record()]);
  expect([...receipts, await record()].flat()).toEqual(Array(8).fill('stored'));
  expect((await storedOf(ids)).results).toHaveLength(3);
});

test('a result that comes after a later slot, of a foreign region or account is not stored', async () => {
  const ids = await newMonitor();
  await recordQuiet('eu-west', [quietResult(ids, FIRST_SLOT_MS + 2 * MINUTE_MS)]);
  const late = quietResult(ids, FIRST_SLOT_MS + MINUTE_MS);
  expect(await recordQuiet('us-east', [late])).toEqual(['outdated']);
  const next = quietResult(ids, FIRST_SLOT_MS + 3 * MINUTE_MS);
  expect(await recordQuiet('ap-south', [next])).toEqual(['outdated']);
  const foreign = { ...next, accountId: newId('account') };
  const unknown = { ...next, monitorId: newId('monitor') };
  expect(await recordQuiet('eu-west', [foreign, unknown, next])).toEqual([
    'gone',
    'gone',
    'stored',
  ]);
  const { results, status } = await storedOf(ids);
  expect(results.map(({ slotMs }) => slotMs)).toEqual([
    FIRST_SLOT_MS + 3 * MINUTE_MS,
    FIRST_SLOT_MS + 2 * MINUTE_MS,
    FIRST_SLOT_MS,
    FIRST_SLOT_MS,
  ]);
  expect(status?.lastSlotMs).toBe(FIRST_SLOT_MS + 3 * MINUTE_MS);
});

test('a quiet result never moves back what a recorded slot has decided', async () => {
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
  await recordQuiet('eu-west', [quietResult(ids, slotMs)]);
  const { results, status } = await storedOf(ids);
  expect(status).toMatchObject({ health: 'down', healthSinceMs: slotMs });
  expect(results.filter((row) => row.slotMs === slotMs).map((row) => row.status)).toEqual(['down']);
});

test('the first quiet slot of an hour sums up the hour before, and the next ones nothing', async () => {
  const ids = await newMonitor();
  const { accountId, monitorId } = ids;
  for (const minute of [1, 2, 3, 60, 61])
    for (const region of REGIONS)
      await recordQuiet(region, [quietResult(ids, FIRST_SLOT_MS + minute * MINUTE_MS)]);
  const { status } = await storedOf(ids);
  expect(status?.summarisedUntilMs).toBe(FIRST_SLOT_MS + HOUR_MS);
  const span = { fromMs: FIRST_SLOT_MS, toMs: FIRST_SLOT_MS + HOUR_MS };
  const { summaries } = db.database.models;
  expect(await summaries.countDocuments({ a: accountId })).toBe(2);
  // Without single results what is answered comes from the summaries alone.
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
