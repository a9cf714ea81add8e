/**
 * Computes what an escalation sends and records at each moment. Pure, because the workflow, the preview and the
 * explanation use it.
 */
import type { AlertMessage } from '../../contracts/alerts';
import type {
  EscalationContact,
  EscalationEvent,
  EscalationPlan,
  EscalationState,
  HoldReason,
} from '../../contracts/escalation';
import {
  type Course,
  isSnoozed,
  keepLastMoments,
  listDueMoments,
  listMoments,
  NOTHING_DEFERRED,
  nextDueMs,
  withSnoozeEnded,
} from './escalation';

/** How many events are kept. The oldest are kept, because they are shown first. */
const EVENTS_MAX = 600;
/** Maximum number of turns in a forecast. */
const TURNS_MAX = 2_000;

/** One alert that must be sent now. */
export interface Notification {
  readonly kind: 'failure' | 'reminder';
  readonly step: number;
  /** Part of the name of the alert. It distinguishes the alert from other alerts of the same incident and step. */
  readonly round: string;
  readonly contacts: readonly EscalationContact[];
}

export interface Turn<State extends Course> {
  readonly state: State;
  /** The due notifications, in the order of sending. */
  readonly notifications: readonly Notification[];
}

/**
 * True if the escalation of the incident may handle the alert. Alerts that the escalation itself sends are excluded.
 */
export function isForEscalation({ kind, incidentId, escalation }: AlertMessage): boolean {
  const isOwn = kind === 'failure' || kind === 'reminder' || kind === 'recovery';
  return isOwn && incidentId !== null && escalation === undefined;
}

export function beginEscalation(
  alert: AlertMessage,
  plan: EscalationPlan,
  nowMs: number,
): EscalationState {
  return { ...beginCourse(plan, nowMs), alert };
}

export function beginCourse(plan: EscalationPlan, nowMs: number): Course {
  return {
    v: 1,
    plan,
    startedAtMs: nowMs,
    done: [],
    notified: [],
    lastStep: null,
    silence: null,
    held: NOTHING_DEFERRED,
    isResumed: false,
    resumptions: 0,
    isOver: false,
    events: [],
    sequence: 0,
  };
}

/**
 * Returns when the escalation must act next. null means that the escalation waits until someone responds, or undoes a
 * response.
 */
export function nextTurnMs(state: Course, nowMs: number): number | null {
  if (isResumable(state)) return nowMs;
  const snoozedMs = isSnoozed(state) ? (state.silence?.snoozedUntilMs ?? null) : null;
  const instants = [nextDueMs(state, listMoments(state.plan.steps)), snoozedMs];
  const known = instants.filter((atMs) => atMs !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** True if people must be notified now. Ignores reasons to wait, such as quiet hours or maintenance. */
export function isDue(state: Course, nowMs: number): boolean {
  if (isResumable(state)) return true;
  const dueMs = nextDueMs(state, listMoments(state.plan.steps));
  return dueMs !== null && dueMs <= nowMs;
}

function isResumable({ isResumed, held }: Course): boolean {
  return isResumed && held.acknowledged.sinceMs === null;
}

/** Returns the steps for which something is due now, including the step of a reminder. */
export function listDueSteps(state: Course, nowMs: number): readonly number[] {
  const due = listDueMoments(state, listMoments(state.plan.steps), nowMs).map(({ step }) => step);
  if (due.length > 0 || !isResumable(state) || state.lastStep === null) return due;
  return [state.lastStep];
}

/**
 * Returns when the next moment becomes due that is not due yet. null means that there is no such moment, or that its
 * clock is stopped.
 */
export function nextOtherMs(state: Course, nowMs: number): number | null {
  const moments = listMoments(state.plan.steps);
  const due = new Set(listDueMoments(state, moments, nowMs).map(({ number }) => number));
  return nextDueMs(
    state,
    moments.filter(({ number }) => !due.has(number)),
  );
}

const neverClosed = (): boolean => false;

/**
 * Handles each due moment once, and marks it as done before its alerts are sent. Contacts that were notified before get
 * a reminder. A moment outside of the hours of its step stays due.
 */
export function notifyDue<State extends Course>(
  state: State,
  nowMs: number,
  isClosed: (step: number) => boolean = neverClosed,
): Turn<State> {
  const moments = listMoments(state.plan.steps);
  const due = listDueMoments(state, moments, nowMs).filter(({ step }) => !isClosed(step));
  const { lastStep, resumptions } = state;
  const done = [...state.done, ...due.map(({ number }) => number)];
  let turn: Turn<State> = { state: { ...state, done, isResumed: false }, notifications: [] };
  for (const { step, round } of keepLastMoments(due)) {
    const numbers = due.filter((one) => one.step === step).map(({ number }) => number);
    turn = notifyStep(turn, { step, round: roundName(state, round), numbers }, nowMs);
  }
  if (!isResumable(state) || due.length > 0 || lastStep === null) return turn;
  const again = { ...turn, state: { ...turn.state, resumptions: resumptions + 1 } };
  const round = `again-${resumptions}`;
  return notifyStep(again, { step: lastStep, round, numbers: [] }, nowMs);
}

/**
 * Returns the name of a round. Each round has a different name, because alerts with the same name are sent only once.
 */
function roundName({ restarts = 0 }: Course, round: number): string {
  return restarts === 0 ? `${round}` : `${restarts}.${round}`;
}

/**
 * Starts all steps again, because a flapping resource now stays down. Also starts them if people responded to an
 * earlier outage. Contacts that were notified before get a reminder.
 */
export function withRestart(
  state: EscalationState,
  { cause, regions, sinceMs, assertion }: AlertMessage,
  nowMs: number,
): EscalationState {
  return {
    ...state,
    alert: { ...state.alert, cause, regions, sinceMs, assertion, staysDown: true },
    startedAtMs: nowMs,
    done: [],
    silence: null,
    held: NOTHING_DEFERRED,
    isResumed: false,
    isOver: false,
    restarts: (state.restarts ?? 0) + 1,
  };
}

interface StepTurn {
  readonly step: number;
  readonly round: string;
  readonly numbers: readonly number[];
}

function notifyStep<State extends Course>(
  { state, notifications }: Turn<State>,
  { step, round, numbers }: StepTurn,
  nowMs: number,
): Turn<State> {
  const { notified, plan } = state;
  const contacts = plan.steps[step]?.contacts ?? [];
  const isKnown = ({ id }: EscalationContact): boolean => notified.some((one) => one.id === id);
  const first = contacts.filter((contact) => !isKnown(contact));
  const again = contacts.filter(isKnown);
  const ids = (some: readonly EscalationContact[]): readonly string[] => some.map(({ id }) => id);
  const event = {
    kind: 'notified',
    atMs: nowMs,
    step,
    numbers,
    first: ids(first),
    again: ids(again),
  } as const;
  return {
    state: withEvent({ ...state, notified: [...notified, ...first], lastStep: step }, event),
    notifications: [
      ...notifications,
      // The alert is sent even if the step no longer has contacts. In this case, the last resort gets the alert.
      { kind: 'failure', step, round, contacts: first },
      { kind: 'reminder', step, round, contacts: again },
    ],
  };
}

/** Records that a notification is due but must wait. A reason that stays the same is recorded only once. */
export function withHold<State extends Course>(
  state: State,
  reason: HoldReason,
  nowMs: number,
): State {
  const last = state.events?.at(-1);
  if (last?.kind === 'held' && last.reason === reason) return state;
  return withEvent(state, { kind: 'held', atMs: nowMs, reason });
}

function withEvent<State extends Course>(state: State, event: EscalationEvent): State {
  const { events = [] } = state;
  return events.length >= EVENTS_MAX ? state : { ...state, events: [...events, event] };
}

/** Returns when the hours of a step start. null means that the hours have started, or that the step has no hours. */
export type ClosedUntil = (step: number, atMs: number) => number | null;

/** A notification that is expected in the future. */
export interface ForecastNotification {
  readonly atMs: number;
  readonly step: number;
  readonly numbers: readonly number[];
  readonly first: readonly string[];
  readonly again: readonly string[];
}

/** Returns the notifications that will follow if nothing changes. */
export function forecastNotifications(
  given: Course,
  fromMs: number,
  quietEndMs: (atMs: number) => number | null,
  closedUntilMs: ClosedUntil = () => null,
): readonly ForecastNotification[] {
  let state: Course = { ...given, events: [] };
  let nowMs = fromMs;
  for (let turns = 0; turns < TURNS_MAX; turns += 1) {
    const atMs = nextTurnMs(state, nowMs);
    if (atMs === null) break;
    nowMs = Math.max(nowMs, atMs);
    state = withSnoozeEnded(state, nowMs);
    if (!isDue(state, nowMs)) continue;
    const quietMs = quietEndMs(nowMs);
    if (quietMs !== null && quietMs > nowMs) {
      nowMs = quietMs;
      continue;
    }
    const atMsNow = nowMs;
    const openings = listDueSteps(state, nowMs).map((step) => closedUntilMs(step, atMsNow));
    const known = openings.filter((openMs) => openMs !== null);
    if (known.length < openings.length)
      ({ state } = notifyDue(state, nowMs, (step) => closedUntilMs(step, atMsNow) !== null));
    else nowMs = Math.min(...known, nextOtherMs(state, nowMs) ?? Number.POSITIVE_INFINITY);
  }
  return (state.events ?? []).filter((event) => event.kind === 'notified');
}
