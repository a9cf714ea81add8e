/**
 * A stretch: steps of a run that follow each other at once, carried out by one activity of a probe. What each of them is
 * handed, how far it has come, and when it ends. Pure, and the same for workflows and probes.
 */
import type { StepReference, StretchProgress } from '../../contracts/activities';
import type { StepOutcome } from '../../contracts/outcome';
import type { RunVariables } from '../../contracts/records';
import { isPassing } from '../health/evidence';
import { isProbeOutcome } from '../health/outcome-shape';

/** No further step begins later: the record of the run is brought up to date. Shorter than heartbeats are apart. */
export const STRETCH_MAX_MS = 2_000;
/** In JSON: with each step Temporal keeps the outcomes of all earlier ones. */
export const STRETCH_LENGTH_MAX = 16 * 1024;

/** What a step fills in, and every secret value: a target may send back what it got earlier. */
export function variablesFor(
  variables: RunVariables,
  names: readonly string[] | null,
): RunVariables {
  if (names === null) return variables;
  const named = new Set(names);
  return variables.filter(({ name, secret }) => secret === true || named.has(name));
}

/** What the next step is handed after this outcome of the one before. */
export function referenceAfter(reference: StepReference, outcome: StepOutcome): StepReference {
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

/** Whether no further step may follow, whatever time it is. */
export function isStretchOver(outcomes: readonly StepOutcome[], { limitMs = 1 }: StepReference) {
  const last = outcomes.at(-1);
  if (last === undefined) return false;
  if (!isPassing(last) || limitMs <= 0) return true;
  return JSON.stringify(outcomes).length > STRETCH_LENGTH_MAX;
}

/** The outcomes of a list in which there is nothing else; null for anything else. */
export function readOutcomes(value: unknown, nowMs: number): readonly StepOutcome[] | null {
  if (!Array.isArray(value)) return null;
  const outcomes = value.filter((one): one is StepOutcome => isProbeOutcome(one, nowMs));
  return outcomes.length === value.length ? outcomes : null;
}

/** None before the first mark; null for what is no progress. */
export function readProgress(details: unknown, nowMs: number): StretchProgress['outcomes'] | null {
  if (details === undefined) return [];
  if (typeof details !== 'object' || details === null || !('outcomes' in details)) return null;
  return readOutcomes(details.outcomes, nowMs);
}
