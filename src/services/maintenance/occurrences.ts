/**
 * Computes with a library when a window begins and ends, in the local time of its time zone. If a clock change skips
 * the start, the window starts later by the length of the gap. If a local time occurs twice, the first one is the start
 * (RFC 5545 §3.3.5).
 */

import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import type { Occurrence } from '../../contracts/maintenance';

export interface Recurrence {
  readonly startsAtMs: number;
  readonly durationMinutes: number;
  /** The rule without the prefix `RRULE:`. null means a one-time window. */
  readonly rrule: string | null;
  readonly timeZone: string;
}

/**
 * How many periods of the rule are searched. A rule without an occurrence in these periods is treated as never
 * occurring.
 */
const PERIODS_MAX = 4_000;

/** Thrown if the library refused the rule, or if the rule never occurs. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
}

/**
 * Returns the occurrences that end after the given time, in order. Returns at most `count` of them. Throws RuleError.
 */
export function listOccurrencesAfter(
  recurrence: Recurrence,
  afterMs: number,
  count: number,
): readonly Occurrence[] {
  const { startsAtMs, rrule } = recurrence;
  const lengthMs = recurrence.durationMinutes * 60_000;
  const toOccurrence = (fromMs: number): Occurrence => ({ fromMs, toMs: fromMs + lengthMs });
  const isLeft = ({ toMs }: Occurrence): boolean => toMs > afterMs;
  if (rrule === null) return [toOccurrence(startsAtMs)].filter(isLeft).slice(0, count);
  try {
    const found: Occurrence[] = [];
    for (const fromMs of startsFrom(recurrence, rrule, afterMs - lengthMs)) {
      const occurrence = toOccurrence(fromMs);
      if (isLeft(occurrence)) found.push(occurrence);
      if (found.length >= count) break;
    }
    return found;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new RuleError(error.message, { cause: error });
  }
}

/**
 * Yields the starts. First, the rule is computed as if local times were in UTC. Each result is then converted to the
 * time zone.
 */
function* startsFrom(
  { startsAtMs, timeZone }: Recurrence,
  rrule: string,
  fromMs: number,
): Generator<number> {
  const onTheWall = (atMs: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs))
      .toZonedDateTimeISO(timeZone)
      .toPlainDateTime()
      .toZonedDateTime('UTC');
  const until = /(?:^|;)UNTIL=(\d{8}T\d{6}Z)/.exec(rrule)?.[1];
  const rule = new RRuleTemporal({
    rruleString: `RRULE:${rrule.replace(/(^|;)UNTIL=[^;]*;?/, '$1').replace(/;$/, '')}`,
    dtstart: onTheWall(startsAtMs),
    ...(until === undefined
      ? {}
      : { until: onTheWall(Temporal.Instant.from(until).epochMilliseconds) }),
    strict: true,
    maxIterations: PERIODS_MAX,
  });
  // The search starts a day earlier, because clocks change by less than a day.
  let at = onTheWall(Math.max(startsAtMs, fromMs)).subtract({ days: 1 });
  for (let next = rule.next(at, true); next !== null; next = rule.next(at, false)) {
    at = Temporal.ZonedDateTime.from(next.toString());
    yield at.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'compatible' })
      .epochMilliseconds;
  }
}
