/** Converts between instants and local times of a time zone. A library handles offsets and clock changes. */
import { Temporal } from 'temporal-polyfill';

/** Converts a local time in the zone, like `2026-01-31T12:00`, to an instant. null if the text is not a valid time. */
export function instantAt(wallClock: string, zone: string): string | null {
  try {
    const zoned = Temporal.PlainDateTime.from(wallClock).toZonedDateTime(zone);
    return new Date(zoned.epochMilliseconds).toISOString();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the local time in the zone at this instant, to the minute. */
export function wallClockAt(instant: string, zone: string): string {
  return Temporal.Instant.from(instant)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
}

/**
 * Formats an instant as local time in the zone, like `Sat 31 Jan, 12:00`. The year is shown only if it is not the
 * current year.
 */
export function instantInZone(instant: string, zone: string, nowMs = Date.now()): string {
  const readYear = (one: string): string => wallClockAt(one, zone).slice(0, 4);
  const isOfThisYear = readYear(instant) === readYear(new Date(nowMs).toISOString());
  const text = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isOfThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).format(new Date(instant));
  // With a year, the format puts a comma after the weekday.
  return text.replace(/^(\p{L}+),/u, '$1');
}

interface Span {
  readonly startsAt: string;
  readonly endsAt: string;
}

/**
 * Formats a period that is shown next to the same period in another zone. Leaves out the day if it is the same in both
 * zones.
 */
export function spanNextToZone(span: Span, zone: string, otherZone: string): string {
  const { startsAt, endsAt } = span;
  const days = [zone, otherZone].flatMap((one) =>
    [startsAt, endsAt].map((at) => wallClockAt(at, one).slice(0, 10)),
  );
  if (new Set(days).size > 1) return spanInZone(span, zone);
  return [startsAt, endsAt].map((at) => wallClockAt(at, zone).slice(11)).join(' – ');
}

/** Formats both ends of a period. If both are on the same day, only the start has a day. */
export function spanInZone({ startsAt, endsAt }: Span, zone: string, nowMs = Date.now()): string {
  const [start, end] = [wallClockAt(startsAt, zone), wallClockAt(endsAt, zone)];
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  const endText = isOneDay ? end.slice(11) : instantInZone(endsAt, zone, nowMs);
  return `${instantInZone(startsAt, zone, nowMs)} – ${endText}`;
}
