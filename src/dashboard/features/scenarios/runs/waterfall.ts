/** Lays out the steps of a run on one time axis, in percent. Pure. */
import type { Run, TestRun } from '../../../shared/data/api-types';

export type AnyRun = Run | TestRun;
export type RunStep = Run['steps'][number];

export interface Bar {
  readonly index: number;
  /** The start in percent of the axis. null for a step that was never sent. */
  readonly left: number | null;
  readonly width: number;
  readonly ms: number | null;
  /**
   * When requests were in flight, in percent of the axis. During the rest of the bar, the run was waiting or preparing
   * requests.
   */
  readonly requests: readonly Span[];
}

interface Span {
  readonly left: number;
  readonly width: number;
}

export interface Axis {
  readonly totalMs: number;
  readonly bars: readonly Bar[];
}

const NARROWEST_PERCENT = 0.6;

export function isFinished({ finishedAt }: AnyRun): boolean {
  return finishedAt !== null;
}

/** Returns a bar for each step on the axis from the start of the run to its end, or to `nowMs` while it is running. */
export function computeAxis(run: AnyRun, nowMs: number): Axis {
  const startMs = Date.parse(run.startedAt ?? run.queuedAt);
  const ends = run.steps.map((step) => findEnd(step, nowMs)).filter((end) => end !== null);
  const endMs = Math.max(startMs + 1, ...ends, run.finishedAt === null ? nowMs : 0);
  const totalMs = endMs - startMs;
  return {
    totalMs,
    bars: run.steps.map((step) => {
      const end = findEnd(step, nowMs);
      if (step.startedAt === null || end === null) {
        return { index: step.index, left: null, width: 0, ms: null, requests: [] };
      }
      const beganMs = Date.parse(step.startedAt);
      const left = clamp(((beganMs - startMs) / totalMs) * 100);
      const width = Math.max(NARROWEST_PERCENT, ((end - beganMs) / totalMs) * 100);
      return {
        index: step.index,
        left: Math.min(left, 100 - NARROWEST_PERCENT),
        width: Math.min(width, 100 - Math.min(left, 100 - NARROWEST_PERCENT)),
        ms: end - beganMs,
        requests: requestTimes(step, [beganMs, end]).map(([from, to]) => ({
          left: clamp(((from - startMs) / totalMs) * 100),
          width: clamp(((to - from) / totalMs) * 100),
        })),
      };
    }),
  };
}

/**
 * Returns the time of each attempt within the step. For a running step, returns the whole step. Attempts have the times
 * of the probe, whose clock may differ from that of the run. If they do not fit into the step, they are all moved by
 * the same time, so that their lengths and the pauses between them stay true.
 */
function requestTimes(
  { attempts, responseTimeMs, finishedAt }: RunStep,
  [beganMs, endMs]: readonly [number, number],
): readonly (readonly [number, number])[] {
  if (finishedAt === null) return [[beganMs, endMs]];
  const only = responseTimeMs ?? 0;
  const times =
    attempts.length === 0
      ? [[endMs - only, endMs] as const]
      : attempts.map(({ startedAt, responseTimeMs: ms }) => {
          const at = Date.parse(startedAt);
          return [at, at + ms] as const;
        });
  const tooLateMs = Math.max(0, Math.max(...times.map(([, to]) => to)) - endMs);
  const tooEarlyMs = Math.max(0, beganMs - Math.min(...times.map(([from]) => from)));
  const shiftMs = tooLateMs > 0 ? -tooLateMs : tooEarlyMs;
  const within = (ms: number): number => Math.min(Math.max(ms + shiftMs, beganMs), endMs);
  return times.map(([from, to]) => [within(from), within(to)] as const);
}

function findEnd({ startedAt, finishedAt }: RunStep, nowMs: number): number | null {
  if (startedAt === null) return null;
  return finishedAt === null ? nowMs : Date.parse(finishedAt);
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}

const TICKS_MAX = 6;

/** Returns the times to label on the axis: three to six round times at equal distances, from its start. */
export function computeTicks(totalMs: number): readonly number[] {
  const size = 10 ** Math.floor(Math.log10(Math.max(totalMs, 1)));
  const steps = [0.2, 0.5, 1].map((factor) => factor * size);
  const step = steps.find((each) => totalMs < each * TICKS_MAX) ?? 2 * size;
  return Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, at) => at * step);
}

/** Lists the step names of a page of runs. The names of the newest definition come first. */
export function listStepNames(runs: readonly Run[]): readonly string[] {
  const names = new Set<string>();
  for (const run of runs) for (const step of run.steps) names.add(step.name);
  return [...names];
}
