/** Turns the last checks or runs into stacked bars. The parts are the phases of a request, or the steps of a run. */
import { PHASE_FIELDS } from '../../../contracts/outcome';
import type { Result, Run } from '../data/api-types';
import { PHASE_WORDS } from '../results/words';

export interface Part {
  readonly name: string;
  readonly ms: number;
}

export interface Stack {
  readonly id: string;
  readonly at: string;
  readonly totalMs: number;
  readonly isFailed: boolean;
  readonly parts: readonly Part[];
}

/** Returns a stack of phases for each result, the oldest first. Leaves out results without timings. */
export function stackResults(results: readonly Result[]): readonly Stack[] {
  return results
    .flatMap(({ id, slot, ok, timings }) =>
      timings === null
        ? []
        : [
            {
              id,
              at: slot,
              totalMs: timings.totalMs,
              isFailed: !ok,
              parts: PHASE_FIELDS.map((field) => ({
                name: PHASE_WORDS[field],
                ms: timings[field] ?? 0,
              })),
            },
          ],
    )
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

/**
 * Returns a stack for each run with measured times, the oldest first. The parts of a stack are the times of each step's
 * own requests.
 */
export function stackRuns(runs: readonly Run[]): readonly Stack[] {
  return runs
    .map(({ id, slot, status, steps }) => {
      const parts = steps.map(({ name, responseTimeMs }) => ({ name, ms: responseTimeMs ?? 0 }));
      const totalMs = parts.reduce((sum, { ms }) => sum + ms, 0);
      return { id, at: slot, totalMs, isFailed: status !== 'passed', parts };
    })
    .filter(({ totalMs }) => totalMs > 0)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

/** Lists the names of parts in the order in which they appear, at most `max`. */
export function partNames(stacks: readonly Stack[], max: number): readonly string[] {
  return [...new Set(stacks.flatMap(({ parts }) => parts.map(({ name }) => name)))].slice(0, max);
}

/** Returns the mean of the named part over the checks or runs that passed. */
export function computeMean(stacks: readonly Stack[], name: string): number | null {
  const values = stacks
    .filter(({ isFailed }) => !isFailed)
    .flatMap(({ parts }) => parts.filter((part) => part.name === name).map(({ ms }) => ms));
  return values.length === 0 ? null : values.reduce((sum, ms) => sum + ms, 0) / values.length;
}

/** Shown instead of a status code if nothing was sent. */
export const NOT_RUN = 'Not run';

export interface CodeCount {
  readonly code: string;
  readonly count: number;
}

/**
 * Counts how often each status code was received, most frequent first. Checks without a response count as `No
 * response`, or as `Not run` if nothing was sent. Gaps and passing results without a stored response are left out.
 */
export function countCodes(results: readonly Result[]): readonly CodeCount[] {
  const counts = new Map<string, number>();
  for (const { response, gap, status } of results) {
    const isNotKept = response === null && (status === 'up' || status === 'degraded');
    if (gap !== null || isNotKept) continue;
    const without = status === 'unknown' ? NOT_RUN : 'No response';
    const code = response === null ? without : String(response.status ?? 'Response');
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .toSorted((a, b) => b.count - a.count);
}
