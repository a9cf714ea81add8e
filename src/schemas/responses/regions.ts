/** The regions as /v1 returns them. */
import { z } from 'zod';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

const region = z
  .strictObject({
    id: z.string().meta({
      description: 'Name of the region, as in `regions` of a monitor',
      example: 'eu-west',
    }),
    status: z
      .enum(['online', 'offline'])
      .meta({ description: 'online: at least one probe runs', example: 'online' }),
    workers: z.int().meta({ description: 'Number of running probes', example: 1 }),
    lastSeenAt: maybeInstant.meta({
      description: 'When a probe of the region last reported; null: never',
      example: '2026-01-31T12:00:00.000Z',
    }),
    releases: z
      .array(z.string())
      .meta({ description: 'Versions of its probes', example: ['1.2.3'] }),
    probes: z
      .array(
        z.strictObject({
          keyId: idSchema('probeKey')
            .nullable()
            .meta({ description: 'null: a probe that runs with the service' }),
          release: z.string().nullable().meta({ description: 'Its version' }),
          lastSeenAt: instant.describe('When the probe last reported'),
        }),
      )
      .meta({ description: 'Its running probes' }),
    networkSuspectSince: maybeInstant.meta({
      description: 'Since when its probes suspect their own network',
    }),
    backlog: z
      .strictObject({
        checks: z.int().describe('Number of waiting tasks'),
        oldestMs: z.number().describe('How long the oldest task has waited, in milliseconds'),
      })
      .nullable()
      .optional()
      .meta({
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
