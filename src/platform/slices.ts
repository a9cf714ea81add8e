/** Long work in slices, so that whatever else the process has to do is done between two of them. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 20;

/**
 * A function to call before each piece of the work: it resolves at once while the slice lasts, and otherwise after
 * everything that is waiting. Of several callers one goes on in each turn.
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
