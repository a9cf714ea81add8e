/**
 * Holds that work on a large input ends. No time is compared: work that grew with the square of this input would
 * go on for longer than any test waits, and is broken off then.
 */
import { runInNewContext } from 'node:vm';
import { WAIT_LIMIT_MS } from './wait-until';

/** More than what rules read of others at once. Its square takes JavaScript some minutes. */
export const LARGE = 262_144;

/** Fails with what was worked on. */
export function expectEnds(what: string, work: () => unknown): void {
  try {
    runInNewContext('work()', { work: () => void work() }, { timeout: WAIT_LIMIT_MS });
  } catch (error) {
    throw new Error(`the work on ${what} did not end`, { cause: error });
  }
}
