/** Tests a queue for expensive work with limited concurrency. */
import { createBoundedQueue } from '../../src/platform/bounded-queue';

test('a bounded queue runs a few jobs at a time and in order, and refuses jobs while too many are waiting', async () => {
  const queue = createBoundedQueue({ atOnce: 2, waitingMax: 3 });
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3, 4].map((index) =>
    queue(async () => {
      began.push(index);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
      });
      return index;
    }),
  );
  await expect(queue(async () => 5)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 2,
  });
  expect(began).toEqual([0, 1]);
  for (let index = 0; index < all.length; index += 1) {
    ends[index]?.();
    await all[index];
  }
  expect(began).toEqual([0, 1, 2, 3, 4]);
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
});

test('a job that fails makes room for the next job of the bounded queue', async () => {
  const queue = createBoundedQueue({ atOnce: 1, waitingMax: 0 });
  const failing = queue(() => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await queue(async () => 1)).toBe(1);
});
