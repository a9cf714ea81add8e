/**
 * Sets how often a property is tested, and with which seed. CI uses a fixed seed. The long form tests ten times as
 * often.
 */
import { testSeed } from './test-seed';
import { testSize } from './test-size';

const LONG_FORM_TIMES = 10;

/** Multiplies the runs by a factor. KEEPWATCH_TEST_RUNS sets another factor. */
function multiplyRuns(runs: number): number {
  return Math.ceil(runs * testSize('runs', { ci: 1, long: LONG_FORM_TIMES }));
}

let seed: number | undefined;

/**
 * Returns the options of `fc.assert` and `fc.sample` for `runs` tries in CI. The seed is chosen, and printed, once per
 * file.
 */
export function propertyOptions(runs: number): { readonly numRuns: number; readonly seed: number } {
  seed ??= testSeed();
  return { numRuns: multiplyRuns(runs), seed };
}
