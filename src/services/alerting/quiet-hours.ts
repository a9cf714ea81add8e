/**
 * Computes when quiet hours end. This file must not be in the workflow bundle, because time-zone data may differ
 * between replays.
 */
import { type QuietHours, WEEKDAYS, type Weekday } from '../../contracts/escalation';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** The largest time by which a clock change, such as the start of summer time, can move the clock. */
const CLOCK_CHANGE_MINUTES = 180;
/** How far ahead the end of quiet hours is searched for. Weekly quiet hours are never longer. */
const LOOKED_AHEAD_MINUTES = 8 * DAY_MINUTES;

/** Returns the end of the current quiet hours, to the minute. null outside of quiet hours. */
export function findQuietEndMs(quiet: QuietHours | null, atMs: number): number | null {
  if (quiet === null || !isQuiet(quiet, atMs)) return null;
  let endMs = (Math.floor(atMs / MINUTE_MS) + 1) * MINUTE_MS;
  const lastMs = endMs + LOOKED_AHEAD_MINUTES * MINUTE_MS;
  while (endMs < lastMs && isQuiet(quiet, endMs)) endMs += strideMs(quiet, endMs);
  return endMs;
}

/**
 * Returns the size of the next step of the search. Steps are large at first. Near the end of the quiet hours, a step is
 * a minute, because a clock change may move the end.
 */
function strideMs(quiet: QuietHours, atMs: number): number {
  const { minute } = wallClock(quiet.timeZone, atMs);
  const left = (parseMinutes(quiet.to) - minute + DAY_MINUTES) % DAY_MINUTES;
  return Math.max(1, left - CLOCK_CHANGE_MINUTES) * MINUTE_MS;
}

function isQuiet({ timeZone, days, from, to }: QuietHours, atMs: number): boolean {
  const { day, minute } = wallClock(timeZone, atMs);
  const [begins, ends] = [parseMinutes(from), parseMinutes(to)];
  if (begins < ends) return days.includes(day) && minute >= begins && minute < ends;
  const isEvening = days.includes(day) && minute >= begins;
  return isEvening || (days.includes(dayBefore(day)) && minute < ends);
}

function dayBefore(day: Weekday): Weekday {
  return WEEKDAYS.at(WEEKDAYS.indexOf(day) - 1) ?? day;
}

function parseMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function wallClock(timeZone: string, atMs: number): { day: Weekday; minute: number } {
  const parts = new Map(
    getFormat(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const name = parts.get('weekday')?.toLowerCase();
  const day = WEEKDAYS.find((weekday) => weekday === name) ?? 'mon';
  return { day, minute: parseMinutes(`${parts.get('hour')}:${parts.get('minute')}`) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}
