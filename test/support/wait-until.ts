/** Waits for a condition instead of for time to pass. All waits in the tests share this limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLongForm } from './test-size';

/**
 * Upper bound of a wait in milliseconds. It is generous on purpose. It only ends a test that hangs, and is no statement
 * about speed.
 */
export const WAIT_LIMIT_MS = isLongForm ? 600_000 : 120_000;
/**
 * Most conditions are met within this time, so conditions are polled often until then. Polling even more often would
 * take CPU from the work for which the test waits.
 */
const SOON_MS = 2_000;
const LOOK_SOON_MS = 50;
/**
 * Milliseconds between later polls. They are rare, because each poll for a slot costs the service under test as much as
 * a check.
 */
const LOOK_LATER_MS = 100;

/**
 * Resolves to the first value of `probe` that is not undefined and not false. A rejection of `probe` means that the
 * condition is not met yet. After the limit, throws an error with the description of the condition and the last error.
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
