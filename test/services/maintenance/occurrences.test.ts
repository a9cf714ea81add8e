/**
 * Tests when windows start, across changes of daylight saving in zones all over the world. Compares the starts with an
 * independent model that uses only the platform's local times.
 */
import {
  listOccurrencesAfter,
  type Recurrence,
  RuleError,
} from '../../../src/services/maintenance/occurrences';

const MINUTE = 60_000;
const DAY = 86_400_000;
const ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'Europe/Lisbon',
  'Europe/Helsinki',
  'Europe/Chisinau',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Halifax',
  'America/St_Johns',
  'America/Havana',
  'America/Santiago',
  'America/Asuncion',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
] as const;
/** The tests cover two years. In this time, nearly all of these zones change their clocks four times. */
const FROM = Date.UTC(2023, 0, 1);
const TO = Date.UTC(2025, 0, 1);

const formats = new Map<string, Intl.DateTimeFormat>();

const shownAt = new Map<string, number>();

/** Returns the local time in the zone, encoded as if it were UTC. */
function wallClock(zone: string, atMs: number): number {
  const key = `${zone} ${atMs}`;
  const shown = shownAt.get(key) ?? readWallClock(zone, atMs);
  shownAt.set(key, shown);
  return shown;
}

function readWallClock(zone: string, atMs: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(zone, format);
  const shown = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: string): number => shown[name] ?? 0;
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
}

/**
 * Returns the instant of a local time. Reads the offsets a day before and a day after it, because two changes are
 * further apart than that.
 */
function instantOf(zone: string, wallMs: number): number {
  const offsets = [wallMs - DAY, wallMs + DAY].map((atMs) => wallClock(zone, atMs) - atMs);
  const shown = offsets
    .map((offset) => wallMs - offset)
    .filter((atMs) => wallClock(zone, atMs) === wallMs);
  // A repeated local time means the first of its two instants. A skipped local time uses the offset from before the
  // change.
  return shown.length > 0 ? Math.min(...shown) : wallMs - (offsets[0] ?? 0);
}

/** Returns the instants at which local time jumps. Finds them by bisection. */
function changesOf(zone: string): readonly number[] {
  const offset = (atMs: number): number => wallClock(zone, atMs) - atMs;
  const changes: number[] = [];
  for (let dayMs = FROM; dayMs < TO; dayMs += DAY) {
    let [low, high] = [dayMs, dayMs + DAY];
    if (offset(low) === offset(high)) continue;
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
      if (offset(middle) === offset(low)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}

const startsOf = (recurrence: Recurrence, afterMs: number, count: number) =>
  listOccurrencesAfter(recurrence, afterMs, count).map(({ fromMs }) => fromMs);

describe.each(ZONES)('%s', (timeZone) => {
  test('daily windows start at the same time as in an independent model, around clock changes', () => {
    const changes = changesOf(timeZone);
    expect(changes.length).toBeGreaterThanOrEqual(2);
    for (const changeMs of changes) {
      // Tests times of the day from three hours before the jump to three hours after it.
      for (let minutes = -180; minutes <= 180; minutes += 30) {
        const [firstWall = 0, ...walls] = Array.from(
          { length: 8 },
          (_, day) => wallClock(timeZone, changeMs + minutes * MINUTE) + (day - 4) * DAY,
        );
        const startsAtMs = instantOf(timeZone, firstWall);
        const recurrence = { startsAtMs, durationMinutes: 30, rrule: 'FREQ=DAILY', timeZone };
        expect(startsOf(recurrence, startsAtMs, 8)).toEqual(
          [firstWall, ...walls].map((wallMs) => instantOf(timeZone, wallMs)),
        );
      }
    }
  });
});

const berlin = (change: Partial<Recurrence>): Recurrence => ({
  startsAtMs: Date.parse('2026-03-27T02:30:00+01:00'),
  durationMinutes: 60,
  rrule: 'FREQ=DAILY',
  timeZone: 'Europe/Berlin',
  ...change,
});

test('a start that a clock change skips moves forward, and later days keep their time', () => {
  expect(startsOf(berlin({}), Date.parse('2026-03-28T12:00:00Z'), 2)).toEqual([
    Date.parse('2026-03-29T03:30:00+02:00'),
    Date.parse('2026-03-30T02:30:00+02:00'),
  ]);
});

test('a start that a clock change repeats happens once, the first time', () => {
  expect(startsOf(berlin({}), Date.parse('2026-10-24T12:00:00Z'), 2)).toEqual([
    Date.parse('2026-10-25T02:30:00+02:00'),
    Date.parse('2026-10-26T02:30:00+01:00'),
  ]);
});

test('the length of a window is elapsed time, even across a clock change', () => {
  const [occurrence] = listOccurrencesAfter(
    berlin({ startsAtMs: Date.parse('2026-03-28T23:00:00+01:00'), durationMinutes: 360 }),
    Date.parse('2026-03-28T23:30:00+01:00'),
    1,
  );
  expect(occurrence).toEqual({
    fromMs: Date.parse('2026-03-28T23:00:00+01:00'),
    toMs: Date.parse('2026-03-29T06:00:00+02:00'),
  });
});

test('a current occurrence of maintenance is listed first, and past occurrences are not listed', () => {
  const once = berlin({ rrule: null });
  expect(listOccurrencesAfter(once, once.startsAtMs + 59 * MINUTE, 5)).toHaveLength(1);
  expect(listOccurrencesAfter(once, once.startsAtMs + 60 * MINUTE, 5)).toEqual([]);
});

test('UNTIL of a rule is an inclusive instant, and COUNT counts from the first occurrence', () => {
  const until = berlin({ rrule: 'FREQ=DAILY;UNTIL=20260331T003000Z' });
  expect(startsOf(until, until.startsAtMs, 9)).toHaveLength(5);
  const counted = berlin({ rrule: 'FREQ=WEEKLY;BYDAY=SU;COUNT=3' });
  expect(startsOf(counted, Date.parse('2026-04-06T00:00:00Z'), 9)).toEqual([
    Date.parse('2026-04-12T02:30:00+02:00'),
  ]);
});

test('a recurrence rule that never occurs is reported as an error in limited time', () => {
  const never = berlin({ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' });
  expect(() => listOccurrencesAfter(never, never.startsAtMs, 1)).toThrow(RuleError);
});
