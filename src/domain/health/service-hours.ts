/**
 * Computes when service hours are open, from the weekly hours. Pure: the caller provides the wall clock of a time zone.
 * If a clock change skips a time, the instant of the change counts. If a time occurs twice, hours open at its first and
 * close at its last occurrence.
 */
import { WEEKDAYS } from '../../contracts/escalation';
import type { Occurrence, OpenTime, WeeklyHours } from '../../contracts/maintenance';

const DAY_MINUTES = 1_440;
const DAY_MS = 86_400_000;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** The wall clock of one time zone. A number of minutes above 1440 is a time of the next day. */
export interface WallClock {
  /** Returns the date as `YYYY-MM-DD`. */
  readonly dateAt: (atMs: number) => string;
  readonly firstMs: (date: string, minute: number) => number;
  readonly lastMs: (date: string, minute: number) => number;
}

interface TimeBounds {
  readonly fromMs: number;
  /** The end, which is exclusive. */
  readonly toMs: number;
}

/** Returns the closed periods within the given period, in chronological order. */
export function listClosures(
  hours: WeeklyHours,
  clock: WallClock,
  { fromMs, toMs }: TimeBounds,
): readonly Occurrence[] {
  const closures: Occurrence[] = [];
  let closedFromMs = fromMs;
  for (const open of listOpenings(hours, clock, { fromMs, toMs })) {
    if (open.fromMs > closedFromMs)
      closures.push({ fromMs: closedFromMs, toMs: Math.min(open.fromMs, toMs) });
    closedFromMs = Math.max(closedFromMs, open.toMs);
  }
  if (closedFromMs < toMs) closures.push({ fromMs: closedFromMs, toMs });
  return closures.filter((closure) => closure.fromMs < closure.toMs);
}

/** Returns the open periods that touch the given period, sorted by their start. */
function listOpenings(
  { weekly, holidays }: WeeklyHours,
  clock: WallClock,
  { fromMs, toMs }: TimeBounds,
): readonly Occurrence[] {
  const closed = new Set(holidays);
  const last = addDays(clock.dateAt(toMs), 1);
  const openings: Occurrence[] = [];
  // Starts two days earlier, because hours of an earlier day may continue after midnight.
  for (let date = addDays(clock.dateAt(fromMs), -2); date <= last; date = addDays(date, 1)) {
    if (closed.has(date)) continue;
    const day = findWeekday(date);
    for (const time of weekly.filter(({ days }) => days.includes(day))) {
      const { from, to } = toMinutes(time);
      openings.push({ fromMs: clock.firstMs(date, from), toMs: clock.lastMs(date, to) });
    }
  }
  return openings
    .filter((open) => open.fromMs < open.toMs && open.toMs > fromMs && open.fromMs < toMs)
    .sort((a, b) => a.fromMs - b.fromMs);
}

/**
 * Returns the opening and closing time in minutes of the day. If the closing time is on the next day, 1,440 minutes are
 * added to it.
 */
export function toMinutes({ from, to }: Pick<OpenTime, 'from' | 'to'>) {
  const begins = parseMinute(from);
  const ends = parseMinute(to);
  return { from: begins, to: ends > begins ? ends : ends + DAY_MINUTES };
}

function parseMinute(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

interface Overlap {
  readonly index: number;
  /** The index of the earlier entry that overlaps. */
  readonly other: number;
}

/** Finds times of the week that overlap an earlier time in the list, or that overlap themselves on another day. */
export function findOverlaps(weekly: readonly OpenTime[]): readonly Overlap[] {
  const spans = weekly.flatMap((time, index) =>
    time.days.map((day) => {
      const { from, to } = toMinutes(time);
      const midnight = WEEKDAYS.indexOf(day) * DAY_MINUTES;
      return { index, from: midnight + from, to: midnight + to };
    }),
  );
  const overlaps = new Map<number, Overlap>();
  for (const [at, span] of spans.entries())
    for (const before of spans.slice(0, at))
      if (!overlaps.has(span.index) && [-WEEK_MINUTES, 0, WEEK_MINUTES].some(meets(span, before)))
        overlaps.set(span.index, { index: span.index, other: before.index });
  return [...overlaps.values()];
}

interface Minutes {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns a function that tests whether the two periods overlap after `other` is moved by a number of minutes. The
 * caller also moves by whole weeks, because Sunday night continues into Monday.
 */
function meets(one: Minutes, other: Minutes): (shift: number) => boolean {
  return (shift) => one.from < other.to + shift && other.from + shift < one.to;
}

function findWeekday(date: string) {
  return WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'mon';
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
