/**
 * One incident that goes by an alert policy: notifies one step after the other until somebody answers,
 * and everyone who was notified of the end. Each notification is an alert with a workflow of its own;
 * this one sends nothing itself.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  condition,
  defineSignal,
  defineUpdate,
  log,
  proxyLocalActivities,
  setHandler,
  startChild,
} from '@temporalio/workflow';
import {
  type AlertInput,
  type AlertMessage,
  alertWorkflowId,
  type IncidentSilence,
} from '../../contracts/alerts';
import {
  ESCALATION_SIGNAL,
  type EscalationActivities,
  type EscalationContact,
  type EscalationState,
} from '../../contracts/escalation';
import { SIGNALS, SILENCE_UPDATE, WORKFLOW_TYPES } from '../../contracts/workflows';
import {
  dueMoments,
  isSnoozed,
  lastOfEachStep,
  momentsOf,
  nextDueMs,
  withResponse,
  withSnoozeEnded,
} from '../../domain/alerting/escalation';
import { isTimeToContinue, startOver } from '../loop/continue';
import { isSilence } from '../loop/signal-arguments';

/** It is looked again so often whether a pause or maintenance is over. */
const HOLD_MS = 2 * 60_000;
/** The recovery of what is over may have to wait for the end of maintenance or of flapping. */
const RECOVERY_WAIT_MS = 7 * 24 * 3_600_000;

const local = proxyLocalActivities<EscalationActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

interface Escalation {
  state: EscalationState;
  /** Set by every signal and update; the loop clears it before it looks at the state. */
  woken: boolean;
  /** To another build of the workflows. */
  mustMoveOn: boolean;
  recovery: AlertMessage | null;
}

/** Ends once the recovery is durable, or nobody waits for one. */
export async function escalationWorkflow(given: EscalationState): Promise<void> {
  const escalation: Escalation = {
    state: given,
    woken: false,
    mustMoveOn: false,
    recovery: null,
  };
  handleAnswers(escalation);
  while (escalation.recovery === null) {
    if (isTimeToContinue(escalation.state.alert.id, escalation.mustMoveOn))
      await startOver<typeof escalationWorkflow>(escalation.state);
    escalation.woken = false;
    if (escalation.state.isOver) {
      const isRecovered = await sleep(escalation, RECOVERY_WAIT_MS, 'recovery');
      if (!isRecovered) return;
    } else await act(escalation);
  }
  await sendRecovery(escalation.state, escalation.recovery);
}

/** Registered before the first await; they only change the state and wake the loop. */
function handleAnswers(escalation: Escalation): void {
  const answer = (silence: IncidentSilence): void => {
    escalation.state = withResponse(escalation.state, silence, Date.now());
    escalation.woken = true;
  };
  setHandler(defineUpdate<void, [IncidentSilence]>(SILENCE_UPDATE), answer, {
    validator: (silence) => {
      if (!isSilence(silence)) throw new Error('it must say what incident is silenced, and how');
    },
  });
  setHandler(defineSignal<[unknown]>(SIGNALS.silence), (silence) => {
    if (isSilence(silence)) answer(silence);
    else log.warn('ignored an acknowledgement with arguments that are not understood');
  });
  setHandler(defineSignal(SIGNALS.moveOn), () => {
    escalation.mustMoveOn = true;
    escalation.woken = true;
  });
  setHandler(defineSignal<[AlertMessage]>(ESCALATION_SIGNAL), (alert) => {
    if (alert.kind !== 'recovery') return;
    escalation.recovery = alert;
    escalation.woken = true;
  });
}

/** True when something came in between. */
function sleep(escalation: Escalation, ms: number, summary: string): Promise<boolean> {
  return condition(() => escalation.woken, Math.max(1, ms), { summary });
}

async function act(escalation: Escalation): Promise<void> {
  const nowMs = Date.now();
  escalation.state = withSnoozeEnded(escalation.state, nowMs);
  const { state } = escalation;
  const moments = momentsOf(state.plan.steps);
  const dueMs = isResumable(state) ? nowMs : nextDueMs(state, moments);
  if (dueMs === null || dueMs > nowMs) return waitFor(escalation, dueMs);
  const { alert, plan } = state;
  const question = { alert, quietHours: plan.quietHours, atMs: nowMs };
  const { state: standing, silence, quietUntilMs } = await local.readEscalationStatus(question);
  // Of an answer that never reached this workflow the database knows.
  if (silence !== null) {
    const before = escalation.state;
    escalation.state = withResponse(before, silence, nowMs);
    if (escalation.state !== before) return;
  }
  if (escalation.woken) return;
  if (standing === 'gone' || standing === 'over') {
    escalation.state = { ...escalation.state, isOver: true };
    return;
  }
  const holdMs = standing === 'hold' ? HOLD_MS : (quietUntilMs ?? nowMs) - nowMs;
  if (holdMs > 0) {
    await sleep(
      escalation,
      holdMs,
      standing === 'hold' ? 'end of the pause' : 'end of quiet hours',
    );
    return;
  }
  await notifyDue(escalation, nowMs);
}

function isResumable({ isResumed, held }: EscalationState): boolean {
  return isResumed && held.acknowledged.sinceMs === null;
}

/** The end of a snooze is a timer like any other. */
async function waitFor(escalation: Escalation, dueMs: number | null): Promise<void> {
  const { state } = escalation;
  const snoozedMs = isSnoozed(state) ? (state.silence?.snoozedUntilMs ?? null) : null;
  const instants = [dueMs, snoozedMs].filter((atMs) => atMs !== null);
  if (instants.length === 0) {
    await condition(() => escalation.woken);
    return;
  }
  const untilMs = Math.min(...instants);
  const summary = untilMs === snoozedMs ? 'end of snooze' : 'next step';
  await sleep(escalation, untilMs - Date.now(), summary);
}

/**
 * Each moment once: it is over before its alerts begin, and a worker that dies in between repeats the
 * very same commands.
 */
async function notifyDue(escalation: Escalation, nowMs: number): Promise<void> {
  const { state } = escalation;
  const due = dueMoments(state, momentsOf(state.plan.steps), nowMs);
  const { lastStep, resumptions } = state;
  const done = [...state.done, ...due.map(({ number }) => number)];
  escalation.state = { ...state, done, isResumed: false };
  for (const { step, round } of lastOfEachStep(due)) await notifyStep(escalation, step, `${round}`);
  if (!isResumable(state) || due.length > 0 || lastStep === null) return;
  escalation.state = { ...escalation.state, resumptions: resumptions + 1 };
  await notifyStep(escalation, lastStep, `again-${resumptions}`);
}

/** Whoever was notified already is reminded. */
async function notifyStep(escalation: Escalation, step: number, round: string): Promise<void> {
  const { notified, plan } = escalation.state;
  const contacts = plan.steps[step]?.contacts ?? [];
  const isKnown = ({ id }: EscalationContact): boolean => notified.some((one) => one.id === id);
  const fresh = contacts.filter((contact) => !isKnown(contact));
  escalation.state = { ...escalation.state, notified: [...notified, ...fresh], lastStep: step };
  const { state } = escalation;
  await startAlert(state, { kind: 'failure', step, round, contacts: fresh });
  await startAlert(state, { kind: 'reminder', step, round, contacts: contacts.filter(isKnown) });
}

interface Notification {
  readonly kind: 'failure' | 'reminder';
  readonly step: number;
  readonly round: string;
  readonly contacts: readonly EscalationContact[];
}

/** A step that names nobody any more goes to the last resort. */
async function startAlert(
  { alert, plan }: EscalationState,
  { kind, step, round, contacts }: Notification,
): Promise<void> {
  const isEmpty = (plan.steps[step]?.contacts ?? []).length === 0 && plan.lastResort !== null;
  if (contacts.length === 0 && (kind === 'reminder' || !isEmpty)) return;
  const { lastResort, policyName, steps } = plan;
  const until = steps[step]?.until ?? 'acknowledged';
  const channels = isEmpty && lastResort !== null ? [lastResort] : [];
  await startDelivery({
    v: 1,
    alert: {
      ...alert,
      id: `${alert.incidentId}-${step}-${round}-${kind}`,
      kind,
      atMs: Date.now(),
      escalation: { policyName, step: step + 1, steps: steps.length, lastResort, until },
    },
    recipients: mergeRecipients(contacts, channels),
  });
}

function mergeRecipients(
  contacts: readonly EscalationContact[],
  channels: readonly string[],
): AlertInput['recipients'] {
  return {
    channels: [...channels, ...contacts.flatMap(({ recipients }) => recipients.channels)],
    targets: contacts.flatMap(({ recipients }) => recipients.targets),
  };
}

/** To everyone who was notified, in whatever step. */
async function sendRecovery(
  { notified, plan }: EscalationState,
  recovery: AlertMessage,
): Promise<void> {
  if (notified.length === 0) return;
  const { policyName, steps, lastResort } = plan;
  const escalation = { policyName, step: steps.length, steps: steps.length, lastResort };
  const alert: AlertMessage = { ...recovery, id: `${recovery.id}-end`, escalation };
  await startDelivery({ v: 1, alert, recipients: mergeRecipients(notified, []) });
}

async function startDelivery(input: AlertInput): Promise<void> {
  const { alert } = input;
  try {
    await startChild(WORKFLOW_TYPES.alert, {
      workflowId: alertWorkflowId(alert.id),
      args: [input],
      parentClosePolicy: 'ABANDON',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: `${alert.kind} · step ${alert.escalation?.step ?? 0}`,
    });
  } catch (error) {
    // It is on its way, or was.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
