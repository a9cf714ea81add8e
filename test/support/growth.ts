/**
 * Expects that work on a large input ends, without measuring its duration. Work of quadratic complexity would run for
 * longer than any test waits, and is then aborted.
 */
import { runInNewContext } from 'node:vm';
import { WAIT_LIMIT_MS } from './wait-until';

/**
 * Length of a large input. It is longer than any untrusted text that a function reads at once. A quadratic algorithm
 * would take some minutes for it.
 */
export const LARGE = 262_144;

/** Runs the work. If the work does not end in time, throws an error that names the work. */
export function expectEnds(what: string, work: () => unknown): void {
  try {
    runInNewContext('work()', { work: () => void work() }, { timeout: WAIT_LIMIT_MS });
  } catch (error) {
    throw new Error(`the work on ${what} did not end`, { cause: error });
  }
}
