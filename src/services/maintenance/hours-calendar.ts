/** When hours are closed next, and when to look again. It stores nothing. */
import type { Occurrence, RecurringHours } from '../../contracts/maintenance';
import { listClosures } from '../../domain/health/service-hours';
import type { HoursCalendar } from '../../models/maintenance/hours';
import { withHolidayDates } from './holidays';
import { createWallClock } from './wall-clock';

const DAY_MS = 86_400_000;
/** Closures are known from their beginning, however long a weekend is. */
const BEHIND_MS = 10 * DAY_MS;
const AHEAD_MS = 45 * DAY_MS;
/** Hours may begin in a year, after nothing but holidays. */
const FAR_AHEAD_MS = 400 * DAY_MS;
const KEPT = 20;
/** Workflows know of twice as many; the rest is for the time in which nobody can tell them. */
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

/** Those that end after the instant; what does not end within the time ahead is left out while others are known. */
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

/** Whether they are open at the instant, and until when; null: nothing closes in the time that is looked at. */
export function openingAt({ closures }: Pick<HoursCalendar, 'closures'>, atMs: number) {
  const next = closures.find(({ toMs }) => toMs > atMs);
  if (next === undefined) return { isOpen: true, changesAtMs: null };
  const isOpen = next.fromMs > atMs;
  return { isOpen, changesAtMs: isOpen ? next.fromMs : next.toMs };
}
