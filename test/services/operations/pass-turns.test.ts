/** Tests housekeeping passes over objects of all accounts. A large account does not delay a small one. */
import type { RunRecord } from '../../../src/contracts/records';
import type { Post } from '../../../src/domain/status-pages/post';
import { notifySuspensions } from '../../../src/services/operations/accounts/suspension';
import { closeLostRuns } from '../../../src/services/operations/close-lost-runs';
import { announcePosts } from '../../../src/services/subscribers/announce-posts';

const MANY = 40;
const { signal } = new AbortController();
const clock = { now: () => 1_000_000_000 };

/** Ids from `large-0` to `large-39`, then `small-0`. */
const IDS = [...Array.from({ length: MANY }, (_, index) => `large-${index}`), 'small-0'];
const accountOf = (id: string) => id.split('-')[0] ?? '';

/** Builds a fake with only the members that a pass uses. */
const fake = <Whole>(members: object): Whole => members as Whole;

test('lost runs are closed in turn for all accounts, so that a small account does not wait for a large account', async () => {
  const closed: string[] = [];
  const run = (runId: string) =>
    fake<RunRecord>({
      runId,
      accountId: accountOf(runId),
      status: 'running',
      steps: [],
      sequence: 1,
    });
  await closeLostRuns(
    fake<Parameters<typeof closeLostRuns>[0]>({
      clock,
      source: { listUnfinishedRuns: async () => IDS.map(run) },
      temporal: {
        listOpen: async () => [],
        isRunOpen: async () => false,
        listPendingRuns: async () => [],
      },
      recorder: { saveRun: async ({ runId }: RunRecord) => closed.push(runId) },
    }),
    signal,
  );
  expect(closed).toHaveLength(IDS.length);
  expect(closed.indexOf('small-0')).toBe(1);
});

test('unfinished notices are continued in turn for all accounts, so that a small account does not wait for a large account', async () => {
  const started: string[] = [];
  await announcePosts(
    fake<Parameters<typeof announcePosts>[0]>({
      clock,
      stores: {
        posts: { listChanged: async (): Promise<readonly Post[]> => [] },
        notices: {
          findIds: async () => new Set(),
          listSending: async () => IDS.map((id) => ({ id, accountId: accountOf(id) })),
        },
      },
      sendNotice: async ({ id }: { id: string }) => started.push(id),
    }),
    signal,
  );
  expect(started).toHaveLength(IDS.length);
  expect(started.indexOf('small-0')).toBe(1);
});

/**
 * Returns what a pass needs to notify these accounts. Each `large` account has many monitors, any other account has
 * one.
 */
function suspensionNeeds(accountIds: readonly string[], notify: (id: string) => void) {
  const marked: string[] = [];
  const list = async (accountId: string) => {
    const count = accountId.startsWith('large') ? MANY : 1;
    const ids = Array.from({ length: count }, (_, index) => `${accountId}-${index}`);
    return {
      items: ids.map((id) => ({ id, tags: [], groupKey: null, state: 'active' })),
      hasMore: false,
    };
  };
  const none = async () => ({ items: [], hasMore: false });
  const due = accountIds.map((id) => ({ id, unnotifiedSinceMs: 1 }));
  const needs = fake<Parameters<typeof notifySuspensions>[0]>({
    clock,
    sleep: async () => undefined,
    stores: fake({
      accounts: {
        find: async () => null,
        listUnnotified: async () => due.filter(({ id }) => !marked.includes(id)),
        markNotified: async ({ id }: { id: string }) => marked.push(id),
      },
      maintenanceWindows: { listAll: async () => [] },
      hours: { listAll: async () => [] },
      monitors: { list },
      scenarios: { list: none },
    }),
    gateway: { planMaintenance: async (_kind: string, id: string) => notify(id) },
  });
  return { needs, marked };
}

test('workflows of small suspended accounts are notified first, and a failing account does not stop another', async () => {
  const notified: string[] = [];
  const { needs, marked } = suspensionNeeds(['large', 'small'], (id) => {
    notified.push(id);
    if (id === 'large-3') throw new Error('broken');
  });
  await expect(notifySuspensions(needs, signal)).rejects.toThrow('broken');
  expect(notified[0]).toBe('small-0');
  expect(marked).toEqual(['small']);
});

test('workflows of all suspended accounts are notified, even if no single pass has time for all', async () => {
  const accountIds = ['large1', 'large2', 'large3'];
  let pass = new AbortController();
  let count = 0;
  const { needs, marked } = suspensionNeeds(accountIds, () => {
    count += 1;
    if (count % (MANY + 20) === 0) pass.abort();
  });
  for (let passes = 0; passes < accountIds.length; passes += 1) {
    pass = new AbortController();
    await notifySuspensions(needs, pass.signal).catch(() => undefined);
  }
  expect(marked.toSorted()).toEqual(accountIds);
});
