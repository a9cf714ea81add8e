/**
 * The wall clock of a time zone. This file must not be in the workflow bundle, because time-zone data may differ
 * between replays.
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

/**
 * Converts a local time to an instant. If the local time occurs twice, `repeated` selects the instant. If a clock
 * change skips the local time, returns the instant of the change.
 */
function instantMs(
  timeZone: string,
  wall: Temporal.PlainDateTime,
  repeated: 'earlier' | 'later',
): number {
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (later.toPlainDateTime().equals(wall))
    return wall.toZonedDateTime(timeZone, { disambiguation: repeated }).epochMilliseconds;
  // The library may have moved the skipped time exactly to the instant of the change, so the search
  // starts a millisecond later.
  const change = later.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return (change ?? later).epochMilliseconds;
}
