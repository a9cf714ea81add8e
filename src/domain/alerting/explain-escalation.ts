/** Explains the notifications of an escalation and what will follow, from its recorded events and its course. Pure. */
import type {
  EscalationEvent,
  EscalationState,
  EscalationStatus,
  HoldReason,
} from '../../contracts/escalation';
import { isSnoozed, listMoments, type Moment } from './escalation';
import {
  type ClosedUntil,
  type ForecastNotification,
  forecastNotifications,
} from './escalation-course';

export const MOMENT_STATES = ['sent', 'joined', 'planned', 'waiting', 'skipped'] as const;
export const MOMENT_REASONS = ['acknowledged', 'snoozed', 'paused', 'flapping', 'over'] as const;

/** A notification of a step, or its repetition. */
export interface ExplainedMoment {
  readonly step: number;
  readonly round: number;
  /**
   * `joined` means that the moment is covered by the notification of a later moment of its step, because both were or
   * will be due together.
   */
  readonly state: (typeof MOMENT_STATES)[number];
  /** When the notification was or will be sent. null if it was not sent, or if the time is unknown. */
  readonly atMs: number | null;
  /** Why the moment waits or was skipped. */
  readonly reason: (typeof MOMENT_REASONS)[number] | null;
}

export interface EscalationView {
  readonly state: EscalationState;
  /** The current state of the incident. */
  readonly standing: EscalationStatus['state'];
  readonly nowMs: number;
  readonly quietEndMs: (atMs: number) => number | null;
  /** Returns when the hours of a step start. If absent, no step has hours. */
  readonly closedUntilMs?: ClosedUntil;
}

/** Explains each notification of the plan, sorted by due time. */
export function explainMoments(view: EscalationView): readonly ExplainedMoment[] {
  const { state } = view;
  const noted = (state.events ?? []).filter((event) => event.kind === 'notified');
  const planned = listPlanned(view);
  return listMoments(state.plan.steps).map((moment) => {
    const { step, round, number } = moment;
    const own = (one: ForecastNotification): boolean => one.numbers.includes(number);
    const sent = noted.find(own);
    if (sent !== undefined) {
      const isLast = sent.numbers.at(-1) === number;
      const outcome = isLast ? 'sent' : 'joined';
      return { step, round, state: outcome, atMs: sent.atMs, reason: null };
    }
    if (state.done.includes(number))
      return { step, round, state: 'sent', atMs: null, reason: null };
    const next = planned.find(own);
    if (next === undefined) return { step, round, atMs: null, ...judgeRemaining(moment, view) };
    const outcome = next.numbers.at(-1) === number ? 'planned' : 'joined';
    return { step, round, state: outcome, atMs: next.atMs, reason: null };
  });
}

function isEnded({ state, standing }: EscalationView): boolean {
  return state.isOver || standing === 'over' || standing === 'gone';
}

function listPlanned(view: EscalationView): readonly ForecastNotification[] {
  const { state, standing, nowMs, quietEndMs, closedUntilMs } = view;
  const isHeld = standing === 'hold' || standing === 'flapping';
  return isEnded(view) || isHeld
    ? []
    : forecastNotifications(state, nowMs, quietEndMs, closedUntilMs);
}

function judgeRemaining(
  { until }: Moment,
  view: EscalationView,
): Pick<ExplainedMoment, 'state' | 'reason'> {
  const { state, standing } = view;
  if (isEnded(view)) return { state: 'skipped', reason: 'over' };
  if (state.held[until].sinceMs === null && standing === 'hold')
    return { state: 'waiting', reason: 'paused' };
  if (state.held[until].sinceMs === null && standing === 'flapping')
    return { state: 'waiting', reason: 'flapping' };
  return { state: 'waiting', reason: isSnoozed(state) ? 'snoozed' : 'acknowledged' };
}

interface Sentence {
  readonly atMs: number;
  readonly topic: 'policy';
  readonly text: string;
}

/** `awaited` means that the escalation has received the failure, but no step was due yet. */
export type EscalationNotice = 'none' | 'awaited' | 'notified';

/** Returns how far the escalation has notified people of the failure. */
export function findNotice({
  alert,
  lastStep,
}: Pick<EscalationState, 'alert' | 'lastStep'>): EscalationNotice {
  if (lastStep !== null) return 'notified';
  return alert.kind === 'failure' ? 'awaited' : 'none';
}

/**
 * Explains the escalation. `findName` returns the name of a contact by its id. `endedAtMs` is the end of the incident,
 * or null while it is open.
 */
export function explainEscalation(
  view: EscalationView & {
    readonly findName: (id: string) => string;
    readonly endedAtMs: number | null;
  },
): readonly Sentence[] {
  const { state, nowMs, endedAtMs } = view;
  const said = (atMs: number, text: string): Sentence => ({ atMs, topic: 'policy', text });
  const left = explainMoments(view).filter(({ state: outcome }) => outcome === 'skipped');
  const waiting = explainMoments(view).filter(({ state: outcome }) => outcome === 'waiting');
  return [
    said(state.startedAtMs, beginWords(state)),
    ...(state.events ?? []).map((event) => said(event.atMs, eventWords(event, view))),
    ...(left.length === 0
      ? []
      : [said(endedAtMs ?? nowMs, `Not sent because the incident was over: ${listWords(left)}.`)]),
    ...MOMENT_REASONS.flatMap((reason) => {
      const held = waiting.filter((moment) => moment.reason === reason);
      if (held.length === 0) return [];
      return [said(nowMs, `Waiting because ${WAIT_WORDS[reason]}: ${listWords(held)}.`)];
    }),
    ...listPlanned(view).map((next) => said(next.atMs, plannedWords(next, view))),
  ];
}

const WAIT_WORDS: Readonly<Record<(typeof MOMENT_REASONS)[number], string>> = {
  acknowledged: 'the incident is acknowledged',
  snoozed: 'the incident is snoozed',
  paused: 'it is paused, in maintenance or outside of its hours',
  flapping: 'it is up for the moment, and flapping',
  over: 'the incident is over',
};

function beginWords({ alert, plan: { policyName, route = null } }: EscalationState): string {
  if (alert.resourceType === 'identityProvider')
    return policyName === ''
      ? 'The recipients of the checks that cannot sign in are notified.'
      : `The recipients of the checks that cannot sign in are notified, including those of “${policyName}”.`;
  const why = route === null ? 'set on the check' : `chosen by route ${route}`;
  return `Escalated by the alert policy “${policyName}” (${why}).`;
}

interface Naming {
  readonly state: EscalationState;
  readonly findName: (id: string) => string;
}

const HELD_WORDS: Readonly<Record<HoldReason, string>> = {
  quiet: 'quiet hours',
  paused: 'it was paused, in maintenance or outside of its hours',
  flapping: 'it was up for the moment, and flapping',
};

function eventWords(event: EscalationEvent, naming: Naming): string {
  if (event.kind === 'held') return `Held back: ${HELD_WORDS[event.reason]}.`;
  const { step, numbers } = event;
  const what = `Step ${step + 1} ${stepVerb(numbers, naming)}`;
  const together =
    numbers.length > 1 ? ` ${numbers.length} notifications were due at once and sent as one.` : '';
  return `${what}: ${peopleWords(event, naming)}.${together}`;
}

/** Says that the step began or was repeated. Its alerts may be sent later, so the words do not say that they were. */
function stepVerb(numbers: readonly number[], { state }: Pick<Naming, 'state'>): string {
  const [first] = numbers;
  if (first === undefined)
    return 'was repeated after an acknowledgement was undone or a snooze ended';
  const moment = listMoments(state.plan.steps).find(({ number }) => number === first);
  return moment !== undefined && moment.round > 0 ? 'was repeated' : 'began';
}

function plannedWords(next: ForecastNotification, naming: Naming): string {
  return `Step ${next.step + 1} will be sent unless someone responds: ${peopleWords(next, naming)}.`;
}

function peopleWords(
  { first, again }: Pick<ForecastNotification, 'first' | 'again'>,
  { state: { plan }, findName }: Naming,
): string {
  const parts = [
    ...(first.length === 0 ? [] : [first.map(findName).join(', ')]),
    ...(again.length === 0 ? [] : [`${again.map(findName).join(', ')} (again)`]),
  ];
  if (parts.length > 0) return parts.join('; ');
  return plan.lastResort === null ? 'nobody is left to notify' : findName(plan.lastResort);
}

/** Lists the moments in words, for example `step 2, step 3 (3 times)`. */
function listWords(moments: readonly ExplainedMoment[]): string {
  const steps = [...new Set(moments.map(({ step }) => step))];
  return steps
    .map((step) => {
      const count = moments.filter((moment) => moment.step === step).length;
      return `step ${step + 1}${count > 1 ? ` (${count} times)` : ''}`;
    })
    .join(', ');
}
