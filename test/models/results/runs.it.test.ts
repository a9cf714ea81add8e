/** Tests operations on stored runs other than reading: ending, counting requests, and discarding. */
import type { RunRecord } from '../../../src/contracts/records';
import { FIRST_SLOT_MS, newId, runRecord } from '../example-records';
import { withStores } from '../with-stores';

const db = withStores();

/** Returns a run that was requested at this second. */
function requested(owner: Pick<RunRecord, 'accountId' | 'scenarioId'>, second: number): RunRecord {
  const slotMs = FIRST_SLOT_MS + second * 1_000;
  return { ...runRecord({ ...owner, slotMs }), trigger: 'api' };
}

async function stored(run: RunRecord): Promise<RunRecord> {
  await db.stores.runs.save(run.accountId, run);
  return run;
}

const newOwner = () => ({ accountId: newId('account'), scenarioId: newId('scenario') });

test('a stored run keeps the CI source that requested it', async () => {
  const source = {
    provider: 'ci',
    repository: 'shop/api',
    branch: '$main.x',
    commit: 'abc',
    url: 'https://ci.example/1',
    actor: null,
  };
  const run = await stored({ ...requested(newOwner(), 0), source });
  expect(await db.stores.runs.find(run.accountId, run.runId)).toMatchObject({ source });
});

test('ended runs can be listed among many runs, and only in their own account', async () => {
  const owner = newOwner();
  const open = await stored(requested(owner, 0));
  const ended = await stored({ ...requested(owner, 1), status: 'failed', sequence: 3 });
  const foreign = await stored({ ...requested(newOwner(), 1), status: 'failed', sequence: 3 });
  const ids = [open, ended, foreign].map(({ runId }) => runId);
  expect([...(await db.stores.runs.findEnded(owner.accountId, ids))]).toEqual([ended.runId]);
});

test('only unfinished runs of the scenario that were requested earlier are counted, up to the limit', async () => {
  const owner = newOwner();
  const mine = requested(owner, 10);
  for (const second of [1, 2, 3]) await stored(requested(owner, second));
  await stored({ ...requested(owner, 4), status: 'waiting' });
  await stored({ ...requested(owner, 5), status: 'passed' });
  await stored({ ...requested(owner, 6), trigger: 'schedule' });
  await stored(requested(owner, 11));
  await stored(requested({ ...owner, scenarioId: newId('scenario') }, 1));
  const query = { scenarioId: owner.scenarioId, beforeId: mine.runId };
  const count = (accountId: string, limit: number) =>
    db.stores.runs.countRequested(accountId, { ...query, limit });
  expect(await count(owner.accountId, 20)).toBe(4);
  expect(await count(owner.accountId, 3)).toBe(3);
  expect(await count(newId('account'), 20)).toBe(0);
});

test('only runs that never reached their workflow are discarded, and only in their own account', async () => {
  const owner = newOwner();
  const refused = await stored(requested(owner, 0));
  const begun = await stored({ ...requested(owner, 1), status: 'running', sequence: 1 });
  const foreign = await stored(requested(newOwner(), 0));
  const ids = [refused, begun, foreign].map(({ runId }) => runId);
  await db.stores.runs.discard(owner.accountId, ids);
  expect(await db.stores.runs.find(owner.accountId, refused.runId)).toBeNull();
  expect(await db.stores.runs.find(owner.accountId, begun.runId)).not.toBeNull();
  expect(await db.stores.runs.find(foreign.accountId, foreign.runId)).not.toBeNull();
});
