/** Asks the API again while it does not answer, for as long as its restart takes. */

/** Waits between tries, 3 s in all. */
const RETRY_WAITS_MS = [100, 300, 600, 1_000, 1_000] as const;

/** The first answer; throws the last reason after about 3 s without one. */
export async function askPatiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  let reason: unknown;
  for (const waitMs of [0, ...RETRY_WAITS_MS]) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    try {
      return await ask();
    } catch (error) {
      reason = error;
    }
  }
  throw reason;
}
