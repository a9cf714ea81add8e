/** Passes an alert to the escalation of its policy, if there is one. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  getExternalWorkflowHandle,
  proxyLocalActivities,
  sleep,
  startChild,
} from '@temporalio/workflow';
import type { AlertMessage } from '../../contracts/alerts';
import {
  ESCALATION_SIGNAL,
  type EscalationActivities,
  type EscalationState,
  escalationWorkflowId,
  type FoundPolicy,
} from '../../contracts/escalation';
import { WORKFLOW_TYPES } from '../../contracts/workflows';
import { beginEscalation, isForEscalation } from '../../domain/alerting/escalation-course';

/** Number of attempts. A recovery may arrive a moment before the escalation of its failure begins. */
const TRIES_MAX = 5;
const TRY_EVERY_MS = 2_000;

const local = proxyLocalActivities<EscalationActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Returns true if the escalation of its incident has taken the alert over. */
export async function isHandedOver(alert: AlertMessage): Promise<boolean> {
  const { kind, incidentId } = alert;
  if (!isForEscalation(alert) || incidentId === null) return false;
  const plan = await local.findPolicy(alert);
  if (plan === null || kind === 'recovery') return signalEscalation(alert, incidentId, plan);
  return beginOrSignal(alert, incidentId, plan);
}

/**
 * Signals the escalation of the incident. Returns false if there is no running escalation. An alert without a policy is
 * signalled, too, because the policy may have been removed after its escalation began.
 */
async function signalEscalation(
  alert: AlertMessage,
  incidentId: string,
  plan: FoundPolicy | null,
): Promise<boolean> {
  if (alert.kind === 'failure') return false;
  for (let tries = 1; ; tries += 1) {
    try {
      const handle = getExternalWorkflowHandle(escalationWorkflowId(incidentId));
      await handle.signal(ESCALATION_SIGNAL, alert);
      return true;
    } catch {
      if (plan === null || tries === TRIES_MAX) return false;
    }
    if (plan.known !== undefined) await start(incidentId, plan.known);
    await sleep(TRY_EVERY_MS);
  }
}

/**
 * Starts the escalation of the incident. If Temporal has lost a running escalation, it continues from its stored state.
 */
async function beginOrSignal(
  alert: AlertMessage,
  incidentId: string,
  { known, ...plan }: FoundPolicy,
): Promise<boolean> {
  const isNew = await start(incidentId, known ?? beginEscalation(alert, plan, Date.now()));
  if (isNew || alert.staysDown !== true) return true;
  // The escalation already knows the incident. The signal makes it start again, because the outage lasts long.
  try {
    await getExternalWorkflowHandle(escalationWorkflowId(incidentId)).signal(
      ESCALATION_SIGNAL,
      alert,
    );
    return true;
  } catch {
    return false;
  }
}

/** Starts the escalation. Returns false and changes nothing if it is running or has completed. */
async function start(incidentId: string, state: EscalationState): Promise<boolean> {
  try {
    await startChild(WORKFLOW_TYPES.escalation, {
      workflowId: escalationWorkflowId(incidentId),
      args: [state],
      parentClosePolicy: 'ABANDON',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      staticSummary: `escalation of ${state.plan.steps.length} steps`,
    });
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return false;
  }
}
