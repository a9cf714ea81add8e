/** Tests that old results are deleted, and that their summaries stay. */
import { PLAN_BOUNDS } from '../../../src/domain/accounts/plan';
import { buildFirstResultId } from '../../../src/domain/health/result-id';
import { createHousekeeping, createRecordWrites, createStores } from '../../../src/models';
import { keepEvidenceBefore, saveEvidence } from '../../../src/models/results/evidence';
import { ownedBy } from '../../../src/models/store/filters';
import { createCheckRecorder } from '../../../src/services/results/record-check';
import { FIRST_SLOT_MS, monitorRecord, monitorRow, newId, pendingStatus } from '../example-records';
import { openTestDatabase, type TestDatabase } from '../test-database';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REGIONS = ['eu-west', 'us-east'];

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened?.close());

async function settleSlots(slots: readonly number[]) {
  const [accountId, monitorId] = [newId('account'), newId('monitor')];
  const stores = createStores(opened.database);
  await stores.statuses.create(accountId, pendingStatus(accountId, monitorId));
  const recorder = createCheckRecorder(createRecordWrites(opened.database));
  for (const slotMs of slots)
    await recorder.recordMonitorCheck(monitorRecord({ accountId, monitorId, slotMs }));
  const countOf = async () => {
    const everything = { fromMs: null, toMs: null, status: null, limit: 200, after: null };
    const query = { ...everything, monitorId, regions: REGIONS };
    return (await stores.results.page(accountId, query)).items.length;
  };
  const sumOf = async (nowMs: number) => {
    const [status] = await stores.statuses.findMany(accountId, [monitorId]);
    const [summary] = await stores.summaries.sumUp(accountId, {
      id: monitorId,
      region: 'eu-west',
      spans: [{ fromMs: FIRST_SLOT_MS, toMs: nowMs }],
      summarisedUntilMs: status?.summarisedUntilMs ?? 0,
    });
    return summary?.counts.up;
  };
  return { accountId, monitorId, countOf, sumOf };
}

test('results past their retention are deleted batch by batch, and their summaries stay', async () => {
  const slots = Array.from({ length: 30 }, (_, index) => FIRST_SLOT_MS + index * 4 * HOUR_MS);
  const { countOf, sumOf } = await settleSlots(slots);
  const nowMs = FIRST_SLOT_MS + 6 * DAY_MS;
  const clock = { now: () => nowMs };
  const housekeeping = createHousekeeping(opened.database, clock);
  await housekeeping.closeHours(10_000);
  expect(await sumOf(nowMs)).toBe(30);
  await housekeeping.deleteExpired({ retentionDays: 3, budgetMs: 10_000 });
  const kept = slots.filter((slotMs) => slotMs >= nowMs - 3 * DAY_MS).length;
  expect(await countOf()).toBe(kept * REGIONS.length);
  expect(await sumOf(nowMs)).toBe(30);
});

test('evidence kept for comparison with a failure is deleted together with results of the same age', async () => {
  const [accountId, resourceId] = [newId('account'), newId('monitor')];
  const { evidence, evidenceBefore } = opened.database.models;
  for (const day of [0, 5]) {
    const atMs = FIRST_SLOT_MS + day * DAY_MS;
    const owner = { accountId, resourceId, region: 'eu-west' };
    await saveEvidence(evidence, [{ ...owner, resultId: `result ${day}`, atMs, steps: [null] }]);
    await keepEvidenceBefore({ evidence, evidenceBefore }, [{ ...owner, atMs: atMs + 1 }]);
  }
  expect(await evidenceBefore.countDocuments({ a: accountId })).toBe(2);
  const clock = { now: () => FIRST_SLOT_MS + 6 * DAY_MS };
  const housekeeping = createHousekeeping(opened.database, clock);
  await housekeeping.deleteExpired({ retentionDays: 3, budgetMs: 10_000 });
  const [left, ...others] = await evidenceBefore.find({ a: accountId }).lean();
  expect([left?.r, others]).toEqual(['result 5', []]);
});

test('if a plan has a shorter retention than the setting, the plan decides', async () => {
  const slots = Array.from({ length: 40 }, (_, index) => FIRST_SLOT_MS + index * DAY_MS);
  const { accountId, monitorId, countOf } = await settleSlots(slots);
  const stores = createStores(opened.database);
  await stores.monitors.create(accountId, { ...monitorRow(accountId), id: monitorId });
  await opened.database.models.accounts.create([
    { _id: accountId, name: 'x', plan: 'free', createdAtMs: FIRST_SLOT_MS },
  ]);
  const nowMs = FIRST_SLOT_MS + 40 * DAY_MS;
  const housekeeping = createHousekeeping(opened.database, { now: () => nowMs });
  await housekeeping.deleteExpired({ retentionDays: 90, budgetMs: 10_000 });
  expect(await countOf()).toBe(PLAN_BOUNDS.free.retentionDays * REGIONS.length);
});

test('the last hour of a monitor that is no longer checked is summarised', async () => {
  const { sumOf } = await settleSlots([FIRST_SLOT_MS, FIRST_SLOT_MS + 60_000]);
  const clock = { now: () => FIRST_SLOT_MS + 5 * HOUR_MS };
  const housekeeping = createHousekeeping(opened.database, clock);
  await housekeeping.closeHours(10_000);
  expect(await housekeeping.closeHours(10_000)).toBe(0);
  await opened.database.models.results.deleteMany({});
  expect(await sumOf(clock.now())).toBe(2);
});

test("a resource with very many old results does not delay the deletion of other resources' results", async () => {
  const { results } = opened.database.models;
  const [accountId, first, second] = [newId('account'), newId('monitor'), newId('monitor')];
  const oldOf = (monitorId: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      _id: buildFirstResultId(monitorId, 'eu-west', FIRST_SLOT_MS + index * 1_000),
      a: accountId,
    }));
  const { connection } = opened.database;
  const stored = connection.collection<{ _id: string }>(results.collection.name);
  await stored.insertMany([...oldOf(first, 2_500), ...oldOf(second, 10)]);
  // The clock advances with each read, so that the time budget ends before the first resource is finished.
  let looks = 0;
  const clock = { now: () => FIRST_SLOT_MS + 6 * DAY_MS + (looks++ > 0 ? looks : 0) };
  const countOf = (monitorId: string) => results.countDocuments({ _id: ownedBy(monitorId) });
  await createHousekeeping(opened.database, clock).deleteExpired({ retentionDays: 3, budgetMs: 6 });
  expect(await countOf(second)).toBe(0);
  expect(await countOf(first)).toBeGreaterThan(0);
  await createHousekeeping(opened.database, clock).deleteExpired({
    retentionDays: 3,
    budgetMs: 1_000,
  });
  expect(await countOf(first)).toBe(0);
});
