/** Tests the pace of many small jobs, with a clock that moves only in sleeps. */
import { interleave, runAtPace } from '../../src/platform/paced';

function virtualPace() {
  let nowMs = 0;
  const sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ atMs: nowMs + ms, wake });
    });
  /** Wakes one sleeper after the other until the work has ended. */
  const drive = async (work: Promise<void>): Promise<void> => {
    let isEnded = false;
    const ended = work.finally(() => {
      isEnded = true;
    });
    ended.catch(() => undefined);
    while (!isEnded) {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      const [next] = sleepers.sort((a, b) => a.atMs - b.atMs).splice(0, 1);
      if (next !== undefined) nowMs = next.atMs;
      next?.wake();
    }
    return ended;
  };
  return { now: () => nowMs, sleep, drive };
}

const items = Array.from({ length: 200 }, (_, index) => index);
const { signal } = new AbortController();

test('in one second, no more jobs start than the pace allows, and every job runs once', async () => {
  const { now, sleep, drive } = virtualPace();
  const begun: { item: number; atMs: number }[] = [];
  const pace = { perSecond: 20, atOnce: 8, sleep, signal };
  await drive(
    runAtPace(items, pace, async (item) => {
      begun.push({ item, atMs: now() });
      await sleep(item % 7 === 0 ? 900 : 3);
    }),
  );
  expect(begun.map(({ item }) => item).sort((a, b) => a - b)).toEqual(items);
  const busiest = begun.map(
    ({ atMs }) => begun.filter((other) => other.atMs >= atMs && other.atMs < atMs + 1_000).length,
  );
  expect(Math.max(...busiest)).toBeLessThanOrEqual(25);
  expect(now()).toBeLessThan(20_000);
});

test('after a failed job, no further job starts, and the work ends with the running jobs', async () => {
  const { sleep, drive } = virtualPace();
  let begun = 0;
  let ended = 0;
  const work = runAtPace(items, { perSecond: 20, atOnce: 8, sleep, signal }, async (item) => {
    begun += 1;
    await sleep(500);
    ended += 1;
    if (item === 10) throw new Error('broken');
  });
  await expect(drive(work)).rejects.toThrow('broken');
  expect(begun).toBeLessThan(40);
  expect(ended).toBe(begun);
});

test('after a cancellation, no further paced job starts', async () => {
  const { sleep, drive } = virtualPace();
  const calling = new AbortController();
  let begun = 0;
  const pace = { perSecond: 20, atOnce: 8, sleep, signal: calling.signal };
  const work = runAtPace(items, pace, async () => {
    begun += 1;
    if (begun === 5) calling.abort(new Error('called off'));
  });
  await expect(drive(work)).rejects.toThrow('called off');
  expect(begun).toBe(5);
});

test('owners take turns, and the jobs of each owner keep their order', () => {
  const jobs = ['b1', 'b2', 'b3', 'a1', 'b4', 'a2'];
  const ordered = interleave(jobs, ([owner = '']) => owner);
  expect(ordered).toEqual(['b1', 'a1', 'b2', 'a2', 'b3', 'b4']);
});
