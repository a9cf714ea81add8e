/** The response to a request for uptime (docs/api.md): time by state, counts and latency of a window. */
import { z } from 'zod';
import { instant, maybeMs, type ResponseOf } from './parts';

const seconds = z
  .strictObject({
    up: z.number(),
    degraded: z.number(),
    down: z.number(),
    maintenance: z.number(),
    paused: z.number(),
    unknown: z.number(),
  })
  .meta({ id: 'SecondsByState' });

/** The counts of a window. `missed` counts slots that were not checked. */
const counts = z
  .strictObject({ total: z.int(), ok: z.int(), failed: z.int(), unknown: z.int(), missed: z.int() })
  .meta({ id: 'CheckCounts' });

const latency = z
  .strictObject({
    avg: maybeMs,
    min: maybeMs,
    max: maybeMs,
    p50: maybeMs,
    p75: maybeMs,
    p90: maybeMs,
    p95: maybeMs,
    p99: maybeMs,
  })
  .meta({ id: 'Latency' });

const measured = {
  /** The availability in percent of the observed time, with 6 decimals. null means that nothing was observed. */
  availability: z.number().min(0).max(100).nullable(),
  /** The share of the observed checks that have passed. */
  successRatio: z.number().min(0).max(1).nullable(),
  seconds,
  checks: counts,
  responseTimeMs: latency,
};

export type MeasuredResponse = ResponseOf<z.ZodObject<typeof measured>>;

const bucket = z
  .strictObject({ from: instant, to: instant, ...measured })
  .meta({ id: 'UptimeBucket' });

export const uptime = z
  .strictObject({
    monitorId: z.string().optional(),
    scenarioId: z.string().optional(),
    from: instant,
    to: instant,
    ...measured,
    incidents: z.strictObject({
      count: z.int(),
      outages: z.int().meta({ description: 'Number of outages. An incident has one or several' }),
      downSeconds: z
        .number()
        .meta({ description: 'Total length of all outages, within the window' }),
      longestSeconds: z
        .number()
        .nullable()
        .meta({ description: 'Length of the longest outage, within the window' }),
      mttrSeconds: z.number().nullable().meta({ description: 'Mean length of an outage' }),
    }),
    byRegion: z.array(z.strictObject({ region: z.string(), ...measured })),
    buckets: z.array(bucket).max(300),
  })
  .meta({ id: 'Uptime' });

export type UptimeResponse = ResponseOf<typeof uptime>;
