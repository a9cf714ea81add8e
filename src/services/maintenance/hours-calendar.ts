/** Computes the next closures of hours, and the time at which they must be computed again. */
import type { Occurrence, RecurringHours } from '../../contracts/maintenance';
import { listClosures } from '../../domain/health/service-hours';
import type { HoursCalendar } from '../../models/maintenance/hours';
import { withHolidayDates } from './holidays';
import { createWallClock } from './wall-clock';

const DAY_MS = 86_400_000;
/** How far back the search starts. The search must find the start of the current closure, even on a long weekend. */
const BEHIND_MS = 10 * DAY_MS;
const AHEAD_MS = 45 * DAY_MS;
/** How far ahead the next opening is searched for. Hours may open only after a whole year of holidays. */
const FAR_AHEAD_MS = 400 * DAY_MS;
const KEPT = 20;
/**
 * After this many closures have ended, workflows get the next closures. Each workflow has twice as many, because the
 * notification may be late.
 */
const PASSED = 5;
const LOOK_AGAIN_MS = 20 * DAY_MS;

export function readCalendar(hours: RecurringHours, nowMs: number): HoursCalendar {
  const closures = closuresAfter(hours, nowMs).slice(0, KEPT);
  const passed = closures[PASSED - 1] ?? closures.at(-1);
  return {
    closures,
    dueAtMs: Math.min(nowMs + LOOK_AGAIN_MS, passed?.toMs ?? nowMs + LOOK_AGAIN_MS),
  };
}

/**
 * Returns the closures that end after `nowMs`. Leaves out a closure that reaches the end of the searched time, because
 * its real end is unknown. If no other closure is found, searches further ahead and leaves out no closure.
 */
function closuresAfter(hours: RecurringHours, nowMs: number): readonly Occurrence[] {
  const near = closuresUntil(hours, nowMs, nowMs + AHEAD_MS);
  const isEndless = near.length === 1 && near[0]?.toMs === nowMs + AHEAD_MS;
  if (isEndless) return closuresUntil(hours, nowMs, nowMs + FAR_AHEAD_MS);
  return near.filter(({ toMs }) => toMs < nowMs + AHEAD_MS);
}

function closuresUntil(hours: RecurringHours, nowMs: number, toMs: number): readonly Occurrence[] {
  const clock = createWallClock(hours.timeZone);
  const span = { fromMs: nowMs - BEHIND_MS, toMs };
  const closures = listClosures(withHolidayDates(hours, span), clock, span);
  return closures.filter((closure) => closure.toMs > nowMs);
}

/**
 * Returns whether the hours are open at the instant, and when that changes. `changesAtMs` is null if no later closure
 * is known.
 */
export function findOpeningAt({ closures }: Pick<HoursCalendar, 'closures'>, atMs: number) {
  const next = closures.find(({ toMs }) => toMs > atMs);
  if (next === undefined) return { isOpen: true, changesAtMs: null };
  const isOpen = next.fromMs > atMs;
  return { isOpen, changesAtMs: isOpen ? next.fromMs : next.toMs };
}
