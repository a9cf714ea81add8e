/** The response to a request for uptime (docs/api.md): time by state, counts and latency of a window. */
import { z } from 'zod';
import { instant, maybeMs, type ResponseOf } from './parts';

const seconds = z
  .strictObject({
    up: z.number().meta({ description: 'Seconds in which it was up', example: 86280 }),
    degraded: z.number().meta({ description: 'Seconds in which it was degraded', example: 0 }),
    down: z.number().meta({ description: 'Seconds in which it was down', example: 120 }),
    maintenance: z
      .number()
      .describe('Seconds in maintenance windows; they do not count in `availability`'),
    paused: z
      .number()
      .describe('Seconds in which it was paused; they do not count in `availability`'),
    unknown: z
      .number()
      .describe('Seconds in which nothing was observed; they do not count in `availability`'),
  })
  .meta({ id: 'SecondsByState' });

/** The counts of a window. `missed` counts slots that were not checked. */
const counts = z
  .strictObject({
    total: z.int().meta({ description: 'Number of checks: ok, failed and unknown', example: 1440 }),
    ok: z.int().meta({ description: 'Checks that were up or degraded', example: 1438 }),
    failed: z.int().meta({ description: 'Checks that were down', example: 2 }),
    unknown: z
      .int()
      .meta({ description: 'Checks that failed because of a fault of Keepwatch', example: 0 }),
    missed: z
      .int()
      .meta({ description: 'Slots that were not checked. They never count as down', example: 0 }),
  })
  .meta({ id: 'CheckCounts' });

const latency = z
  .strictObject({
    avg: maybeMs.meta({ description: 'Mean', example: 84.2 }),
    min: maybeMs.meta({ description: 'Fastest', example: 61.5 }),
    max: maybeMs.meta({ description: 'Slowest', example: 412 }),
    p50: maybeMs.meta({ description: 'Median', example: 82.1 }),
    p75: maybeMs.meta({ description: '75th percentile', example: 90.3 }),
    p90: maybeMs.meta({ description: '90th percentile', example: 104 }),
    p95: maybeMs.meta({ description: '95th percentile', example: 121 }),
    p99: maybeMs.meta({ description: '99th percentile', example: 230 }),
  })
  .meta({ id: 'Latency' });

const measured = {
  availability: z.number().min(0).max(100).nullable().meta({
    description:
      '(up + degraded) / (up + degraded + down) by time, in percent with 6 decimals; null: nothing was observed',
    example: 99.861111,
  }),
  successRatio: z.number().min(0).max(1).nullable().meta({
    description:
      'Share of the observed checks that passed, from 0 to 1; null: nothing was observed',
    example: 0.998611,
  }),
  seconds: seconds.describe('Seconds in each state'),
  checks: counts.describe('Number of checks by outcome'),
  responseTimeMs: latency.describe(
    'Response times of passing checks in milliseconds; null: nothing was measured',
  ),
};

export type MeasuredResponse = ResponseOf<z.ZodObject<typeof measured>>;

const bucket = z
  .strictObject({
    from: instant.describe('Begin of the bucket'),
    to: instant.describe('End of the bucket, exclusive'),
    ...measured,
  })
  .meta({ id: 'UptimeBucket' });

export const uptime = z
  .strictObject({
    monitorId: z.string().optional().meta({
      description: 'Id of the monitor; absent for a scenario',
      example: 'mon_01arz3ndektsv4rrffq69g5fav',
    }),
    scenarioId: z.string().optional().describe('Id of the scenario; absent for a monitor'),
    from: instant.describe('Begin of the window'),
    to: instant.describe('End of the window, exclusive'),
    ...measured,
    incidents: z
      .strictObject({
        count: z.int().meta({ description: 'Number of incidents', example: 1 }),
        outages: z
          .int()
          .meta({ description: 'Number of outages. An incident has one or several', example: 1 }),
        downSeconds: z
          .number()
          .meta({ description: 'Total length of all outages, within the window', example: 120 }),
        longestSeconds: z
          .number()
          .nullable()
          .meta({ description: 'Length of the longest outage, within the window', example: 120 }),
        mttrSeconds: z
          .number()
          .nullable()
          .meta({ description: 'Mean length of an outage', example: 120 }),
      })
      .describe('Incidents and outages in the window'),
    byRegion: z
      .array(
        z.strictObject({
          region: z.string().meta({ description: 'The region', example: 'eu-west' }),
          ...measured,
        }),
      )
      .describe('The same figures for each region'),
    buckets: z
      .array(bucket)
      .max(300)
      .describe('The same figures for equal parts of the window, oldest first, at most 300'),
  })
  .meta({ id: 'Uptime' });

export type UptimeResponse = ResponseOf<typeof uptime>;
