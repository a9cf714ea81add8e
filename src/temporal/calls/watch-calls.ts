/**
 * Acts on watches (activities that repeat steady checks) from outside: fails an attempt by its token, and starts the
 * workflow that hands over the watches of a lost probe.
 */
import {
  ActivityNotFoundError,
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { readActivityRegion } from '../../contracts/probe-activity-ids';
import { type LostProbe, WATCH_HANDED_OVER } from '../../contracts/watches';
import {
  handOverWorkflowId,
  monitorWorkflowId,
  ORCHESTRATOR_QUEUE,
  WORKFLOW_TYPES,
} from '../../contracts/workflows';
import { callTemporal } from '../temporal-call';

const DEADLINE_MS = 2_500;
const { PENDING_ACTIVITY_STATE_STARTED, PENDING_ACTIVITY_STATE_CANCEL_REQUESTED } =
  temporal.api.enums.v1.PendingActivityState;

/**
 * Fails the attempt. Temporal retries the activity at once, on another probe. Returns false if the attempt had ended.
 */
export async function failWatch(
  client: Client,
  taskToken: string,
  reason: string,
): Promise<boolean> {
  return callTemporal(client, DEADLINE_MS, () =>
    isUnderWay(async () => {
      await client.activity.fail(Buffer.from(taskToken, 'base64'), handedOver(reason));
      return true;
    }),
  );
}

/**
 * Fails the activity by its id, because only the probe knows the token. Returns false if no probe has taken an attempt.
 */
export async function failUnopenedWatch(
  client: Client,
  { monitorId, region }: { readonly monitorId: string; readonly region: string },
  reason: string,
): Promise<boolean> {
  const workflowId = monitorWorkflowId(monitorId);
  return callTemporal(client, DEADLINE_MS, () =>
    isUnderWay(async () => {
      const activityId = await findTakenWatch(client, workflowId, region);
      if (activityId === null) return false;
      await client.activity.fail({ workflowId, activityId }, handedOver(reason));
      return true;
    }),
  );
}

async function findTakenWatch(
  client: Client,
  workflowId: string,
  region: string,
): Promise<string | null> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const taken = raw.pendingActivities?.find(
    ({ activityId, activityType, state }) =>
      activityType?.name === 'watchMonitor' &&
      readActivityRegion(activityId ?? '') === region &&
      (state === PENDING_ACTIVITY_STATE_STARTED ||
        state === PENDING_ACTIVITY_STATE_CANCEL_REQUESTED),
  );
  return taken?.activityId ?? null;
}

function handedOver(reason: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: WATCH_HANDED_OVER,
    message: reason,
    nextRetryDelay: 1,
  });
}

/** Runs `fail`. Returns false if the server does not know the attempt any more. */
async function isUnderWay(fail: () => Promise<boolean>): Promise<boolean> {
  try {
    return await fail();
  } catch (error) {
    if (error instanceof ActivityNotFoundError || error instanceof WorkflowNotFoundError)
      return false;
    throw error;
  }
}

/** Starts the hand-over. Each probe process has at most one hand-over at a time, so a repeated call changes nothing. */
export async function startHandOver(client: Client, probe: LostProbe): Promise<void> {
  const { instance, region } = probe;
  await callTemporal(client, DEADLINE_MS, async () => {
    try {
      await client.workflow.start<(lost: LostProbe) => Promise<number>>(WORKFLOW_TYPES.handOver, {
        workflowId: handOverWorkflowId(instance),
        taskQueue: ORCHESTRATOR_QUEUE,
        args: [probe],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `lost probe in ${region}`,
        staticDetails: `The probe ${instance} of region ${region} stopped reporting. Its watches move to other probes.`,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  });
}
