/** Tests that recurring holidays become dates between any two given days. */
import { findHolidayProblems, withHolidayDates } from '../../../src/services/maintenance/holidays';

const YEAR_2026 = { fromMs: Date.UTC(2026, 0, 10), toMs: Date.UTC(2026, 11, 20) };
const hours = (...holidays: Parameters<typeof findHolidayProblems>[0]) => ({
  timeZone: 'UTC',
  weekly: [],
  holidays,
});

test.each([
  ['FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1', ['2026-05-01']],
  ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', ['2026-11-26']],
  ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25', []],
  ['FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1;UNTIL=20250501T000000Z', []],
])('the holiday rule %s has the dates %j within a year', (rrule, dates) => {
  expect(withHolidayDates(hours({ rrule }), YEAR_2026).holidays).toEqual(dates);
});

test('a holiday rule with many days gives all its days, and plain dates stay unchanged', () => {
  const rule = { rrule: 'FREQ=WEEKLY;BYDAY=SU' };
  const span = { fromMs: Date.UTC(2026, 0, 10), toMs: Date.UTC(2027, 0, 10) };
  const { holidays } = withHolidayDates(hours('2020-01-01', rule), span);
  expect(holidays[0]).toBe('2020-01-01');
  expect(holidays.slice(1, 3)).toEqual(['2026-01-11', '2026-01-18']);
  expect(holidays.at(-1)).toBe('2027-01-10');
  expect(holidays).toHaveLength(1 + 53);
});

test('a holiday rule is accepted only if it has a day in the future', () => {
  const nowMs = Date.UTC(2026, 0, 1);
  const leap = { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29' };
  expect(findHolidayProblems(['2020-01-01', leap], nowMs)).toEqual([]);
  const never = { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' };
  const over = { rrule: 'FREQ=WEEKLY;BYDAY=SU;UNTIL=20251231T000000Z' };
  expect(findHolidayProblems([leap, never, over], nowMs).map(({ path }) => path)).toEqual([
    'holidays[1].rrule',
    'holidays[2].rrule',
  ]);
});
