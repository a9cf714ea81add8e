/** The regions as /v1 returns them. */
import { z } from 'zod';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

const region = z
  .strictObject({
    id: z.string(),
    status: z.enum(['online', 'offline']),
    workers: z.int(),
    lastSeenAt: maybeInstant,
    releases: z.array(z.string()).meta({ description: 'Versions of its probes' }),
    probes: z
      .array(
        z.strictObject({
          keyId: idSchema('probeKey')
            .nullable()
            .meta({ description: 'null: a probe that runs with the service' }),
          release: z.string().nullable().meta({ description: 'Its version' }),
          lastSeenAt: instant,
        }),
      )
      .meta({ description: 'Its running probes' }),
    networkSuspectSince: maybeInstant.meta({
      description: 'Since when its probes suspect their own network',
    }),
    backlog: z.strictObject({ checks: z.int(), oldestMs: z.number() }).nullable().optional().meta({
      description:
        'Only with `include=backlog`: the tasks that wait for its probes; null while Temporal does not respond',
    }),
    load: z
      .strictObject({
        checksPerMinute: z
          .number()
          .min(0)
          .meta({ description: 'Due checks and runs, from the intervals of what is active' }),
        lastCheckedAt: maybeInstant.meta({
          description: 'Newest check that a probe made here; null if none is known',
        }),
      })
      .optional()
      .meta({ description: 'Only with `include=load`: the checks of this account in the region' }),
  })
  .meta({ id: 'Region' });

export type RegionResponse = ResponseOf<typeof region>;

export const regionPage = pageSchema(region);
