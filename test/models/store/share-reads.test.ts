/**
 * Tests that equal reads of parallel callers are joined, and that no caller gets a result that is older than its call.
 */
import fc from 'fast-check';
import { shareRead, withSharedReads } from '../../../src/models/store/share-reads';
import { propertyOptions } from '../../support/property-runs';

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

test("a shared read never gives a caller a result that is older than the caller's own call", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ pause: fc.nat(9), account: fc.nat(1) }), { maxLength: 40 }),
      fc.array(fc.nat(6), { minLength: 1, maxLength: 5 }),
      async (calls, durations) => {
        let now = 0;
        const begun: number[] = [];
        const read = shareRead(async (account: number) => {
          const atMs = ++now;
          begun.push(atMs);
          await pass(durations[begun.length % durations.length] ?? 0);
          return { account, atMs };
        });
        const results = calls.map(async ({ pause, account }) => {
          await pass(pause);
          const calledAtMs = ++now;
          const result = await read(account);
          return result.account === account && result.atMs > calledAtMs;
        });
        expect(await Promise.all(results)).toEqual(calls.map(() => true));
        expect(begun.length).toBeLessThanOrEqual(calls.length);
      },
    ),
    propertyOptions(100),
  );
});

test('of ten equal calls at the same time, the first call makes one read, and the other calls share a second read', async () => {
  let reads = 0;
  const read = shareRead(async () => ++reads);
  const values = await Promise.all(Array.from({ length: 10 }, () => read()));
  expect(values).toEqual([1, ...Array.from({ length: 9 }, () => 2)]);
});

test('the failure of a shared read reaches only the callers that shared it', async () => {
  let reads = 0;
  const read = shareRead(async () => {
    reads += 1;
    if (reads === 2) throw new Error('broken');
    return reads;
  });
  const settled = await Promise.allSettled([read(), read(), read()]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await read()).toBe(3);
});

test('a shared read without a response ends after its deadline, and the next call reads again', async () => {
  let reads = 0;
  const store = {
    find: (): Promise<number> => {
      reads += 1;
      return reads === 1 ? new Promise(() => undefined) : Promise.resolve(reads);
    },
    other: 'kept',
  };
  const shared = withSharedReads(store, ['find'], 1);
  await expect(shared.find()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await shared.find()).toBe(2);
  expect(shared.other).toBe('kept');
});
