/** The schema of holidays: dates, and rules for days that recur. */
import { z } from 'zod';
import type { Holiday } from '../../contracts/maintenance';
import { report } from '../issues';
import { ruleText } from '../maintenance';

const HOLIDAYS_MAX = 400;

/** Parts of a rule that have no meaning for holidays, because holidays have no first day and no time of day. */
const REFUSED = ['COUNT', 'INTERVAL', 'BYHOUR', 'BYMINUTE'];
const NAMING_DAYS = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'];

const holidayRule = z.strictObject({
  rrule: ruleText
    .superRefine((rule, context) => {
      const message = findHolidayProblem(rule);
      if (message !== null) report(context, [], { code: 'invalid_value', message });
    })
    .meta({
      description: 'Rule for days that recur (RFC 5545), like FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25',
    }),
});

function findHolidayProblem(rule: string): string | null {
  const names = rule.split(';').map((part) => part.split('=')[0] ?? '');
  const refused = names.find((name) => REFUSED.includes(name));
  if (refused !== undefined) return `has ${refused}, which holidays do not support`;
  if (names.some((name) => NAMING_DAYS.includes(name))) return null;
  return `must name its days with ${NAMING_DAYS.join(', ')}`;
}

/** The list of holidays, sorted and without duplicates. Dates come first, and rules follow. */
export const holidaysField = z
  .array(z.union([z.iso.date('must be a date like 2026-12-25'), holidayRule]))
  .max(HOLIDAYS_MAX)
  .meta({
    description:
      'Days on which no period begins: dates, and `{rrule}` for days that recur, like FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25',
  })
  .transform(inOrder)
  .default([]);

function inOrder(holidays: readonly Holiday[]): Holiday[] {
  const dates = holidays.filter((holiday) => typeof holiday === 'string');
  const rules = holidays.flatMap((holiday) => (typeof holiday === 'string' ? [] : [holiday.rrule]));
  return [...[...new Set(dates)].sort(), ...[...new Set(rules)].sort().map((rrule) => ({ rrule }))];
}
