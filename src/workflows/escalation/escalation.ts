/**
 * Escalates one incident by an alert policy: notifies step after step until someone responds, and finally sends the
 * recovery to everyone who was notified. Each notification is an alert with its own workflow.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ActivityFailure,
  condition,
  defineSignal,
  defineUpdate,
  isCancellation,
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
  type EscalationPlan,
  type EscalationState,
  FURTHER_STEPS_SIGNAL,
  type HoldReason,
} from '../../contracts/escalation';
import { SIGNALS, SILENCE_UPDATE, WORKFLOW_TYPES } from '../../contracts/workflows';
import { withResponse, withSnoozeEnded } from '../../domain/alerting/escalation';
import {
  isDue,
  listDueSteps,
  type Notification,
  nextOtherMs,
  nextTurnMs,
  notifyDue,
  withHold,
  withRestart,
} from '../../domain/alerting/escalation-course';
import { withFurtherSteps } from '../../domain/alerting/further-steps';
import { isTimeToContinue, startOver } from '../loop/continue';
import { isSilence } from '../loop/signal-arguments';

/** How often the workflow checks whether a pause or maintenance is over. */
const HOLD_MS = 2 * 60_000;
/** Longest wait for the service hours of a step to begin. The hours may be changed during the wait. */
const HOURS_LOOK_MS = 3_600_000;
/** Longest wait for the recovery of an incident. It may have to wait for the end of maintenance or of flapping. */
const RECOVERY_WAIT_MS = 7 * 24 * 3_600_000;

const local = proxyLocalActivities<EscalationActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Only a few attempts are made, because the next step must not wait long for the database. */
const records = proxyLocalActivities<EscalationActivities>({
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumAttempts: 2 },
});

interface Escalation {
  state: EscalationState;
  /** The state that was last sent to the database. */
  saved: EscalationState | null;
  /** Set by every signal and update. The loop clears it. */
  woken: boolean;
  /** True if the workflow must continue as new on another build. */
  mustMoveOn: boolean;
  recovery: AlertMessage | null;
}

/** Ends when the recovery is safely sent, or when no one is waiting for a recovery. */
export async function escalationWorkflow(given: EscalationState): Promise<void> {
  const escalation: Escalation = {
    state: given,
    saved: null,
    woken: false,
    mustMoveOn: false,
    recovery: null,
  };
  handleAnswers(escalation);
  while (escalation.recovery === null) {
    if (isTimeToContinue(escalation.state.alert.id, escalation.mustMoveOn))
      await startOver<typeof escalationWorkflow>(escalation.state);
    escalation.woken = false;
    await save(escalation);
    if (escalation.woken) continue;
    if (escalation.state.isOver) {
      const isWoken = await sleep(escalation, RECOVERY_WAIT_MS, 'recovery');
      if (!isWoken) return;
    } else await act(escalation);
  }
  escalation.state = { ...escalation.state, isOver: true };
  await sendRecovery(escalation.state, escalation.recovery);
  await save(escalation);
}

/**
 * Registers the handlers of responses. Must be called before the first await. The handlers only change the state and
 * wake the loop.
 */
function handleAnswers(escalation: Escalation): void {
  const answer = (silence: IncidentSilence): void => {
    escalation.state = withResponse(escalation.state, silence, Date.now());
    escalation.woken = true;
  };
  setHandler(defineUpdate<void, [IncidentSilence]>(SILENCE_UPDATE), answer, {
    validator: (silence) => {
      if (!isSilence(silence))
        throw new Error('the incident and the type of response are required');
    },
  });
  setHandler(defineSignal<[unknown]>(SIGNALS.silence), (silence) => {
    if (isSilence(silence)) answer(silence);
    else log.warn('ignored an acknowledgement with invalid arguments');
  });
  setHandler(defineSignal(SIGNALS.moveOn), () => {
    escalation.mustMoveOn = true;
    escalation.woken = true;
  });
  setHandler(defineSignal<[AlertMessage]>(ESCALATION_SIGNAL), (alert) => {
    if (alert.kind === 'recovery') escalation.recovery = alert;
    else if (alert.staysDown === true)
      escalation.state = withRestart(escalation.state, alert, Date.now());
    else return;
    escalation.woken = true;
  });
  setHandler(defineSignal<[EscalationPlan]>(FURTHER_STEPS_SIGNAL), (plan) => {
    escalation.state = withFurtherSteps(escalation.state, plan, Date.now());
    escalation.woken = true;
  });
}

/** Sleeps for the given time. Returns true if something woke the loop early. */
function sleep(escalation: Escalation, ms: number, summary: string): Promise<boolean> {
  return condition(() => escalation.woken, Math.max(1, ms), { summary });
}

async function act(escalation: Escalation): Promise<void> {
  const nowMs = Date.now();
  escalation.state = withSnoozeEnded(escalation.state, nowMs);
  const { state } = escalation;
  if (!isDue(state, nowMs)) return waitFor(escalation, nextTurnMs(state, nowMs));
  const { alert, plan } = state;
  const hours = plan.steps.map((step) => step.hours ?? null);
  const stepHours = hours.some((key) => key !== null) ? { stepHours: hours } : {};
  const quiet = plan.steps.map((step) => step.quietHours ?? null);
  const stepQuietHours = quiet.some((one) => one !== null) ? { stepQuietHours: quiet } : {};
  const times = { atMs: nowMs, ...stepHours, ...stepQuietHours };
  const question = { alert, quietHours: plan.quietHours, ...times };
  const status = await local.readEscalationStatus(question);
  const { state: standing, silence } = status;
  // The database may contain acknowledgements and snoozes that did not reach this workflow.
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
  const quietUntilMs = status.quietUntilMs ?? nowMs;
  if (standing === 'hold') return hold(escalation, 'paused', status.heldUntilMs ?? nowMs + HOLD_MS);
  if (standing === 'flapping') return hold(escalation, 'flapping', nowMs + HOLD_MS);
  if (quietUntilMs > nowMs) return hold(escalation, 'quiet', quietUntilMs);
  const closed = new Map(status.closedSteps?.map(({ step, untilMs }) => [step, untilMs]));
  if (closed.size > 0 && listDueSteps(escalation.state, nowMs).every((step) => closed.has(step)))
    return hold(escalation, 'quiet', openingMs(escalation.state, closed, nowMs));
  const turn = notifyDue(escalation.state, nowMs, (step) => closed.has(step));
  escalation.state = turn.state;
  for (const notification of turn.notifications) await startAlert(turn.state, notification);
}

/**
 * Returns the time of the next check, in an hour at the latest: when the hours of a due step begin, or when another
 * step becomes due.
 */
function openingMs(
  state: EscalationState,
  closed: ReadonlyMap<number, number>,
  nowMs: number,
): number {
  const openings = listDueSteps(state, nowMs).map((step) => closed.get(step) ?? nowMs);
  const otherMs = nextOtherMs(state, nowMs) ?? Number.POSITIVE_INFINITY;
  return Math.min(...openings, otherMs, nowMs + HOURS_LOOK_MS);
}

const HOLD_WORDS = {
  paused: 'end of the pause',
  quiet: 'end of quiet hours',
  flapping: 'next outage',
} as const;

async function hold(escalation: Escalation, reason: HoldReason, untilMs: number): Promise<void> {
  escalation.state = withHold(escalation.state, reason, Date.now());
  await save(escalation);
  if (escalation.woken) return;
  await sleep(escalation, untilMs - Date.now(), HOLD_WORDS[reason]);
}

/**
 * Waits until the given time, or until something wakes the loop. The end of a snooze wakes the loop like any other
 * timer.
 */
async function waitFor(escalation: Escalation, untilMs: number | null): Promise<void> {
  if (untilMs === null) {
    await condition(() => escalation.woken);
    return;
  }
  const isSnooze = untilMs === escalation.state.silence?.snoozedUntilMs;
  await sleep(escalation, untilMs - Date.now(), isSnooze ? 'end of snooze' : 'next step');
}

/** Stores the state with one attempt. If that fails, the state is stored with the next change. */
async function save(escalation: Escalation): Promise<void> {
  if (escalation.state === escalation.saved) return;
  const { sequence = 0, alert } = escalation.state;
  const state = { ...escalation.state, sequence: sequence + 1 };
  escalation.state = state;
  escalation.saved = state;
  const { accountId, incidentId } = alert;
  if (incidentId === null) return;
  try {
    await records.saveEscalation({ accountId, incidentId, state });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    log.warn('an escalation continues before its progress is stored');
  }
}

/** Starts the alert of a notification. A step whose contacts were all removed notifies the channel of last resort. */
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

/** Sends the recovery to everyone who was notified in any step. */
async function sendRecovery(
  { notified, plan }: EscalationState,
  recovery: AlertMessage,
): Promise<void> {
  const contacts = notified.filter(({ isRecoveryOff }) => isRecoveryOff !== true);
  if (contacts.length === 0) return;
  const { policyName, steps, lastResort } = plan;
  const escalation = { policyName, step: steps.length, steps: steps.length, lastResort };
  const alert: AlertMessage = { ...recovery, id: `${recovery.id}-end`, escalation };
  await startDelivery({ v: 1, alert, recipients: mergeRecipients(contacts, []) });
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
    // An earlier attempt started the alert.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
