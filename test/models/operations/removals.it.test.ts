/** Tests that deleting a resource removes everything of it and nothing else, and that a crash leaves no orphans. */
import { createHousekeeping, createStores } from '../../../src/models';
import { insertResults } from '../../../src/models/results/results';
import type { Clock } from '../../../src/platform/clock';
import {
  FIRST_SLOT_MS,
  monitorRecord,
  monitorRow,
  newId,
  pendingStatus,
  runRecord,
  scenarioRow,
  stepDefinition,
} from '../example-records';
import { withStores } from '../with-stores';

let nowMs = FIRST_SLOT_MS;
const clock: Clock = { now: () => nowMs };
const db = withStores(clock);

const definition = { variables: [], steps: [stepDefinition()] };

async function newMonitor() {
  const accountId = newId('account');
  const monitor = monitorRow(accountId);
  await db.stores.statuses.create(accountId, pendingStatus(accountId, monitor.id));
  await db.stores.monitors.create(accountId, monitor);
  await db.stores.revisions.save(accountId, {
    ...definition,
    kind: 'monitor',
    id: monitor.id,
    revision: 1,
  });
  await db.recorder.recordMonitorCheck(
    monitorRecord({ accountId, monitorId: monitor.id, health: 'down' }),
  );
  return { accountId, monitorId: monitor.id };
}

async function newScenario() {
  const accountId = newId('account');
  const scenario = scenarioRow(accountId);
  await db.stores.statuses.create(accountId, pendingStatus(accountId, scenario.id));
  await db.stores.scenarios.create(accountId, scenario);
  for (let run = 0; run < 3; run += 1)
    await db.recorder.saveRun(runRecord({ accountId, scenarioId: scenario.id }));
  return { accountId, scenarioId: scenario.id };
}

/** Counts the documents in all collections that still belong to the id. */
async function countLeft(id: string): Promise<number> {
  const { connection, models } = db.database;
  const documents = await Promise.all(
    Object.values(models).map(({ collection }) =>
      connection.collection(collection.name).find({}).toArray(),
    ),
  );
  return documents
    .flat()
    .filter((document) =>
      [String(document._id).split(':')[0], document['scenarioId'], document['resourceId']].includes(
        id,
      ),
    ).length;
}

/** Sweeps removals a minute after the last sweep. Expects that no removal is pending afterwards. */
async function sweepAll(): Promise<void> {
  nowMs += 60_001;
  expect(await createHousekeeping(db.database, clock).sweepRemovals(60_000)).toBe(0);
}

test('a monitor is deleted with its status, revisions, results and incidents', async () => {
  const gone = await newMonitor();
  const kept = await newMonitor();
  const keptBefore = await countLeft(kept.monitorId);
  expect(await countLeft(gone.monitorId)).toBe(keptBefore);
  expect(await db.stores.monitors.remove(gone.accountId, gone.monitorId)).toBe(true);
  expect(await db.stores.monitors.remove(gone.accountId, gone.monitorId)).toBe(false);
  expect(await countLeft(gone.monitorId)).toBe(1);
  await sweepAll();
  expect(await countLeft(gone.monitorId)).toBe(0);
  expect(await countLeft(kept.monitorId)).toBe(keptBefore);
});

test('a scenario is deleted with its runs', async () => {
  const gone = await newScenario();
  const kept = await newScenario();
  const keptBefore = await countLeft(kept.scenarioId);
  expect(await db.stores.scenarios.remove(gone.accountId, gone.scenarioId)).toBe(true);
  await sweepAll();
  expect(await countLeft(gone.scenarioId)).toBe(0);
  expect(await countLeft(kept.scenarioId)).toBe(keptBefore);
});

test('no result is recorded for a deleted monitor', async () => {
  const { accountId, monitorId } = await newMonitor();
  await db.stores.monitors.remove(accountId, monitorId);
  const slotMs = FIRST_SLOT_MS + 60_000;
  expect(
    await db.recorder.recordMonitorCheck(monitorRecord({ accountId, monitorId, slotMs })),
  ).toEqual({
    gone: true,
  });
  await sweepAll();
  expect(await countLeft(monitorId)).toBe(0);
});

test('a result that arrives while its monitor is being deleted is removed by a later sweep', async () => {
  const { accountId, monitorId } = await newMonitor();
  const query = { monitorId, fromMs: null, toMs: null, status: null, limit: 5, after: null };
  const { items } = await db.stores.results.page(accountId, { ...query, regions: ['eu-west'] });
  await db.stores.monitors.remove(accountId, monitorId);
  expect(await createHousekeeping(db.database, clock).sweepRemovals(60_000)).toBe(1);
  await insertResults(db.database.models.results, items);
  expect(await countLeft(monitorId)).toBe(2);
  await sweepAll();
  expect(await countLeft(monitorId)).toBe(0);
});

test('a delete that was interrupted after its first write is finished by a sweep', async () => {
  const { accountId, monitorId } = await newMonitor();
  const removal = { _id: monitorId, accountId, kind: 'monitor', removedAtMs: nowMs } as const;
  await db.database.models.removals.create([removal]);
  await sweepAll();
  expect(await countLeft(monitorId)).toBe(0);
});

/** Adds results to the monitor, one per second. */
async function addHistory(accountId: string, monitorId: string, count: number): Promise<void> {
  const query = { monitorId, fromMs: null, toMs: null, status: null, limit: 1, after: null };
  const [row] = (await db.stores.results.page(accountId, { ...query, regions: ['eu-west'] })).items;
  if (row === undefined) throw new Error('the monitor has no result');
  const rows = Array.from({ length: count }, (_, second) => ({
    ...row,
    slotMs: FIRST_SLOT_MS + second * 1_000,
  }));
  await insertResults(db.database.models.results, rows);
}

test('a long history is deleted in batches, and the rest by later sweeps', async () => {
  const { accountId, monitorId } = await newMonitor();
  await addHistory(accountId, monitorId, 4_500);
  const hurried: Clock = { now: () => (nowMs += 400) };
  await createStores(db.database, hurried).monitors.remove(accountId, monitorId);
  const left = await countLeft(monitorId);
  expect(left).toBeGreaterThan(400);
  expect(left).toBeLessThan(4_500);
  nowMs += 60_001;
  expect(await createHousekeeping(db.database, hurried).sweepRemovals(500)).toBe(1);
  expect(await countLeft(monitorId)).toBeGreaterThan(1);
  await sweepAll();
  expect(await countLeft(monitorId)).toBe(0);
});

test('an account that deletes a long history does not delay the deletions of other accounts', async () => {
  const large = await newMonitor();
  await addHistory(large.accountId, large.monitorId, 4_500);
  const small = await newMonitor();
  await db.database.models.removals.create(
    [large, small].map(({ accountId, monitorId }) => ({
      _id: monitorId,
      accountId,
      kind: 'monitor' as const,
      removedAtMs: nowMs,
    })),
  );
  // The large history uses all of its time, and the small history still gets its share.
  const hurried: Clock = { now: () => (nowMs += 400) };
  await createHousekeeping(db.database, hurried).sweepRemovals(3_000);
  expect(await countLeft(small.monitorId)).toBe(1);
  expect(await countLeft(large.monitorId)).toBeGreaterThan(1);
  await sweepAll();
  expect(await countLeft(large.monitorId)).toBe(0);
});
