/** Converts between instants and local times of a time zone. Offsets and clock changes are left to libraries. */
import { Temporal } from 'temporal-polyfill';

/** Converts a local time of the zone, like `2026-01-31T12:00`, to an instant; null if it is not a valid time. */
export function instantAt(wallClock: string, zone: string): string | null {
  try {
    const zoned = Temporal.PlainDateTime.from(wallClock).toZonedDateTime(zone);
    return new Date(zoned.epochMilliseconds).toISOString();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Local time of the zone at the instant, to the minute. */
export function wallClockAt(instant: string, zone: string): string {
  return Temporal.Instant.from(instant)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
}

/** Local time of the zone as `Sat 31 Jan, 12:00`, with the year unless it is the current one. */
function inZone(instant: string, zone: string): string {
  const isOfThisYear = wallClockAt(instant, zone).slice(0, 4) === String(new Date().getFullYear());
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isOfThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).format(new Date(instant));
}

/** Start and end; the end shows its day only when it differs from the start's. */
export function spanInZone(from: string, to: string, zone: string): string {
  const [start, end] = [wallClockAt(from, zone), wallClockAt(to, zone)];
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  return `${inZone(from, zone)} – ${isOneDay ? end.slice(11) : inZone(to, zone)}`;
}
