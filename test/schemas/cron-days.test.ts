/**
 * Tests the days on which a cron schedule is due. Compares them with a reference of the rule in Debian's cron and
 * cronie.
 */
import { findNextDue } from '../../src/schemas/cron-times';
import { createRandom } from '../support/random';
import { testSeed } from '../support/test-seed';
import { testSize } from '../support/test-size';

const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 0, 1);

/** Returns the numbers in a field, as cron(8) reads the field. */
function numbersOf(field: string, first: number, last: number): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [from = '', to = from] = range === '*' ? [String(first), String(last)] : range.split('-');
    for (let each = Number(from); each <= Number(to); each += Number(step)) numbers.add(each);
  }
  return numbers;
}

/**
 * Returns true if the date is due. As in entry.c and cron.c of Vixie cron, both fields must match if either field
 * begins with a star.
 */
function isDue(day: string, weekday: string, date: Date): boolean {
  const isDay = numbersOf(day, 1, 31).has(date.getUTCDate());
  const weekdays = numbersOf(weekday, 0, 7);
  const isWeekday = weekdays.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays.has(7));
  const isStarred = day.startsWith('*') || weekday.startsWith('*');
  return isStarred ? isDay && isWeekday : isDay || isWeekday;
}

function expectedDays(day: string, weekday: string, days: number): readonly number[] {
  const all = Array.from({ length: days }, (_, index) => FROM_MS + index * DAY_MS);
  return all.filter((ms) => isDue(day, weekday, new Date(ms)));
}

function dueDays(day: string, weekday: string, days: number): readonly number[] {
  const found: number[] = [];
  const schedule = { cron: `0 9 ${day} * ${weekday}`, timeZone: 'UTC' };
  const endMs = FROM_MS + days * DAY_MS;
  let dueMs = findNextDue(schedule, FROM_MS);
  while (dueMs < endMs && found.length <= days) {
    found.push(dueMs - 9 * 3_600_000);
    dueMs = findNextDue(schedule, dueMs);
  }
  return found;
}

test.each([
  ['1-7', '*/7'],
  ['*', '1'],
  ['*/2', '1'],
  ['13', '5'],
  ['1-7', '0'],
  ['1-7', '7'],
  ['*/10', '*/2'],
  ['1,15', '1-5'],
  ['*', '*'],
  ['31', '*'],
  ['*/31', '0-6'],
])('a schedule with day %s and weekday %s is due on the same days as in cron', (day, weekday) => {
  expect(dueDays(day, weekday, 100)).toEqual(expectedDays(day, weekday, 100));
});

test('a schedule with any two day fields is due on the same days as in cron', () => {
  const random = createRandom(testSeed());
  const pick = (max: number, first: number) => first + Math.floor(random() * (max - first + 1));
  const field = (first: number, last: number) => {
    const from = pick(last, first);
    const forms = [
      '*',
      `*/${pick(last, 2)}`,
      `${from}`,
      `${from}-${pick(last, from)}`,
      `${from},${pick(last, first)}`,
    ];
    return forms[Math.floor(random() * forms.length)] ?? '*';
  };
  for (let round = testSize('crons', { ci: 60, long: 3_000 }); round > 0; round -= 1) {
    const [day, weekday] = [field(1, 31), field(0, 6)];
    const days = dueDays(day, weekday, 70);
    expect({ day, weekday, days }).toEqual({ day, weekday, days: expectedDays(day, weekday, 70) });
  }
});
