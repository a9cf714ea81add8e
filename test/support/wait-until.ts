/** Waits for a condition instead of for time to pass. The limit of every wait in the tests is here. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLongForm } from './test-size';

/** Generous on purpose: it ends a test that hangs, and says nothing about how fast something is. */
export const WAIT_LIMIT_MS = isLongForm ? 600_000 : 120_000;
/** What comes at all mostly comes within this time, and is looked for often. */
const SOON_MS = 2_000;
const LOOK_SOON_MS = 25;
/** Who waits for a slot asks seldom: each look costs the service under test as much as a check. */
const LOOK_LATER_MS = 100;

/**
 * The first value of `probe` that is neither undefined nor false; a rejection of `probe` counts as
 * not yet. Fails after the limit with what was waited for and the last error.
 */
export async function waitUntil<Value>(
  what: string,
  probe: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
  const beganAt = Date.now();
  const deadline = beganAt + WAIT_LIMIT_MS;
  let lastError: unknown;
  while (Date.now() < deadline) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      lastError = error;
    }
    await sleep(Date.now() - beganAt < SOON_MS ? LOOK_SOON_MS : LOOK_LATER_MS);
  }
  throw new Error(`Not within ${WAIT_LIMIT_MS} ms: ${what}`, { cause: lastError });
}
