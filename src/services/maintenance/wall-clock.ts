/**
 * The clock on the wall of a time zone, by a library. It must not enter the workflow bundle: what time-zone data
 * says may differ between two replays.
 */
import { Temporal } from 'temporal-polyfill';
import type { WallClock } from '../../domain/health/service-hours';

const DAY_MINUTES = 1_440;

export function createWallClock(timeZone: string): WallClock {
  return {
    dateAt: (atMs) =>
      Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs))
        .toZonedDateTimeISO(timeZone)
        .toPlainDate()
        .toString(),
    firstMs: (date, minute) => instantMs(timeZone, wallTime(date, minute), 'earlier'),
    lastMs: (date, minute) => instantMs(timeZone, wallTime(date, minute), 'later'),
  };
}

function wallTime(date: string, minute: number): Temporal.PlainDateTime {
  const day = Temporal.PlainDate.from(date).add({ days: Math.floor(minute / DAY_MINUTES) });
  const ofDay = minute % DAY_MINUTES;
  return day.toPlainDateTime({ hour: Math.floor(ofDay / 60), minute: ofDay % 60 });
}

/** Of a time that the clocks skip, the instant of the change. */
function instantMs(
  timeZone: string,
  wall: Temporal.PlainDateTime,
  repeated: 'earlier' | 'later',
): number {
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (later.toPlainDateTime().equals(wall))
    return wall.toZonedDateTime(timeZone, { disambiguation: repeated }).epochMilliseconds;
  // The change itself may be what the skipped time is put forward to.
  const change = later.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return (change ?? later).epochMilliseconds;
}
