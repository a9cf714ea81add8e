/**
 * Expects that work on a large input ends. No time is compared: work of quadratic complexity would
 * run longer than any test waits, and is then aborted.
 */
import { runInNewContext } from 'node:vm';
import { WAIT_LIMIT_MS } from './wait-until';

/**
 * More than any function reads of foreign text at once. A quadratic algorithm takes some minutes.
 */
export const LARGE = 262_144;

/** Throws with the name of the work. */
export function expectEnds(what: string, work: () => unknown): void {
  try {
    runInNewContext('work()', { work: () => void work() }, { timeout: WAIT_LIMIT_MS });
  } catch (error) {
    throw new Error(`the work on ${what} did not end`, { cause: error });
  }
}
