/** Retries a call until the API responds. Gives up after about the time that a restart of the API takes. */

/** Waits between tries, 3 s in all. */
const RETRY_WAITS_MS = [100, 300, 600, 1_000, 1_000] as const;
/** Time limit for all tries together. Without it, an API that hangs would make each try take long. */
const WITHIN_MS = 5_000;

/** Returns the first response. Throws the last error if none arrives: usually after about 3 s, at most after 5 s. */
export async function retryCall<Result>(ask: () => Promise<Result>): Promise<Result> {
  let reason: unknown = new Error('the API does not respond');
  let isOver = false;
  async function askAgain(): Promise<Result> {
    for (const waitMs of [0, ...RETRY_WAITS_MS]) {
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (isOver) break;
      try {
        return await ask();
      } catch (error) {
        reason = error;
      }
    }
    throw reason;
  }
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(reason), WITHIN_MS);
  });
  return Promise.race([askAgain(), limit]).finally(() => {
    isOver = true;
    clearTimeout(timer);
  });
}
