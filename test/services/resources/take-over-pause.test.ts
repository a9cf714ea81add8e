/**
 * Tests a pause that an operator set in Temporal. It becomes the pause of the stored monitor, except if people have
 * saved the monitor since.
 */
import type { OperatorChangeRecord } from '../../../src/contracts/records';
import type { Monitor } from '../../../src/models/resources/monitors';
import { takeOverPause } from '../../../src/services/resources/take-over-pause';
import { FIRST_SLOT_MS, monitorRow } from '../../models/example-records';

const ACCOUNT = 'acc_a';
const AT_MS = FIRST_SLOT_MS + 60_000;

/** Creates a store with one monitor. */
function storeOf(initial: Monitor | null) {
  let row = initial;
  const rows = {
    find: async () => row,
    async replace(_accountId: string, next: Monitor, expectedVersion: number) {
      if (row?.version !== expectedVersion) return false;
      row = next;
      return true;
    },
  };
  const none = { find: async () => null, replace: async () => false };
  return { stores: { monitors: rows, scenarios: none }, current: () => row };
}

const recordOf = (row: Monitor, changes: Partial<OperatorChangeRecord> = {}) => ({
  accountId: ACCOUNT,
  kind: 'monitor' as const,
  id: row.id,
  version: row.version,
  change: { paused: true, reason: 'deploy', atMs: AT_MS },
  ...changes,
});

test('a pause by an operator in Temporal is stored as the next version, with its reason and without an end', async () => {
  const row = monitorRow(ACCOUNT);
  const { stores, current } = storeOf(row);
  expect(await takeOverPause(stores, recordOf(row))).toEqual({ gone: false, version: 2 });
  expect(current()).toMatchObject({
    state: 'paused',
    pausedAtMs: AT_MS,
    pausedUntilMs: null,
    pauseReason: 'deploy',
    version: 2,
    updatedAtMs: AT_MS,
  });
});

test('recording the same pause twice changes nothing the second time, and gives the same result', async () => {
  const row = monitorRow(ACCOUNT);
  const { stores, current } = storeOf(row);
  await takeOverPause(stores, recordOf(row));
  const after = current();
  expect(await takeOverPause(stores, recordOf(row))).toEqual({ gone: false, version: 2 });
  expect(current()).toBe(after);
});

test('an operator who resumes a monitor ends its pause', async () => {
  const row = monitorRow(ACCOUNT, { state: 'paused', pausedAtMs: FIRST_SLOT_MS });
  const { stores, current } = storeOf(row);
  await takeOverPause(
    stores,
    recordOf(row, { change: { paused: false, reason: null, atMs: AT_MS } }),
  );
  expect(current()).toMatchObject({
    state: 'active',
    pausedAtMs: FIRST_SLOT_MS,
    pausedUntilMs: AT_MS,
  });
});

test('a pause does not change a resource that was saved after the pause, or is being deleted', async () => {
  for (const row of [
    monitorRow(ACCOUNT, { version: 3 }),
    monitorRow(ACCOUNT, { state: 'deleting' }),
  ]) {
    const { stores, current } = storeOf(row);
    const outcome = await takeOverPause(stores, recordOf(row, { version: 1 }));
    expect(outcome).toEqual({ gone: false, version: null });
    expect(current()).toBe(row);
  }
});

test('recording a pause of a deleted resource reports that the resource is gone', async () => {
  const { stores } = storeOf(null);
  const outcome = await takeOverPause(stores, recordOf(monitorRow(ACCOUNT)));
  expect(outcome).toEqual({ gone: true, version: null });
});
