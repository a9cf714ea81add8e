/** Maintenance windows as /v1 returns them (docs/maintenance.md). */
import { z } from 'zod';
import { MAINTENANCE_MODES } from '../../contracts/maintenance';
import { idOf, instant, pageOf, type ResponseOf } from './parts';

export const maintenanceWindow = z
  .strictObject({
    id: idOf('maintenance'),
    version: z.int(),
    name: z.string(),
    key: z.string().nullable(),
    mode: z.enum(MAINTENANCE_MODES).meta({
      description: 'mute: checks go on and nobody hears of them; pause: nothing is sent',
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
    /** over: nothing is left of it. */
    state: z.enum(['scheduled', 'active', 'over']),
    nextOccurrences: z.array(z.strictObject({ startsAt: instant, endsAt: instant })),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'MaintenanceWindow',
    description: 'At most five next occurrences; the one under way comes first',
  });

export type MaintenanceWindowResponse = ResponseOf<typeof maintenanceWindow>;

export const maintenanceWindowPage = pageOf(maintenanceWindow);
