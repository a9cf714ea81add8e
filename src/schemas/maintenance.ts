/** Bodies of maintenance windows (docs/maintenance.md). */
import { z } from 'zod';
import { MAINTENANCE_MODES } from '../contracts/maintenance';
import { normalizeGroup } from '../domain/definitions/grouping';
import { isId } from '../domain/definitions/ids';
import { keyField, nameField, tagField } from './fields';
import { report } from './issues';
import { instantField } from './queries';
import { ignoringReadOnly } from './read-only';
import { findRuleProblem } from './recurrence';

const MINUTES_MAX = 10_080;
const NAMED_MAX = 100;

const minutesField = z.int().min(1).max(MINUTES_MAX);

function namesShape(name: z.ZodType<string>) {
  return z
    .array(name)
    .max(NAMED_MAX)
    .transform((names) => [...new Set(names)])
    .default([]);
}

const idField = z
  .string()
  .refine(
    (id) => isId('monitor', id) || isId('scenario', id),
    'is not the id of a monitor or scenario',
  );

export const groupName = z
  .string()
  .max(300)
  .transform(normalizeGroup)
  .refine((group) => group !== '', 'must not be empty');

export const targetField = z
  .strictObject({
    ids: namesShape(idField).describe('Ids of monitors and scenarios'),
    tags: namesShape(tagField).describe('Checks with any of these tags'),
    groups: namesShape(groupName).describe('Checks in any of these groups or their subgroups'),
    all: z.boolean().default(false).describe('true: all checks of the account'),
  })
  .superRefine(({ ids, tags, groups, all }, context) => {
    const named = ids.length + tags.length + groups.length;
    if (named === 0 && !all)
      report(context, [], {
        code: 'required',
        message: 'must name at least one id, tag or group, or all',
      });
    if (named > 0 && all)
      report(context, ['all'], {
        code: 'invalid_value',
        message: 'cannot be combined with ids, tags and groups',
      });
  });

/** A rule without its prefix `RRULE:`. */
export const ruleText = z
  .string()
  .max(500)
  .transform((rule) =>
    rule
      .trim()
      .toUpperCase()
      .replace(/^RRULE:/, '')
      .replace(/;$/, ''),
  )
  .superRefine((rule, context) => {
    const problem = findRuleProblem(rule);
    if (problem !== null) report(context, [], { code: 'invalid_value', message: problem });
  });

const ruleField = ruleText.nullable();

/** A name of the time zone database, or UTC. Fixed offsets are not accepted. */
const timeZoneField = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be a time zone like Europe/Berlin, or UTC');

function isTimeZone(name: string): boolean {
  if (!/^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z0-9][A-Za-z0-9_+-]*)*$/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() !== name.toLowerCase() || timeZone === name;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const windowFields = {
  name: nameField,
  mode: z
    .enum(MAINTENANCE_MODES)
    .describe('mute: checks continue, but no one is notified; pause: nothing is checked'),
  startsAt: instantField.describe('When the first occurrence starts'),
  durationMinutes: minutesField.describe('Length of each occurrence in minutes'),
  rrule: ruleField.describe(
    'Rule of the recurrence (RFC 5545), like `FREQ=WEEKLY;BYDAY=SU`; null: the window occurs once',
  ),
  timeZone: timeZoneField.describe('Time zone in which the rule repeats, like Europe/Berlin'),
  target: targetField.describe('Checks that are in maintenance'),
};

/** A whole window, as POST accepts it. */
export const maintenanceWindowBody = z.strictObject({
  ...windowFields,
  key: keyField,
  rrule: ruleField
    .default(null)
    .describe(
      'Rule of the recurrence (RFC 5545), like `FREQ=WEEKLY;BYDAY=SU`; null: the window occurs once',
    ),
  timeZone: timeZoneField
    .default('UTC')
    .describe('Time zone in which the rule repeats, like Europe/Berlin'),
});

export type MaintenanceWindowBody = z.output<typeof maintenanceWindowBody>;

/** The body of PATCH. The response of GET is accepted, too. A target is replaced as a whole. */
export const maintenanceWindowChange = ignoringReadOnly(
  z.strictObject({ ...windowFields, key: keyField.removeDefault() }).partial(),
  ['id', 'version', 'state', 'nextOccurrences', 'createdAt', 'updatedAt'],
);

export type MaintenanceWindowChange = z.output<typeof maintenanceWindowChange>;

/** The body that starts maintenance now with a single call. */
export const maintenanceNowBody = z.strictObject({
  minutes: minutesField.describe('Length of the window in minutes'),
  target: targetField.describe('Checks that are in maintenance'),
  name: nameField.default('Maintenance'),
  mode: z
    .enum(MAINTENANCE_MODES)
    .default('mute')
    .describe('mute: checks continue, but no one is notified; pause: nothing is checked'),
});

export type MaintenanceNowBody = z.output<typeof maintenanceNowBody>;
