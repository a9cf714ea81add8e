/**
 * Cron expressions with five fields: validation and due times. Must not be in the workflow bundle, because time-zone
 * data may differ between replays.
 */
import { Cron } from 'croner';

const FIELDS = 5;
const DAY_MS = 86_400_000;
/** Number of due times that are examined to find the shortest pause between two of them. */
const LOOKED_AT = 50;

interface CronSchedule {
  readonly cron: string;
  readonly timeZone: string;
}

function open({ cron, timeZone }: CronSchedule): Cron {
  const [, , day = '', , weekday = ''] = cron.trim().split(/\s+/);
  // The two day fields combine as in cron. If one of them starts with a star, both fields must match. Otherwise, one
  // matching field is enough.
  const domAndDow = day.startsWith('*') || weekday.startsWith('*');
  return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true, domAndDow });
}

/** Returns the problem of the expression in any time zone. null means that it is valid. */
export function findCronProblem(cron: string, nowMs: number): string | null {
  if (cron.trim().startsWith('@'))
    return 'must have five fields like "0 2 * * *"; nicknames like @daily are not supported';
  if (cron.trim().split(/\s+/).length !== FIELDS)
    return 'must have five fields: minute, hour, day of month, month, day of week';
  try {
    const next = open({ cron, timeZone: 'UTC' }).nextRun(new Date(nowMs));
    return next === null ? 'matches no date' : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    return `is not a cron expression: ${reason}`;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Returns the first due time after the given time, or a time 366 days later if there is none. */
export function findNextDue(schedule: CronSchedule, afterMs: number): number {
  return open(schedule).nextRun(new Date(afterMs))?.getTime() ?? afterMs + 366 * DAY_MS;
}

/** Returns the shortest pause between two of the next due times, in whole seconds, at least 1. */
export function shortestPauseSeconds(schedule: CronSchedule, nowMs: number): number {
  const dues = open(schedule)
    .nextRuns(LOOKED_AT, new Date(nowMs))
    .map((due) => due.getTime());
  const pauses = dues.slice(1).map((due, index) => due - (dues[index] ?? due));
  return Math.max(1, Math.round(Math.min(...pauses, 366 * DAY_MS) / 1_000));
}
