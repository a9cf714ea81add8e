/** Maintenance windows and hours as /v1 returns them (docs/maintenance.md). */
import { z } from 'zod';
import { WEEKDAYS } from '../../contracts/escalation';
import { MAINTENANCE_MODES } from '../../contracts/maintenance';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

export const maintenanceWindow = z
  .strictObject({
    id: idSchema('maintenance'),
    version: z.int(),
    name: z.string(),
    key: z.string().nullable(),
    mode: z.enum(MAINTENANCE_MODES).meta({
      description: 'mute: checks continue, but no one is notified; pause: nothing is checked',
    }),
    startsAt: instant,
    durationMinutes: z.int(),
    rrule: z.string().nullable(),
    timeZone: z.string(),
    target: z.strictObject({
      ids: z.array(z.string()),
      tags: z.array(z.string()),
      groups: z.array(z.string()),
      all: z.boolean(),
    }),
    /** `over` means that the window has no more occurrences. */
    state: z.enum(['scheduled', 'active', 'over']),
    nextOccurrences: z.array(z.strictObject({ startsAt: instant, endsAt: instant })),
    createdAt: instant,
    updatedAt: instant,
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
    version: z.int().min(1),
    key: z.string(),
    name: z.string(),
    timeZone: z.string(),
    weekly: z.array(
      z.strictObject({ days: z.array(z.enum(WEEKDAYS)), from: z.string(), to: z.string() }),
    ),
    holidays: z.array(z.union([z.string(), z.strictObject({ rrule: z.string() })])),
    isOpen: z.boolean(),
    changesAt: maybeInstant.meta({
      description: 'When `isOpen` changes; null: not within the next 45 days',
    }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Hours', description: 'Times of the week in which people are notified' });

export type HoursResponse = ResponseOf<typeof hours>;

export const hoursPage = pageSchema(hours);
