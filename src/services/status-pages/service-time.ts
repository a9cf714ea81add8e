/**
 * Reads the service hours of a status page. Time outside of these hours does not count towards availability. Outsiders
 * see the times, but never the name or key of the hours.
 */
import type { RecurringHours, WeeklyHours } from '../../contracts/maintenance';
import { listClosures } from '../../domain/health/service-hours';
import type { TimeSpan } from '../../domain/health/summary';
import { addTimes, type TimeByState } from '../../domain/health/timeline';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { withHolidayDates } from '../maintenance/holidays';
import { createWallClock } from '../maintenance/wall-clock';
import type { Dependencies } from '../ports/dependencies';

export interface ServiceTime extends Pick<WeeklyHours, 'weekly' | 'timeZone'> {
  /** The open parts of each day, in chronological order. */
  readonly parts: readonly (readonly TimeSpan[])[];
}

/** Returns the service hours of the page, with their open parts of each day. null if all time counts. */
export async function readServiceTime(
  { stores }: Pick<Dependencies, 'stores'>,
  { accountId, hours: key }: Pick<StatusPage, 'accountId' | 'hours'>,
  days: readonly TimeSpan[],
): Promise<ServiceTime | null> {
  const hours = key === null ? null : await stores.hours.findByKey(accountId, key);
  if (hours === null) return null;
  const { weekly, timeZone } = hours;
  return { weekly, timeZone, parts: openParts(hours, days) };
}

function openParts(
  hours: RecurringHours,
  days: readonly TimeSpan[],
): readonly (readonly TimeSpan[])[] {
  const span = { fromMs: days[0]?.fromMs ?? 0, toMs: days.at(-1)?.toMs ?? 0 };
  const closures = listClosures(
    withHolidayDates(hours, span),
    createWallClock(hours.timeZone),
    span,
  );
  return days.map((day) => {
    const parts: TimeSpan[] = [];
    let fromMs = day.fromMs;
    for (const closure of closures) {
      if (closure.toMs <= day.fromMs || closure.fromMs >= day.toMs) continue;
      if (closure.fromMs > fromMs) parts.push({ fromMs, toMs: closure.fromMs });
      fromMs = Math.max(fromMs, closure.toMs);
    }
    if (fromMs < day.toMs) parts.push({ fromMs, toMs: day.toMs });
    return parts;
  });
}

/** Returns the time that counts, by day and state. */
export async function countServiceTime(
  { parts }: ServiceTime,
  read: (spans: readonly TimeSpan[]) => Promise<readonly TimeByState[]>,
): Promise<readonly TimeByState[]> {
  const spans = parts.flat();
  const times = spans.length === 0 ? [] : await read(spans);
  let first = 0;
  return parts.map(({ length }) => {
    const ofDay = times.slice(first, first + length);
    first += length;
    return addTimes(ofDay);
  });
}
