/** Tests that concurrent calls are batched into one, and that none of them is lost or mixed up. */
import fc from 'fast-check';
import { createBatcher } from '../../src/platform/create-batcher';
import { propertyOptions } from '../support/property-runs';

test('calls that arrive during a running call share the next call, and each gets its own value', async () => {
  const batches: (readonly number[])[] = [];
  const double = createBatcher(
    async (items: readonly number[]) => {
      batches.push(items);
      await Promise.resolve();
      return items.map((item) => item * 2);
    },
    { itemsMax: 3 },
  );
  const values = await Promise.all([1, 2, 3, 4, 5, 6].map(double));
  expect(values).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
  expect(await double(7)).toBe(14);
});

test('a failed shared call fails only the callers of that call', async () => {
  const work = createBatcher(
    async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('broken');
      return items;
    },
    { itemsMax: 2 },
  );
  const settled = await Promise.allSettled(['a', 'b', 'bad', 'c', 'd'].map(work));
  const failed = settled.map(({ status }) => status === 'rejected');
  expect(failed).toEqual([false, true, true, false, false]);
});

test('in any order of calls and responses, each call gets the value of its own item', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(5), { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      async (pauses, itemsMax) => {
        const work = createBatcher(
          async (items: readonly number[]) => {
            for (let turn = 0; turn < (pauses[items[0] ?? 0] ?? 0); turn += 1)
              await Promise.resolve();
            return items.map((item) => `v${item}`);
          },
          { itemsMax },
        );
        const values = pauses.map(async (pause, index) => {
          for (let turn = 0; turn < pause; turn += 1) await Promise.resolve();
          return work(index);
        });
        expect(await Promise.all(values)).toEqual(pauses.map((_pause, index) => `v${index}`));
      },
    ),
    propertyOptions(100),
  );
});
