/**
 * When a window begins and ends, by a library: wall clock of its zone in, instants out. A start that
 * the clocks skip is put forward and one that they repeat is the first of both (RFC 5545 §3.3.5), so
 * that no maintenance is left out by a change of clocks. It does no arithmetic of zones itself.
 */

import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import type { Occurrence } from '../../contracts/maintenance';

export interface Recurrence {
  readonly startsAtMs: number;
  readonly durationMinutes: number;
  /** Without `RRULE:`; null: once. */
  readonly rrule: string | null;
  readonly timeZone: string;
}

/** Periods that are looked at before a rule counts as one that never happens. */
const PERIODS_MAX = 4_000;

/** The rule can't be computed: the library refused it, or it never happens. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
}

/** Those that end after the instant, in order, at most `count`. Throws RuleError. */
export function occurrencesAfter(
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

/** The rule runs on the wall clock, as if in UTC; each of its times is then put into the zone. */
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
  // Clocks are never changed by more than a day, so that nothing is left out by looking from there.
  let at = onTheWall(Math.max(startsAtMs, fromMs)).subtract({ days: 1 });
  for (let next = rule.next(at, true); next !== null; next = rule.next(at, false)) {
    at = Temporal.ZonedDateTime.from(next.toString());
    yield at.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'compatible' })
      .epochMilliseconds;
  }
}
