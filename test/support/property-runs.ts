/** How often a property is tried: in each run of the tests so many times, and as many times more as is asked for. */
export function propertyRuns(runs: number): number {
  return Math.ceil(runs * Number(process.env['KEEPWATCH_TEST_RUNS'] ?? 1));
}
