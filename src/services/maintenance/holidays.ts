/** Converts recurring holidays to dates. Stores nothing. */
import type { Holiday, RecurringHours, WeeklyHours } from '../../contracts/maintenance';
import type { TimeSpan } from '../../domain/health/summary';
import type { FieldProblem } from '../../platform/errors';
import { listOccurrencesAfter, RuleError } from './occurrences';

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
/**
 * The span is extended by this much on both sides. The extension covers the offset of any time zone (under a day), and
 * hours that continue after midnight.
 */
const AROUND_MS = 3 * DAY_MS;
/** How many occurrences are read at a time. */
const BATCH = 8;

/** Returns the hours with their holidays as dates. Includes every date that can affect the span. */
export function withHolidayDates(hours: RecurringHours, span: TimeSpan): WeeklyHours {
  return { ...hours, holidays: hours.holidays.flatMap((holiday) => listDates(holiday, span)) };
}

function listDates(holiday: Holiday, { fromMs, toMs }: TimeSpan): readonly string[] {
  if (typeof holiday === 'string') return [holiday];
  const dates: string[] = [];
  for (let afterMs = fromMs - AROUND_MS; ; ) {
    const days = daysAfter(holiday.rrule, afterMs);
    const inside = days.filter((day) => day.fromMs <= toMs + AROUND_MS);
    for (const day of inside) dates.push(new Date(day.fromMs).toISOString().slice(0, 10));
    if (inside.length < BATCH) return dates;
    afterMs = inside.at(-1)?.toMs ?? toMs;
  }
}

/**
 * Returns the next days of the rule. The computation starts on January 1 of the previous year, because an earlier start
 * would give the same days.
 */
function daysAfter(rrule: string, afterMs: number) {
  const startsAtMs = Date.UTC(new Date(afterMs).getUTCFullYear() - 1, 0, 1);
  const recurrence = { startsAtMs, durationMinutes: DAY_MINUTES, rrule, timeZone: 'UTC' };
  return listOccurrencesAfter(recurrence, afterMs, BATCH);
}

/** Finds rules that have no day after `nowMs`. */
export function findHolidayProblems(
  holidays: readonly Holiday[],
  nowMs: number,
): readonly FieldProblem[] {
  return holidays.flatMap((holiday, index): readonly FieldProblem[] => {
    if (typeof holiday === 'string' || hasDays(holiday.rrule, nowMs)) return [];
    const message = 'matches no future day: use a rule that still recurs';
    return [{ path: `holidays[${index}].rrule`, code: 'invalid_value', message }];
  });
}

function hasDays(rrule: string, nowMs: number): boolean {
  try {
    return daysAfter(rrule, nowMs).length > 0;
  } catch (error) {
    if (error instanceof RuleError) return false;
    throw error;
  }
}
