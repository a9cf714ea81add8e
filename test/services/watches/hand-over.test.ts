/**
 * Tests how watches are taken from a lost probe. The watches that are due first come first, a few at a time, and only
 * while the probe stays silent.
 */
import { watchId } from '../../../src/domain/health/watches';
import type { WatchHolder } from '../../../src/models/watches/watches';
import { handOver } from '../../../src/services/watches/hand-over';

const NOW_MS = 1_800_000_000_000;
const LOST = { instance: 'host:7:1', region: 'eu' };

/** Creates a lost probe with this many watches. `onFail` gets each token before the server does. */
function lostProbe(count: number, onFail: (token: string) => void = () => undefined) {
  const held: readonly WatchHolder[] = Array.from({ length: count }, (_, index) => ({
    ...LOST,
    accountId: 'acc',
    monitorId: `mon_${index}`,
    taskToken: `token-${index}`,
    openedAtMs: 1,
  }));
  let rows = held;
  let nowMs = NOW_MS;
  let readTakesMs = 0;
  let lastSeenAtMs = NOW_MS - 7_000;
  let total = 0;
  const failed: string[] = [];
  /** Tokens of attempts that have ended. */
  const over = new Set<string>();
  const opened = new Set<string>();
  const unopened: string[] = [];
  let polls = 0;
  let onWait = (): void => undefined;
  /**
   * Delivers the retry of the activity. If a poll of the lost probe is still open at the server, this poll gets the
   * retry. Otherwise, another probe gets it and opens the watch.
   */
  const repeat = (monitorId: string): void => {
    if (polls > 0) polls -= 1;
    else opened.add(monitorId);
  };
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
            findHolders: async () =>
              new Map(
                held
                  .filter(({ monitorId }) => opened.has(monitorId))
                  .map((one) => [watchId(one.monitorId, one.region), one]),
              ),
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
            repeat(token.replace('token-', 'mon_'));
            return !over.has(token);
          },
          failUnopenedWatch: async ({ monitorId }) => {
            unopened.push(monitorId);
            repeat(monitorId);
            return true;
          },
        },
        wait: async () => onWait(),
      },
      LOST,
      { signal, onProgress: (handedOver) => progress.push(handedOver) },
    );
  return {
    run,
    over,
    unopened,
    failed,
    progress,
    rows: () => rows,
    total: () => total,
    hangs: ({ withPolls, meanwhile = onWait }: { withPolls: number; meanwhile?: () => void }) => {
      polls = withPolls;
      onWait = meanwhile;
    },
    readSlowly: () => {
      readTakesMs = 8_000;
    },
    isHeardAgain: () => {
      lastSeenAtMs = NOW_MS;
    },
  };
}

test('all watches of a lost probe are ended in order, 24 at a time, and their records are deleted', async () => {
  const probe = lostProbe(60);
  expect(await probe.run()).toBe(60);
  expect(probe.failed).toEqual(Array.from({ length: 60 }, (_, index) => `token-${index}`));
  expect(probe.progress).toEqual([24, 48, 60, 60]);
  expect([probe.rows(), probe.total()]).toEqual([[], 60]);
});

test('a probe that reports again during the hand-over of its watches keeps the watches not yet handed over', async () => {
  const probe = lostProbe(60, (token) => {
    if (token === 'token-30') probe.isHeardAgain();
  });
  expect(await probe.run()).toBe(48);
  expect(probe.rows().map(({ taskToken }) => taskToken)).toEqual(
    Array.from({ length: 12 }, (_, index) => `token-${48 + index}`),
  );
});

test('a probe that reports again keeps its watches, even if the database is slow', async () => {
  const probe = lostProbe(60);
  probe.isHeardAgain();
  probe.readSlowly();
  expect(await probe.run()).toBe(0);
});

test('the hand-over ends a watch again if a hanging probe accepts it, until another probe opens the watch', async () => {
  const probe = lostProbe(30);
  probe.hangs({ withPolls: 32 });
  expect(await probe.run()).toBe(30);
  expect(probe.unopened.slice(0, 30)).toEqual(
    probe.failed.map((token) => token.replace('token-', 'mon_')),
  );
  expect(probe.unopened.slice(30)).toEqual(['mon_0', 'mon_1']);
});

test('a hanging probe that reports again during the hand-over keeps the watches that it has accepted', async () => {
  const probe = lostProbe(2);
  probe.hangs({ withPolls: 2, meanwhile: probe.isHeardAgain });
  expect(await probe.run()).toBe(2);
  expect(probe.unopened).toEqual([]);
});

test('if Temporal does not accept the end of a watch, its record stays, and the next call ends the watch', async () => {
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

test('watches whose attempts have already ended are not counted, but their records are deleted, too', async () => {
  const probe = lostProbe(30);
  for (const token of ['token-0', 'token-29']) probe.over.add(token);
  expect(await probe.run()).toBe(28);
  expect([probe.rows(), probe.total()]).toEqual([[], 28]);
});

test('the hand-over of a probe without watches causes no calls', async () => {
  const probe = lostProbe(0);
  expect([await probe.run(), probe.progress]).toEqual([0, []]);
});

test('a cancelled hand-over stops before the next batch', async () => {
  const stop = new AbortController();
  const probe = lostProbe(60, (token) => {
    if (token === 'token-10') stop.abort(new Error('cancelled'));
  });
  await expect(probe.run(stop.signal)).rejects.toThrow('cancelled');
  expect(probe.failed).toHaveLength(24);
});
