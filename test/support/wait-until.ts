/** Waits for a condition instead of for time to pass. All waits in the tests share this limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLongForm } from './test-size';

/** Generous on purpose: it ends a test that hangs, and says nothing about speed. */
export const WAIT_LIMIT_MS = isLongForm ? 600_000 : 120_000;
/**
 * Most conditions are met within this time, so it is polled often, but each poll takes CPU from what
 * it waits for.
 */
const SOON_MS = 2_000;
const LOOK_SOON_MS = 50;
/**
 * Waiting for a slot polls rarely, since each poll costs the service under test as much as a check.
 */
const LOOK_LATER_MS = 100;

/**
 * Resolves with the first value of `probe` that is not undefined and not false. A rejection of `probe` means not yet.
 * After the limit it throws with the description of the condition and the last error.
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
