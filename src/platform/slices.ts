/** Splits long work into slices, so that the event loop can do other work in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time in ms for which other requests wait. */
const SLICE_MS = 5;

/**
 * Returns a function to await before each piece of work. During a slice, its promise resolves immediately. After a
 * slice, it resolves when all other waiting work has run. Several callers take turns.
 */
export function createSlices(steadyNow = (): number => performance.now()): () => Promise<void> {
  let begunAt = steadyNow();
  let line: Promise<void> = Promise.resolve();
  const wait = async (before: Promise<void>): Promise<void> => {
    await before;
    await nextTurn();
    begunAt = steadyNow();
  };
  return async () => {
    if (steadyNow() - begunAt < SLICE_MS) return;
    line = wait(line);
    await line;
  };
}

/** Maps the items in order, in slices. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  steadyNow?: () => number,
): Promise<readonly Result[]> {
  const nextSlice = createSlices(steadyNow);
  const results: Result[] = [];
  for (const item of items) {
    await nextSlice();
    results.push(map(item));
  }
  return results;
}
