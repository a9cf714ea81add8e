/**
 * Attempts of one workflow that end one after the other. The time-skipping server loses an attempt that ends, or
 * asks to be repeated, while a workflow task asks for its end; the real one does not. Tests nothing itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { temporal } from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { isAttemptUnderWay } from './pass-time';

const { PendingActivityState } = temporal.api.enums.v1;
const LOOK_MS = 25;
/** In real time; afterwards an attempt ends all the same. */
const PATIENCE_MS = 5_000;

/** To be awaited as the last thing of an attempt that ends its activity. */
export type AwaitTurn = (workflowId: string, activityId: string) => Promise<void>;

/**
 * The first one waits until no other attempt is under way, except those that wait for it; these wait until the
 * workflow has asked for their end.
 */
export function endOneAtATime(environment: TestWorkflowEnvironment): AwaitTurn {
  const namespace = environment.namespace ?? 'default';
  const lines = new Map<string, readonly string[]>();
  const isTurn = async (workflowId: string, activityId: string): Promise<boolean> => {
    const asked = { namespace, execution: { workflowId } };
    const { workflowService } = environment.connection;
    const { pendingActivities } = await workflowService.describeWorkflowExecution(asked);
    const pending = new Map(pendingActivities.map((one) => [one.activityId ?? '', one]));
    const line = (lines.get(workflowId) ?? []).filter((id) => pending.has(id));
    lines.set(workflowId, line);
    const { PENDING_ACTIVITY_STATE_CANCEL_REQUESTED } = PendingActivityState;
    if (pending.get(activityId)?.state === PENDING_ACTIVITY_STATE_CANCEL_REQUESTED) return true;
    const isOver = ([id, one]: [string, (typeof pendingActivities)[number]]): boolean =>
      line.includes(id) || !isAttemptUnderWay(one);
    return line[0] === activityId && [...pending].every(isOver);
  };
  return async (workflowId, activityId) => {
    lines.set(workflowId, [...(lines.get(workflowId) ?? []), activityId]);
    const untilMs = Date.now() + PATIENCE_MS;
    while (Date.now() < untilMs && !(await isTurn(workflowId, activityId))) await sleep(LOOK_MS);
  };
}
