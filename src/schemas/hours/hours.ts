/** Bodies of service hours (docs/maintenance.md). */
import { z } from 'zod';
import { WEEKDAYS } from '../../contracts/escalation';
import type { OpenTime } from '../../contracts/maintenance';
import { findOverlaps } from '../../domain/health/service-hours';
import { isTimeZone } from '../cron-times';
import { KEY_PATTERN, nameField } from '../fields';
import type { CheckedShape, ShapeProblem } from '../issues';
import { readList, readRecord } from '../loose';
import { holidaysField } from './holiday-field';

const WEEKLY_MAX = 50;

const fromField = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 09:00')
  .meta({ description: 'Time of day at which the period begins, like 09:00' });

const toField = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time of day like 18:00, up to 24:00')
  .meta({
    description:
      'Time of day at which the period ends, up to 24:00. A time before `from` is on the next day',
  });

const openTime = z.strictObject({
  days: z
    .array(z.enum(WEEKDAYS))
    .min(1)
    .max(WEEKDAYS.length)
    .meta({ description: 'Days on which the period begins' })
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day))),
  from: fromField,
  to: toField,
});

const shape = z.strictObject({
  key: z.string().regex(KEY_PATTERN, 'must be lower-case letters, digits, dots, _ and -').meta({
    description: 'Identifier by which monitors and scenarios refer to the hours. It never changes',
  }),
  name: nameField,
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'is not a time zone like Europe/Berlin, or UTC')
    .meta({
      description: 'Time zone of the periods and holidays, like Europe/Berlin. Default: UTC',
    })
    .default('UTC'),
  weekly: z
    .array(openTime)
    .min(1)
    .max(WEEKLY_MAX)
    .meta({ description: 'Periods of the week. They may adjoin but must not overlap' }),
  holidays: holidaysField,
});

export type HoursBody = z.output<typeof shape>;

/** Validates the body. Also checks whether times of the week are empty or overlap. */
export const hoursBody: CheckedShape<typeof shape> = {
  shape,
  findProblems: (body) => {
    const given = readList(readRecord(body)['weekly']);
    const times = given.map((time) => openTime.safeParse(time));
    const empty = given.flatMap((time, index) => emptyProblems(readRecord(time), index));
    if (given.length > WEEKLY_MAX || empty.length > 0) return empty;
    const weekly: OpenTime[] = [];
    const indexes: number[] = [];
    for (const [index, time] of times.entries())
      if (time.success) {
        weekly.push(time.data);
        indexes.push(index);
      }
    return findOverlaps(weekly).map(({ index, other }) => {
      const message = `overlaps weekly[${indexes[other]}]; merge the two`;
      return { path: `weekly[${indexes[index]}].from`, code: 'invalid_value', message };
    });
  },
};

function emptyProblems(
  { from, to }: Readonly<Record<string, unknown>>,
  index: number,
): readonly ShapeProblem[] {
  if (typeof from !== 'string' || from !== to) return [];
  const message = 'must differ from the start; a whole day is from 00:00 to 24:00';
  return [{ path: `weekly[${index}].to`, code: 'invalid_value', message }];
}
