/** Time for workflows under test, also where the time-skipping server forgets to skip. Tests nothing itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';

const SECOND_MS = 1_000;
/** A check under way holds the clock, and tests hold checks for up to 16 s. */
const STANDSTILL_MS = 30 * SECOND_MS;

/**
 * Passes virtual time. The server counts who holds its clock, and on a busy machine sometimes keeps
 * count of a workflow task that has ended (temporalio/sdk-java#2246): from then on its time goes like
 * everybody's, for ever. Where it does so for longer than any work takes, the count is put right.
 */
export async function passTime(environment: TestWorkflowEnvironment, ms: number): Promise<void> {
  const { testService } = environment.connection;
  if (testService === undefined) return environment.sleep(ms);
  let isPassed = false;
  const passed = environment.sleep(ms).finally(() => {
    isPassed = true;
  });
  let beganMs = Date.now();
  let offsetMs = (await environment.currentTimeMs()) - beganMs;
  while (!isPassed) {
    await Promise.race([passed, sleep(100)]);
    const nowMs = Date.now();
    const aheadMs = (await environment.currentTimeMs()) - nowMs;
    const isSkipping = Math.abs(aheadMs - offsetMs) > SECOND_MS;
    if (!isSkipping && nowMs - beganMs < STANDSTILL_MS) continue;
    if (!isSkipping && !isPassed) await testService.unlockTimeSkipping({});
    beganMs = nowMs;
    offsetMs = aheadMs;
  }
  await passed;
}
