/** Holidays that recur, as dates. It stores nothing. */
import type { Holiday, RecurringHours, WeeklyHours } from '../../contracts/maintenance';
import type { TimeSpan } from '../../domain/health/summary';
import type { FieldProblem } from '../../platform/errors';
import { occurrencesAfter, RuleError } from './occurrences';

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
/** Dates of zones are a day away from those of UTC at most; hours of the day before go on after midnight. */
const AROUND_MS = 3 * DAY_MS;
/** Looked at together: days of a year come seldom, those of a week often. */
const BATCH = 8;

/** The hours with all holidays that matter within the bounds as dates. */
export function withHolidayDates(hours: RecurringHours, span: TimeSpan): WeeklyHours {
  return { ...hours, holidays: hours.holidays.flatMap((holiday) => datesOf(holiday, span)) };
}

function datesOf(holiday: Holiday, { fromMs, toMs }: TimeSpan): readonly string[] {
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

/** A rule names its days itself, so that it does not matter where it begins. */
function daysAfter(rrule: string, afterMs: number) {
  const startsAtMs = Date.UTC(new Date(afterMs).getUTCFullYear() - 1, 0, 1);
  const recurrence = { startsAtMs, durationMinutes: DAY_MINUTES, rrule, timeZone: 'UTC' };
  return occurrencesAfter(recurrence, afterMs, BATCH);
}

/** Rules that have no day after the instant. */
export function findHolidayProblems(
  holidays: readonly Holiday[],
  nowMs: number,
): readonly FieldProblem[] {
  return holidays.flatMap((holiday, index): readonly FieldProblem[] => {
    if (typeof holiday === 'string' || hasDays(holiday.rrule, nowMs)) return [];
    const message = 'is a rule without any day to come';
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
