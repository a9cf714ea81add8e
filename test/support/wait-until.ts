/** Waits for a condition instead of for time to pass. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The first value of `probe` that is neither undefined nor false; a rejection of `probe` counts as
 * not yet. Fails after `withinMs` with what was waited for and the last error.
 */
export async function waitUntil<Value>(
  what: string,
  probe: () => Promise<Value | undefined | false> | Value | undefined | false,
  withinMs = 60_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  let lastError: unknown;
  while (Date.now() < deadline) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      lastError = error;
    }
    await sleep(25);
  }
  throw new Error(`Not within ${withinMs} ms: ${what}`, { cause: lastError });
}
