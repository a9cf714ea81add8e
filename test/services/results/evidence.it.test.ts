/**
 * Tests evidence in the database. Each failure keeps its evidence, but only the last passing result of each region
 * keeps its evidence.
 *
 * Covers:
 * - services/results/slot-evidence
 */
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { RunRecord } from '../../../src/contracts/records';
import { recordWatchedResults } from '../../../src/services/results/record-watched-results';
import {
  FIRST_SLOT_MS,
  failingOutcome,
  monitorRecord,
  newId,
  passingOutcome,
  pendingStatus,
  runRecord,
} from '../../models/example-records';
import { withStores } from '../../models/with-stores';

const MINUTE_MS = 60_000;

const db = withStores();

/** Returns an outcome with headers that identify it. */
function shown(outcome: StepOutcome, mark: string): StepOutcome {
  const { response } = passingOutcome();
  if (response === null) throw new Error('the example has a response');
  const headers = [{ name: 'x-mark', value: mark }];
  return {
    ...outcome,
    request: { method: 'GET', url: 'http://a/', headers },
    response: { ...response, headers, bodyPreview: `body ${mark}` },
  };
}

const evidence = (mark: string) => ({
  requestHeaders: [{ name: 'x-mark', value: mark }],
  responseHeaders: [{ name: 'x-mark', value: mark }],
  bodyPreview: `body ${mark}`,
  truncated: false,
});

async function newMonitor() {
  const [accountId, monitorId] = [newId('account'), newId('monitor')];
  await db.stores.statuses.create(accountId, pendingStatus(accountId, monitorId));
  return { accountId, monitorId };
}

type Ids = Awaited<ReturnType<typeof newMonitor>>;

async function record(ids: Ids, minute: number, outcome: StepOutcome): Promise<void> {
  const outcomes = [{ region: 'eu-west', outcome }];
  const slotMs = FIRST_SLOT_MS + minute * MINUTE_MS;
  await db.recorder.recordMonitorCheck(monitorRecord({ ...ids, slotMs, outcomes }));
}

/** Returns the results, newest first, each with its evidence. */
async function readBack({ accountId, monitorId }: Ids) {
  const { items } = await db.stores.results.page(accountId, {
    monitorId,
    regions: ['eu-west'],
    fromMs: null,
    toMs: null,
    status: null,
    limit: 50,
    after: null,
  });
  return Promise.all(
    items.map(async ({ id, outcome }) => {
      const kept = { resourceId: monitorId, region: 'eu-west', resultId: id };
      return { outcome, kept: await db.stores.evidence.find(accountId, kept) };
    }),
  );
}

test('only the last passing result has evidence, and every failing result has its own', async () => {
  const ids = await newMonitor();
  await record(ids, 0, shown(passingOutcome(), 'first'));
  await record(ids, 1, shown(passingOutcome(), 'second'));
  await record(ids, 2, shown({ ...failingOutcome() }, 'failed'));
  const [failed, second, first] = await readBack(ids);
  expect(failed?.outcome?.response).toMatchObject({ bodyPreview: 'body failed' });
  expect(failed?.outcome?.response?.headers).toEqual([{ name: 'x-mark', value: 'failed' }]);
  expect(failed?.kept).toBeNull();
  expect(second?.kept).toEqual([evidence('second')]);
  expect(second?.outcome?.response).toMatchObject({ bodyPreview: null });
  expect(second?.outcome?.response?.headers).toBeUndefined();
  expect(first?.kept).toBeNull();
});

test('the last passing result before a failure keeps its evidence, even after further results', async () => {
  const ids = await newMonitor();
  await record(ids, 0, shown(passingOutcome(), 'older'));
  await record(ids, 1, shown(passingOutcome(), 'before'));
  for (const minute of [2, 3, 3]) await record(ids, minute, shown(failingOutcome(), 'failed'));
  await record(ids, 4, shown(passingOutcome(), 'recovered'));
  await record(ids, 5, shown(passingOutcome(), 'last'));
  const marks = (await readBack(ids)).map(({ kept }) => kept?.[0]?.bodyPreview ?? null);
  expect(marks).toEqual(['body last', null, null, null, 'body before', null]);
  await record(ids, 6, shown(failingOutcome(), 'failed'));
  await record(ids, 7, shown(passingOutcome(), 'again'));
  const [again, , last, , , , before] = await readBack(ids);
  expect(again?.kept).toEqual([evidence('again')]);
  expect(last?.kept).toEqual([evidence('last')]);
  expect(before?.kept).toEqual([evidence('before')]);
  const { evidenceBefore } = db.database.models;
  expect(await evidenceBefore.countDocuments({ a: ids.accountId })).toBe(2);
});

test('a failure that is recorded late keeps no evidence of a later passing result', async () => {
  const ids = await newMonitor();
  await record(ids, 5, shown(passingOutcome(), 'after'));
  await record(ids, 4, shown(failingOutcome(), 'late'));
  const { evidenceBefore } = db.database.models;
  expect(await evidenceBefore.countDocuments({ a: ids.accountId })).toBe(0);
});

test('a late or repeated earlier slot does not replace the evidence of a later slot', async () => {
  const ids = await newMonitor();
  await record(ids, 5, shown(passingOutcome(), 'later'));
  await record(ids, 4, shown(passingOutcome(), 'earlier'));
  await record(ids, 5, shown(passingOutcome(), 'later'));
  const [later, earlier] = await readBack(ids);
  expect(later?.kept).toEqual([evidence('later')]);
  expect(earlier?.kept).toBeNull();
});

test('results of watches replace evidence in the same way as recorded checks', async () => {
  const ids = await newMonitor();
  await record(ids, 0, shown(passingOutcome(), 'loud'));
  const slotMs = FIRST_SLOT_MS + MINUTE_MS;
  const outcome = shown(passingOutcome(), 'quiet');
  const result = {
    ...ids,
    revision: 1,
    slotMs,
    nextSlotMs: slotMs + MINUTE_MS,
    outcome,
    gap: null,
  };
  const needs = { stores: db.stores, clock: { now: () => slotMs } };
  const deliver = async () => {
    const statuses = await db.stores.watchedResults.readStatuses([ids.monitorId]);
    await recordWatchedResults(needs, { region: 'eu-west', results: [result], statuses });
  };
  await deliver();
  await deliver();
  const [quiet, loud] = await readBack(ids);
  expect([quiet?.kept, loud?.kept]).toEqual([[evidence('quiet')], null]);
  expect(quiet?.outcome?.response?.bodyPreview).toBeNull();
});

test('the last passing run has evidence, and a failed run has evidence in each step', async () => {
  const [accountId, scenarioId] = [newId('account'), newId('scenario')];
  await db.stores.statuses.create(accountId, pendingStatus(accountId, scenarioId));
  const [step] = runRecord({ accountId, scenarioId }).steps;
  if (step === undefined) throw new Error('the example has a step');
  const runOf = async (status: 'passed' | 'failed', second: number): Promise<RunRecord> => {
    const slotMs = FIRST_SLOT_MS + second * 1_000;
    const outcome = shown(passingOutcome(), `run ${second}`);
    const run = {
      ...runRecord({ accountId, scenarioId, slotMs }),
      status,
      finishedAtMs: slotMs + 500,
      steps: [{ ...step, outcome }],
    };
    await db.recorder.saveRun(run);
    return run;
  };
  const first = await runOf('passed', 1);
  const last = await runOf('passed', 2);
  const failed = await runOf('failed', 3);
  const evidenceOf = ({ region, runId }: RunRecord) =>
    db.stores.evidence.find(accountId, { resourceId: scenarioId, region, resultId: runId });
  expect(await evidenceOf(first)).toBeNull();
  expect(await evidenceOf(last)).toEqual([evidence('run 2')]);
  const stored = await db.stores.runs.find(accountId, last.runId);
  expect(stored?.steps[0]?.outcome?.response?.headers).toBeUndefined();
  const kept = await db.stores.runs.find(accountId, failed.runId);
  expect(kept?.steps[0]?.outcome?.response?.bodyPreview).toBe('body run 3');
  await runOf('passed', 4);
  expect(await evidenceOf(last)).toEqual([evidence('run 2')]);
});

test('evidence is deleted with its monitor and is never visible to another account', async () => {
  const ids = await newMonitor();
  await record(ids, 0, shown(passingOutcome(), 'mine'));
  await record(ids, 1, shown(failingOutcome(), 'failed'));
  const kept = { resourceId: ids.monitorId, region: 'eu-west' };
  const { evidence: collection, evidenceBefore } = db.database.models;
  const [stored] = await collection.find({ a: ids.accountId }).lean();
  const query = { ...kept, resultId: stored?.r ?? '' };
  expect(await db.stores.evidence.find(ids.accountId, query)).not.toBeNull();
  expect(await db.stores.evidence.find(newId('account'), query)).toBeNull();
  await db.stores.monitors.remove(ids.accountId, ids.monitorId);
  expect(await collection.countDocuments({ a: ids.accountId })).toBe(0);
  expect(await evidenceBefore.countDocuments({ a: ids.accountId })).toBe(0);
});
