/** How watches are taken from a lost probe: those that are due first, some at a time, while it stays silent. */
import type { WatchHolder } from '../../../src/models/watches/watches';
import { handOver } from '../../../src/services/watches/hand-over';

const NOW_MS = 1_800_000_000_000;
const LOST = { instance: 'host:7:1', region: 'eu' };

/** A lost probe with so many watches; `onFail` sees each token before the server does. */
function lostProbe(count: number, onFail: (token: string) => void = () => undefined) {
  let rows: readonly WatchHolder[] = Array.from({ length: count }, (_, index) => ({
    ...LOST,
    accountId: 'acc',
    monitorId: `mon_${index}`,
    taskToken: `token-${index}`,
    openedAtMs: 1,
  }));
  let nowMs = NOW_MS;
  let readTakesMs = 0;
  let lastSeenAtMs = NOW_MS - 7_000;
  let total = 0;
  const failed: string[] = [];
  /** Whose attempts are over. */
  const over = new Set<string>();
  const progress: number[] = [];
  const run = (signal = new AbortController().signal) =>
    handOver(
      {
        clock: { now: () => nowMs },
        stores: {
          watches: {
            findInstance: async () => {
              nowMs += readTakesMs;
              return { ...LOST, lastSeenAtMs, heardSinceMs: 1 };
            },
            listHeldBy: async () => rows,
            forget: async (gone) => {
              rows = rows.filter(
                (row) => !gone.some(({ taskToken }) => taskToken === row.taskToken),
              );
            },
            addToTotals: async (_, { handedOver = 0 }) => {
              total += handedOver;
            },
          },
        },
        gateway: {
          failWatch: async (token) => {
            onFail(token);
            failed.push(token);
            return !over.has(token);
          },
        },
      },
      LOST,
      { signal, onProgress: (handedOver) => progress.push(handedOver) },
    );
  return {
    run,
    over,
    failed,
    progress,
    rows: () => rows,
    total: () => total,
    readSlowly: () => {
      readTakesMs = 8_000;
    },
    isHeardAgain: () => {
      lastSeenAtMs = NOW_MS;
    },
  };
}

test('all are failed in their order, 24 at a time, and their rows go', async () => {
  const probe = lostProbe(60);
  expect(await probe.run()).toBe(60);
  expect(probe.failed).toEqual(Array.from({ length: 60 }, (_, index) => `token-${index}`));
  expect(probe.progress).toEqual([24, 48, 60]);
  expect([probe.rows(), probe.total()]).toEqual([[], 60]);
});

test('a probe that is heard again keeps the rest', async () => {
  const probe = lostProbe(60, (token) => {
    if (token === 'token-30') probe.isHeardAgain();
  });
  expect(await probe.run()).toBe(48);
  expect(probe.rows().map(({ taskToken }) => taskToken)).toEqual(
    Array.from({ length: 12 }, (_, index) => `token-${48 + index}`),
  );
});

test('a probe that is heard again keeps its watches, however long the database takes to say so', async () => {
  const probe = lostProbe(60);
  probe.isHeardAgain();
  probe.readSlowly();
  expect(await probe.run()).toBe(0);
});

test('what the server does not take keeps its row, and is failed by the next call', async () => {
  let isAway = true;
  const probe = lostProbe(30, (token) => {
    if (isAway && token === 'token-25') throw new Error('Temporal is away');
  });
  await expect(probe.run()).rejects.toThrow('Temporal is away');
  expect(probe.rows()).toHaveLength(6);
  isAway = false;
  expect(await probe.run()).toBe(6);
  expect([probe.rows(), probe.total()]).toEqual([[], 30]);
});

test('attempts that are over are not counted, and their rows go, too', async () => {
  const probe = lostProbe(30);
  for (const token of ['token-0', 'token-29']) probe.over.add(token);
  expect(await probe.run()).toBe(28);
  expect([probe.rows(), probe.total()]).toEqual([[], 28]);
});

test('a probe without watches costs nothing', async () => {
  const probe = lostProbe(0);
  expect([await probe.run(), probe.progress]).toEqual([0, []]);
});

test('a call that is cancelled stops before the next of them', async () => {
  const stop = new AbortController();
  const probe = lostProbe(60, (token) => {
    if (token === 'token-10') stop.abort(new Error('cancelled'));
  });
  await expect(probe.run(stop.signal)).rejects.toThrow('cancelled');
  expect(probe.failed).toHaveLength(24);
});
