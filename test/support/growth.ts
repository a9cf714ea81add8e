/** Holds that work grows no faster than its input: CPU time at n and 4n, compared by ratio. */

const TRIES = 3;
const MEASUREMENTS_MAX = 5;
const FACTOR = 4;
/** Linear work takes 4 times as long, quadratic work 16 times; the rest is noise. */
const RATIO_MAX = 9;
/** Below this, the clock and the compiler of the engine decide. */
const MEASURABLE_MS = 3;

/** The least of a few tries, and no further one once it is below the bound. */
async function cpuMsOf(work: () => unknown, enoughBelowMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < TRIES && least >= enoughBelowMs; count += 1) {
    const startedAt = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(startedAt);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** How many times as much work 4n is than n; work too little to measure counts as linear. */
async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  const large = await cpuMsOf(() => work(size * FACTOR), MEASURABLE_MS);
  if (large < MEASURABLE_MS) return FACTOR;
  const floor = MEASURABLE_MS / FACTOR;
  return large / Math.max(await cpuMsOf(() => work(size), floor), floor);
}

/**
 * Fails when the work grows clearly faster than its input. What else the process does, like collecting
 * garbage, can only make a ratio larger: one that is small enough shows that the work is linear.
 */
export async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < MEASUREMENTS_MAX && least >= RATIO_MAX; count += 1) {
    least = Math.min(least, await growthOf(work, size));
  }
  expect(least).toBeLessThan(RATIO_MAX);
}
