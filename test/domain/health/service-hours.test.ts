/**
 * Tests when hours are open, according to local time, in every zone and in both nights with a change of daylight
 * saving. Covers: src/services/maintenance/wall-clock.ts, src/services/maintenance/hours-calendar.ts
 */
import fc from 'fast-check';
import { WEEKDAYS } from '../../../src/contracts/escalation';
import type { OpenTime, WeeklyHours } from '../../../src/contracts/maintenance';
import { findOverlaps, listClosures, toMinutes } from '../../../src/domain/health/service-hours';
import { findOpeningAt, readCalendar } from '../../../src/services/maintenance/hours-calendar';
import { createWallClock } from '../../../src/services/maintenance/wall-clock';
import { propertyOptions } from '../../support/property-runs';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAY_MINUTES = 1_440;

/**
 * For each zone, two nights. In one of them clocks go forward, and in the other they go back. Asia/Kathmandu has no
 * such changes.
 */
const NIGHTS = [
  { timeZone: 'Europe/Berlin', nights: ['2026-03-29', '2026-10-25'] },
  { timeZone: 'America/New_York', nights: ['2026-03-08', '2026-11-01'] },
  { timeZone: 'Australia/Lord_Howe', nights: ['2026-10-04', '2026-04-05'] },
  { timeZone: 'America/Santiago', nights: ['2026-09-06', '2026-04-05'] },
  { timeZone: 'Asia/Kathmandu', nights: ['2026-01-01', '2026-07-01'] },
] as const;

interface Wall {
  readonly date: string;
  readonly day: number;
  readonly minute: number;
}

function readWall(timeZone: string, atMs: number): Wall {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(atMs);
  const [date = '', time = ''] = text.split(' ');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const day = (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;
  return { date, day, minute: hours * 60 + minutes };
}

/** Decides by local time alone whether the hours are open. */
function isOpenByWall({ timeZone, weekly, holidays }: WeeklyHours, atMs: number): boolean {
  const now = readWall(timeZone, atMs);
  const yesterday = new Date(Date.parse(`${now.date}T00:00:00Z`) - DAY).toISOString().slice(0, 10);
  return weekly.some((time) => {
    const { from, to } = toMinutes(time);
    const isOn = (day: number) => time.days.some((name) => WEEKDAYS.indexOf(name) === day);
    const isToday = isOn(now.day) && !holidays.includes(now.date);
    const isYesterday = isOn((now.day + 6) % 7) && !holidays.includes(yesterday);
    return (
      (isToday && now.minute >= from && now.minute < to) ||
      (isYesterday && now.minute + DAY_MINUTES >= from && now.minute + DAY_MINUTES < to)
    );
  });
}

function isNearRepeatedTime(timeZone: string, atMs: number): boolean {
  const offsetAt = (ms: number): number => {
    const { date, minute } = readWall(timeZone, ms);
    return Date.parse(`${date}T00:00:00Z`) + minute * MINUTE - Math.floor(ms / MINUTE) * MINUTE;
  };
  return offsetAt(atMs - 2 * HOUR) > offsetAt(atMs + 2 * HOUR);
}

const clockTime = fc
  .integer({ min: 0, max: 95 })
  .map(
    (quarter) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
  );
const openTime = fc
  .record({
    days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
    from: clockTime,
    to: fc.oneof(clockTime, fc.constant('24:00')),
  })
  .filter(({ from, to }) => from !== to);
const weekly = fc
  .array(openTime, { minLength: 1, maxLength: 4 })
  .map((times) => {
    const kept: OpenTime[] = [];
    for (const time of times) if (findOverlaps([...kept, time]).length === 0) kept.push(time);
    return kept;
  })
  .filter(({ length }) => length > 0);

const night = fc.constantFrom(
  ...NIGHTS.flatMap(({ timeZone, nights }) => nights.map((date) => ({ timeZone, date }))),
);

test('service hours follow local time, except in hours that a clock change repeats', () => {
  fc.assert(
    fc.property(night, weekly, fc.boolean(), ({ timeZone, date }, times, isHoliday) => {
      const hours = { timeZone, weekly: times, holidays: isHoliday ? [date] : [] };
      const fromMs = Date.parse(`${date}T00:00:00Z`) - DAY;
      const toMs = fromMs + 3 * DAY;
      const closures = listClosures(hours, createWallClock(timeZone), { fromMs, toMs });
      for (let atMs = fromMs; atMs < toMs; atMs += 15 * MINUTE) {
        const isClosed = closures.some((closure) => closure.fromMs <= atMs && atMs < closure.toMs);
        const isOpen = isOpenByWall(hours, atMs);
        if (isOpen === !isClosed) continue;
        const at = new Date(atMs).toISOString();
        expect({ at, isOpen, isNear: isNearRepeatedTime(timeZone, atMs) }).toEqual({
          at,
          isOpen: false,
          isNear: true,
        });
      }
    }),
    propertyOptions(60),
  );
});

const everyDay = (from: string, to: string): readonly OpenTime[] => [
  { days: [...WEEKDAYS], from, to },
];

/** Returns how many hours are open from one noon to the next. */
function openHours(date: string, times: readonly OpenTime[], timeZone = 'Europe/Berlin'): number {
  const clock = createWallClock(timeZone);
  const toMs = clock.firstMs(date, 720);
  const fromMs = clock.firstMs(date, 0) - 12 * HOUR;
  const closures = listClosures({ timeZone, weekly: times, holidays: [] }, clock, { fromMs, toMs });
  const closedMs = closures.reduce((sum, closure) => sum + closure.toMs - closure.fromMs, 0);
  return (toMs - fromMs - closedMs) / HOUR;
}

test.each([
  ['across the skipped hour', '2026-03-29', '01:00', '04:00', 2],
  ['that starts in the skipped hour', '2026-03-29', '02:30', '04:00', 1],
  ['that ends in the skipped hour', '2026-03-29', '01:00', '02:30', 1],
  ['within the skipped hour', '2026-03-29', '02:15', '02:45', 0],
  ['across the repeated hour', '2026-10-25', '01:00', '04:00', 4],
  ['that starts in the repeated hour', '2026-10-25', '02:30', '04:00', 2.5],
  ['that ends in the repeated hour', '2026-10-25', '01:00', '02:30', 2.5],
  ['within the repeated hour', '2026-10-25', '02:15', '02:45', 1.5],
])(
  'with the opening time %s, hours are open exactly while the local time is within the opening time',
  (_name, date, from, to, hours) => {
    expect(openHours(date, everyDay(from, to))).toBe(hours);
  },
);

test('service hours of a night belong to the day on which the night begins, even if the next day is a holiday', () => {
  const hours: WeeklyHours = {
    timeZone: 'UTC',
    weekly: [{ days: ['fri', 'sat'], from: '20:00', to: '04:00' }],
    holidays: ['2026-07-04'],
  };
  const bounds = { fromMs: Date.parse('2026-07-03T12:00Z'), toMs: Date.parse('2026-07-06T00:00Z') };
  const closures = listClosures(hours, createWallClock('UTC'), bounds);
  expect(
    closures.map(({ fromMs, toMs }) => [fromMs, toMs].map((ms) => new Date(ms).toJSON())),
  ).toEqual([
    ['2026-07-03T12:00:00.000Z', '2026-07-03T20:00:00.000Z'],
    ['2026-07-04T04:00:00.000Z', '2026-07-06T00:00:00.000Z'],
  ]);
});

test('overlapping times of hours are found, even across the end of the week, and adjacent times are allowed', () => {
  expect(findOverlaps([...everyDay('00:00', '24:00')])).toEqual([]);
  expect(findOverlaps([...everyDay('22:00', '06:00'), ...everyDay('06:00', '07:00')])).toEqual([]);
  const sunday: OpenTime = { days: ['sun'], from: '22:00', to: '02:00' };
  const monday: OpenTime = { days: ['mon'], from: '01:00', to: '03:00' };
  expect(findOverlaps([monday, sunday])).toEqual([{ index: 1, other: 0 }]);
  expect(findOverlaps([{ days: ['mon', 'tue'], from: '09:00', to: '10:00' }, sunday])).toEqual([]);
});

test('the calendar of hours lists the current closed period, and says when to read the calendar again', () => {
  const hours: WeeklyHours = {
    timeZone: 'Europe/Berlin',
    weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' }],
    holidays: [],
  };
  const nowMs = Date.parse('2026-11-28T12:00Z');
  const calendar = readCalendar(hours, nowMs);
  expect(calendar.closures[0]).toEqual({
    fromMs: Date.parse('2026-11-27T17:00Z'),
    toMs: Date.parse('2026-11-30T08:00Z'),
  });
  expect(findOpeningAt(calendar, nowMs)).toEqual({
    isOpen: false,
    changesAtMs: Date.parse('2026-11-30T08:00Z'),
  });
  expect(calendar.dueAtMs).toBe(calendar.closures[4]?.toMs);
  const always = readCalendar({ ...hours, weekly: everyDay('00:00', '24:00') }, nowMs);
  expect(always.closures).toEqual([]);
  expect(findOpeningAt(always, nowMs)).toEqual({ isOpen: true, changesAtMs: null });
});
