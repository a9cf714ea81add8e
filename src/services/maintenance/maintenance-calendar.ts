/**
 * Computes the calendar of a window: its next occurrences, and when to compute them again. Also finds problems for
 * which a window is refused.
 */

import type { Occurrence } from '../../contracts/maintenance';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { FieldProblem } from '../../platform/errors';
import { AHEAD_MS, listEffectiveOccurrences } from './maintenance-plans';
import { listOccurrencesAfter, type Recurrence, RuleError } from './occurrences';

/**
 * Number of occurrences that are stored. Responses show one occurrence fewer, because the first stored occurrence may
 * soon be over.
 */
const KEPT = 6;
/** How many occurrences are compared in the search for overlaps. */
const COMPARED = 60;
const YEARS_AHEAD_MAX_MS = 10 * 366 * 86_400_000;
const DAY_MS = 86_400_000;

type Dated = Pick<MaintenanceWindow, 'occurrences' | 'dueAtMs'>;

/** Returns the window with its calendar at the given time, and the time at which its targets must be notified next. */
export function withCalendar(window: MaintenanceWindow, nowMs: number): MaintenanceWindow {
  const found = tryOccurrences(window, nowMs, KEPT);
  // If a stored rule can no longer be computed, there are no further occurrences.
  const occurrences = found instanceof RuleError ? [] : found;
  return { ...window, ...datedAt({ ...window, occurrences }, nowMs) };
}

/**
 * Computes the calendar. The calendar must be computed again when the first occurrence is over, or when a distant
 * occurrence comes within reach of plans.
 */
function datedAt(window: MaintenanceWindow, nowMs: number): Dated {
  const { occurrences } = window;
  const [first] = listEffectiveOccurrences(window).filter(({ toMs }) => toMs > nowMs);
  const last = occurrences.at(-1);
  if (first === undefined) return { occurrences, dueAtMs: last === undefined ? null : last.toMs };
  const isFar = first.fromMs > nowMs + AHEAD_MS - DAY_MS;
  return { occurrences, dueAtMs: isFar ? first.fromMs - AHEAD_MS + DAY_MS : first.toMs };
}

/** Reports a window that starts too far ahead, has no occurrence after `nowMs`, or overlaps with itself. */
export function findCalendarProblems(
  recurrence: Recurrence,
  nowMs: number,
): readonly FieldProblem[] {
  const { rrule, startsAtMs } = recurrence;
  const far: readonly FieldProblem[] =
    startsAtMs > nowMs + YEARS_AHEAD_MAX_MS
      ? [{ path: 'startsAt', code: 'out_of_bounds', message: 'must be within the next ten years' }]
      : [];
  const path = rrule === null ? 'startsAt' : 'rrule';
  const refuse = (message: string): FieldProblem => ({ path, code: 'invalid_value', message });
  const found = tryOccurrences(recurrence, nowMs, COMPARED);
  if (found instanceof RuleError) return [...far, refuse('matches no date')];
  if (found.length === 0) return [...far, refuse('is already over')];
  const overlaps = found.some(({ fromMs }, index) => fromMs < (found[index - 1]?.toMs ?? 0));
  return overlaps ? [...far, refuse('happens again before durationMinutes have passed')] : far;
}

function tryOccurrences(
  recurrence: Recurrence,
  nowMs: number,
  count: number,
): readonly Occurrence[] | RuleError {
  try {
    return listOccurrencesAfter(recurrence, nowMs, count);
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
}
