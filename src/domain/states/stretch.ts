/**
 * A stretch is a series of consecutive steps that one activity of a probe runs. This file determines each step's input,
 * the progress, and the end of a stretch. Pure, so that workflows and probes agree.
 */
import type { StepReference, StretchProgress } from '../../contracts/activities';
import type { StepOutcome } from '../../contracts/outcome';
import type { RunVariables } from '../../contracts/records';
import { isPassing } from '../health/evidence';
import { isProbeOutcome } from '../health/outcome-shape';

/**
 * After this time, the stretch ends, so that the record of the run is updated. The limit is shorter than the time
 * between the heartbeats of the activity.
 */
export const STRETCH_MAX_MS = 2_000;
/**
 * Length limit of the outcomes in JSON. After each step, Temporal stores the outcomes of all earlier steps again, so
 * the data grows quickly.
 */
export const STRETCH_LENGTH_MAX = 16 * 1024;

/** Returns the values that a step uses, and every secret value, because a target may send back an earlier secret. */
export function selectVariables(
  variables: RunVariables,
  names: readonly string[] | null,
): RunVariables {
  if (names === null) return variables;
  const named = new Set(names);
  return variables.filter(({ name, secret }) => secret === true || named.has(name));
}

/**
 * Returns the reference for the next step, with the extracted values, the cookies and the spent time of this outcome.
 */
export function advanceReference(reference: StepReference, outcome: StepOutcome): StepReference {
  const { vars = [], limitMs } = reference;
  const { extracted, cookies, attempts } = outcome;
  const values = [...vars, ...extracted].map((value) => [value.name, value] as const);
  const spentMs = attempts.reduce((sum, { responseTimeMs }) => sum + responseTimeMs, 0);
  return {
    ...reference,
    vars: [...new Map(values).values()],
    ...(cookies?.jar !== undefined && { cookies: cookies.jar }),
    ...(limitMs !== undefined && { limitMs: limitMs - spentMs }),
  };
}

/**
 * True if no further step may follow in this stretch: the last step failed, `limitMs` is used up, or the outcomes are
 * too long.
 */
export function isStretchOver(outcomes: readonly StepOutcome[], { limitMs = 1 }: StepReference) {
  const last = outcomes.at(-1);
  if (last === undefined) return false;
  if (!isPassing(last) || limitMs <= 0) return true;
  return JSON.stringify(outcomes).length > STRETCH_LENGTH_MAX;
}

/** Reads the outcomes. null means that the value is not a list of outcomes. */
export function readOutcomes(value: unknown, nowMs: number): readonly StepOutcome[] | null {
  if (!Array.isArray(value)) return null;
  const outcomes = value.filter((one): one is StepOutcome => isProbeOutcome(one, nowMs));
  return outcomes.length === value.length ? outcomes : null;
}

/**
 * Reads the outcomes in the heartbeat details of the activity. Empty before the first stored progress. null means that
 * the details are not progress.
 */
export function readProgress(details: unknown, nowMs: number): StretchProgress['outcomes'] | null {
  if (details === undefined) return [];
  if (typeof details !== 'object' || details === null || !('outcomes' in details)) return null;
  return readOutcomes(details.outcomes, nowMs);
}
