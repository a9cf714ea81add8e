/**
 * The clock of an escalation: lists its moments, and finds the due ones. Time after a response does not count. Pure.
 */
import type { IncidentSilence } from '../../contracts/alerts';
import {
  ESCALATION_ENDS,
  type EscalationEnd,
  type EscalationState,
  type EscalationTimes,
  type HeldTime,
} from '../../contracts/escalation';

const MINUTE_MS = 60_000;

/** A notification of a step, or one of its repetitions. */
export interface Moment {
  readonly number: number;
  readonly step: number;
  /** The number of the repetition. 0 for the first notification. */
  readonly round: number;
  readonly offsetMs: number;
  readonly until: EscalationEnd;
}

/** Lists all notifications of the steps and their repetitions, sorted by due time. */
export function listMoments(steps: readonly EscalationTimes[]): readonly Moment[] {
  const all = steps.flatMap(({ afterMinutes, until, repeat }, step) =>
    Array.from({ length: 1 + (repeat?.times ?? 0) }, (_unused, round) => ({
      step,
      round,
      until,
      offsetMs: (afterMinutes + round * (repeat?.everyMinutes ?? 0)) * MINUTE_MS,
    })),
  );
  return all
    .sort((a, b) => a.offsetMs - b.offsetMs || a.step - b.step)
    .map((moment, number) => ({ ...moment, number }));
}

/** Keeps only the latest moment of each step. */
export function keepLastMoments(due: readonly Moment[]): readonly Moment[] {
  return [...new Map(due.map((moment) => [moment.step, moment])).values()];
}

const COUNTING: HeldTime = { totalMs: 0, sinceMs: null };

export const NOTHING_DEFERRED: EscalationState['held'] = {
  acknowledged: COUNTING,
  recovered: COUNTING,
};

/** The progress of an escalation, independent of its alert. */
export type Course = Omit<EscalationState, 'alert'>;

type Clock = Pick<Course, 'startedAtMs' | 'held'>;

/** Returns when the moment is due. null means that the clock for this moment is stopped. */
function dueAtMs({ startedAtMs, held }: Clock, moment: Moment): number | null {
  const { totalMs, sinceMs } = held[moment.until];
  return sinceMs === null ? startedAtMs + moment.offsetMs + totalMs : null;
}

/** Returns when the next of these moments is due. null means that no moment becomes due until a response is undone. */
export function nextDueMs(state: Course, moments: readonly Moment[]): number | null {
  const done = new Set(state.done);
  const dues = moments
    .filter(({ number }) => !done.has(number))
    .map((moment) => dueAtMs(state, moment))
    .filter((atMs) => atMs !== null);
  return dues.length === 0 ? null : Math.min(...dues);
}

export function listDueMoments(
  state: Course,
  moments: readonly Moment[],
  nowMs: number,
): readonly Moment[] {
  const done = new Set(state.done);
  return moments.filter((moment) => {
    const atMs = dueAtMs(state, moment);
    return !done.has(moment.number) && atMs !== null && atMs <= nowMs;
  });
}

/**
 * Stores an acknowledgement or snooze. Changes nothing if the acknowledgement or snooze is outdated, or belongs to
 * another incident.
 */
export function withResponse(
  state: EscalationState,
  silence: IncidentSilence,
  nowMs: number,
): EscalationState {
  const isOwn = silence.incidentId === state.alert.incidentId;
  if (!isOwn || silence.sequence <= (state.silence?.sequence ?? 0)) return state;
  return withCurrentHold({ ...state, silence }, nowMs);
}

/** Removes a snooze that has ended. */
export function withSnoozeEnded<State extends Course>(state: State, nowMs: number): State {
  const endMs = state.silence?.snoozedUntilMs ?? null;
  if (state.silence === null || endMs === null || endMs > nowMs) return state;
  return withCurrentHold({ ...state, silence: { ...state.silence, snoozedUntilMs: null } }, nowMs);
}

/** True while a snooze stops all notifications. */
export function isSnoozed({ silence }: Pick<Course, 'silence'>): boolean {
  return (silence?.snoozedUntilMs ?? null) !== null;
}

function isHeld({ silence }: Pick<Course, 'silence'>, end: EscalationEnd): boolean {
  if (silence === null) return false;
  const isSilent = end === 'acknowledged' && silence.isAcknowledged;
  return isSilent || silence.snoozedUntilMs !== null;
}

/**
 * Stops and starts the clocks, as the current response requires. If a clock starts again, the contacts notified last
 * get a reminder.
 */
function withCurrentHold<State extends Course>(state: State, nowMs: number): State {
  const computeHeld = (end: EscalationEnd): HeldTime => {
    const { totalMs, sinceMs } = state.held[end];
    if (isHeld(state, end)) return { totalMs, sinceMs: sinceMs ?? nowMs };
    return { totalMs: totalMs + (sinceMs === null ? 0 : nowMs - sinceMs), sinceMs: null };
  };
  const held = { acknowledged: computeHeld('acknowledged'), recovered: computeHeld('recovered') };
  const isAgain = (end: EscalationEnd): boolean =>
    state.held[end].sinceMs !== null && held[end].sinceMs === null;
  const isStill = held.acknowledged.sinceMs !== null;
  const isResumed = !isStill && (state.isResumed || ESCALATION_ENDS.some(isAgain));
  return { ...state, held, isResumed: isResumed && state.lastStep !== null };
}
