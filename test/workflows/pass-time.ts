/** Time for workflows under test, also where the time-skipping server forgets to skip. Tests nothing itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';

const { EventType, PendingActivityState } = temporal.api.enums.v1;
const SECOND_MS = 1_000;
const LOOK_MS = 100;
/** Shorter stretches at the real pace are work. */
const STANDSTILL_MS = 2 * SECOND_MS;

/**
 * Passes virtual time. The server counts who holds its clock, and on a busy machine sometimes keeps
 * count of a workflow task that has ended (temporalio/sdk-java#2246): from then on its time goes like
 * everybody's, for ever. Where it does so although nothing is under way, the count is put right.
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
    await Promise.race([passed, sleep(LOOK_MS)]);
    const nowMs = Date.now();
    const aheadMs = (await environment.currentTimeMs()) - nowMs;
    const isSkipping = Math.abs(aheadMs - offsetMs) > SECOND_MS;
    if (!isSkipping && nowMs - beganMs < STANDSTILL_MS) continue;
    if (!isSkipping && (await staysIdle(environment)) && !isPassed)
      await testService.unlockTimeSkipping({});
    beganMs = nowMs;
    offsetMs = aheadMs;
  }
  await passed;
}

/** Twice, since a task may just be on its way to a worker. */
async function staysIdle(environment: TestWorkflowEnvironment): Promise<boolean> {
  if (!(await isIdle(environment))) return false;
  await sleep(3 * LOOK_MS);
  return isIdle(environment);
}

/** Whether no worker has, or should have, a task of an open workflow: nothing then holds the clock. */
async function isIdle(environment: TestWorkflowEnvironment): Promise<boolean> {
  const { workflowService } = environment.connection;
  const namespace = environment.namespace ?? 'default';
  const request = { namespace, startTimeFilter: {} };
  const { executions } = await workflowService.listOpenWorkflowExecutions(request);
  for (const { execution = null } of executions) {
    const named = { namespace, execution };
    const described = await workflowService.describeWorkflowExecution({ ...named });
    if (described.pendingActivities.some(isAttemptUnderWay)) return false;
    const { history } = await workflowService.getWorkflowExecutionHistory({ ...named });
    if (isTaskUnderWay(history?.events?.at(-1))) return false;
  }
  return true;
}

type PendingActivity = temporal.api.workflow.v1.IPendingActivityInfo;

/** This server calls an activity that waits for its next attempt "started" too. */
export function isAttemptUnderWay(pending: PendingActivity): boolean {
  const { state, lastStartedTime, lastAttemptCompleteTime } = pending;
  if (state !== PendingActivityState.PENDING_ACTIVITY_STATE_STARTED) return false;
  const endedMs = optionalTsToMs(lastAttemptCompleteTime) ?? 0;
  return (optionalTsToMs(lastStartedTime) ?? 0) > endedMs;
}

function isTaskUnderWay(last: temporal.api.history.v1.IHistoryEvent | undefined): boolean {
  const type = last?.eventType;
  return (
    type === EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED ||
    type === EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED
  );
}
