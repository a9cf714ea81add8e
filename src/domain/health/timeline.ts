/**
 * Computes the time in each state from a timeline of health changes. Pauses and maintenance take precedence over
 * health. Pure.
 */
import type { ExcludedPeriod, Health, HealthChange } from '../../contracts/records';
import type { TimeSpan } from './summary';

export const TIME_STATES = ['up', 'degraded', 'down', 'maintenance', 'paused', 'unknown'] as const;
export type TimeState = (typeof TIME_STATES)[number];

/** Milliseconds by state. Their sum is the length of the span. */
export type TimeByState = Readonly<Record<TimeState, number>>;

export interface Timeline {
  /** Health changes in any order. The newest change before the span is the state at its start. */
  readonly changes: readonly HealthChange[];
  /** A pause overrides maintenance, and both override health. */
  readonly excludedPeriods: readonly ExcludedPeriod[];
}

const NOTHING: TimeByState = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, unknown: 0 };

export function addTimes(times: readonly TimeByState[]): TimeByState {
  const sum = { ...NOTHING };
  for (const time of times) for (const state of TIME_STATES) sum[state] += time[state];
  return sum;
}

/**
 * Returns the percentage of the observed time in which the target was up or degraded, with six decimals. null means
 * that nothing was observed. Paused, maintenance and unknown time does not count.
 */
export function computeAvailability({ up, degraded, down }: TimeByState): number | null {
  const observed = up + degraded + down;
  return observed === 0 ? null : Math.round((100 * (up + degraded) * 1e6) / observed) / 1e6;
}

interface Piece extends TimeSpan {
  readonly state: TimeState;
}

/** Returns the duration of each state inside the span. Time that was not observed is unknown. */
export function measureStates(timeline: Timeline, span: TimeSpan): TimeByState {
  const [time = NOTHING] = measureBuckets(timeline, [span]);
  return time;
}

/** Like `measureStates`, for consecutive spans. */
export function measureBuckets(
  timeline: Timeline,
  buckets: readonly TimeSpan[],
): readonly TimeByState[] {
  const pieces = splitTimeline(timeline);
  let first = 0;
  return buckets.map(({ fromMs, toMs }) => {
    const time = { ...NOTHING };
    while ((pieces[first]?.toMs ?? Number.POSITIVE_INFINITY) <= fromMs) first += 1;
    for (let index = first; index < pieces.length; index += 1) {
      const piece = pieces[index];
      if (piece === undefined || piece.fromMs >= toMs) break;
      const lengthMs = Math.min(piece.toMs, toMs) - Math.max(piece.fromMs, fromMs);
      if (lengthMs > 0) time[piece.state] += lengthMs;
    }
    return time;
  });
}

/** Splits the whole time axis into consecutive pieces. Each piece has one state. */
function splitTimeline({ changes, excludedPeriods }: Timeline): readonly Piece[] {
  const ordered = [...changes].sort((a, b) => a.atMs - b.atMs);
  const edges = [
    ...ordered.map(({ atMs }) => atMs),
    ...excludedPeriods.flatMap(({ fromMs, toMs }) => [fromMs, toMs]),
  ].sort((a, b) => a - b);
  const starts = [Number.NEGATIVE_INFINITY, ...new Set(edges)];
  let next = 0;
  let health: Health = 'pending';
  return starts.map((fromMs, index) => {
    for (let change = ordered[next]; change !== undefined && change.atMs <= fromMs; ) {
      health = change.health;
      next += 1;
      change = ordered[next];
    }
    const toMs = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    return { fromMs, toMs, state: excludedAt(excludedPeriods, fromMs) ?? toState(health) };
  });
}

function excludedAt(
  excludedPeriods: readonly ExcludedPeriod[],
  atMs: number,
): ExcludedPeriod['state'] | null {
  const covering = excludedPeriods.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
  if (covering.some(({ state }) => state === 'paused')) return 'paused';
  return covering.length > 0 ? 'maintenance' : null;
}

function toState(health: Health): TimeState {
  return health === 'pending' ? 'unknown' : health;
}
