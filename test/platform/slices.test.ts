/** Tests long work in slices. Other work runs between two slices. */
import { createSlices, mapInSlices } from '../../src/platform/slices';

test('sliced work continues at once within its time slice, and lets other work run before its next slice', async () => {
  let nowMs = 0;
  const next = createSlices(() => nowMs);
  const order: string[] = [];
  setImmediate(() => order.push('somebody else'));
  await next();
  order.push('first piece');
  nowMs = 25;
  await next();
  order.push('second piece');
  expect(order).toEqual(['first piece', 'somebody else', 'second piece']);
});

test('if several sliced workers wait, only one of them continues in each turn of the event loop', async () => {
  let nowMs = 0;
  const next = createSlices(() => nowMs);
  let turn = 0;
  const count = (): void => {
    turn += 1;
    if (turn < 10) setImmediate(count);
  };
  setImmediate(count);
  nowMs = 25;
  const work = async (): Promise<number> => {
    await next();
    return turn;
  };
  const turns = await Promise.all([work(), work(), work()]);
  expect(new Set(turns).size).toBe(3);
});

test('a mapping in slices keeps the order of the items, and lets other work run in between', async () => {
  let nowMs = 0;
  const order: (string | number)[] = [];
  setImmediate(() => order.push('somebody else'));
  const double = (item: number): number => {
    nowMs += 4;
    order.push(item);
    return 2 * item;
  };
  expect(await mapInSlices([1, 2, 3], double, () => nowMs)).toEqual([2, 4, 6]);
  expect(order).toEqual([1, 2, 'somebody else', 3]);
});
