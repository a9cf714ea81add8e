/** Maintenance windows and hours as /v1 returns them (docs/maintenance.md). */
import { z } from 'zod';
import { WEEKDAYS } from '../../contracts/escalation';
import { MAINTENANCE_MODES } from '../../contracts/maintenance';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

export const maintenanceWindow = z
  .strictObject({
    id: idSchema('maintenance'),
    version: z.int().meta({
      description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
      example: 1,
    }),
    name: z
      .string()
      .meta({ description: 'Shown in lists and messages', example: 'Database upgrade' }),
    key: z.string().nullable().describe('Identifier in configuration files; null: none'),
    mode: z.enum(MAINTENANCE_MODES).meta({
      description: 'mute: checks continue, but no one is notified; pause: nothing is checked',
    }),
    startsAt: instant,
    durationMinutes: z
      .int()
      .meta({ description: 'Length of each occurrence in minutes', example: 60 }),
    rrule: z.string().nullable(),
    timeZone: z.string().meta({ description: 'Time zone in which a rule repeats', example: 'UTC' }),
    target: z.strictObject({
      ids: z.array(z.string()),
      tags: z
        .array(z.string())
        .meta({ description: 'Checks with any of these tags', example: ['checkout'] }),
      groups: z.array(z.string()),
      all: z.boolean(),
    }),
    state: z
      .enum(['scheduled', 'active', 'over'])
      .describe('over: the window has no more occurrences'),
    nextOccurrences: z
      .array(
        z.strictObject({
          startsAt: instant.describe('When the occurrence starts'),
          endsAt: instant.describe('When the occurrence ends'),
        }),
      )
      .describe('The next occurrences, at most five; a current one comes first'),
    createdAt: instant.describe('When the window was created'),
    updatedAt: instant.describe('When the window was last changed'),
  })
  .meta({
    id: 'MaintenanceWindow',
    description: 'Lists at most five next occurrences; a current one comes first',
  });

export type MaintenanceWindowResponse = ResponseOf<typeof maintenanceWindow>;

export const maintenanceWindowPage = pageSchema(maintenanceWindow);

export const hours = z
  .strictObject({
    id: idSchema('hours'),
    version: z.int().min(1).meta({
      description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
      example: 1,
    }),
    key: z.string().meta({
      description: 'Name in the field `hours` of checks, pages and policies',
      example: 'office',
    }),
    name: z.string().meta({ description: 'Shown in lists', example: 'Office hours' }),
    timeZone: z.string().meta({ description: 'Time zone of all times', example: 'Europe/Berlin' }),
    weekly: z.array(
      z.strictObject({
        days: z.array(z.enum(WEEKDAYS)).meta({
          description: 'Days on which the hours begin',
          example: ['mon', 'tue', 'wed', 'thu', 'fri'],
        }),
        from: z
          .string()
          .meta({ description: 'Time of day at which the hours begin', example: '08:00' }),
        to: z.string().meta({
          description:
            'Time of day at which the hours end; a time that is not after `from` is on the next day',
          example: '18:00',
        }),
      }),
    ),
    holidays: z
      .array(z.union([z.string(), z.strictObject({ rrule: z.string() })]))
      .meta({ description: 'Days without hours, as dates or rules', example: ['2026-12-25'] }),
    isOpen: z.boolean().meta({ description: 'Whether it is now within the hours', example: true }),
    changesAt: maybeInstant.meta({
      description: 'When `isOpen` changes; null: not within the next 45 days',
    }),
    createdAt: instant.describe('When the hours were created'),
    updatedAt: instant.describe('When the hours were last changed'),
  })
  .meta({ id: 'Hours', description: 'Times of the week in which people are notified' });

export type HoursResponse = ResponseOf<typeof hours>;

export const hoursPage = pageSchema(hours);
