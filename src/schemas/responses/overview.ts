/** The overview of an account as /v1 returns it. */
import { z } from 'zod';
import { RESOURCE_STATES } from '../../contracts/definition';
import { instant, maybeInstant, maybeMs, pageSchema, type ResponseOf } from './parts';
import { health, recent, shownAlerts } from './resources';

const tally = {
  total: z.int().min(0).meta({ description: 'Number of all', example: 1 }),
  byStatus: z
    .strictObject({
      up: z.int().meta({ description: 'Last check passed', example: 1 }),
      degraded: z
        .int()
        .describe('Passed, but slow or with a failed assertion of severity `degraded`'),
      down: z.int().describe('Down'),
      maintenance: z.int().describe('In a maintenance window'),
      paused: z.int().describe('Paused'),
      pending: z.int().describe('Not checked yet'),
      unknown: z.int().describe('Keepwatch cannot check them at present'),
    })
    .meta({
      description: 'Number in each status',
      example: { up: 1, degraded: 0, down: 0, maintenance: 0, paused: 0, pending: 0, unknown: 0 },
    }),
};

export const overview = z
  .strictObject({
    monitors: z.strictObject(tally).describe('Monitors of every type'),
    scenarios: z.strictObject(tally).describe('Scenarios'),
    groups: z
      .array(
        z.strictObject({
          groupKey: z.string().meta({
            description: 'Name of the group, as in `groupKey` of its checks',
            example: 'example.com',
          }),
          ...tally,
        }),
      )
      .describe('Groups of monitors and scenarios'),
    openIncidents: z
      .int()
      .min(0)
      .meta({ description: 'Number of open incidents, acknowledged ones included', example: 0 }),
    stuck: z
      .array(
        z.strictObject({
          type: z.enum(['monitor', 'scenario']).describe('Whether it is a monitor or a scenario'),
          id: z.string().describe('Its id'),
        }),
      )
      .meta({
        description:
          'Monitors and scenarios that are not checked because of a fault in Keepwatch, which the operator must fix',
        example: [],
      }),
  })
  .meta({ id: 'Overview' });

export type Overview = ResponseOf<typeof overview>;

const percent = z.number().min(0).max(100).nullable();

const trend = z
  .strictObject({
    availability: percent.meta({
      description: 'Availability in percent; null: nothing was observed',
      example: 99.986112,
    }),
    incidents: z.int().min(0).meta({ description: 'Number of incidents', example: 1 }),
    outages: z
      .int()
      .min(0)
      .meta({ description: 'Number of outages. An incident has one or several', example: 1 }),
    mttrSeconds: z.number().nullable().meta({
      description: 'Mean length of an outage in seconds; null: there was none',
      example: 120,
    }),
    p95Ms: maybeMs.meta({ description: 'p95 of the response times of monitors', example: 121 }),
  })
  .meta({ id: 'Trend' });

export type Trend = ResponseOf<typeof trend>;

export const trends = z
  .strictObject({
    from: instant.describe('Begin of `current`'),
    to: instant.describe('Time of the request'),
    current: trend.describe('The last 24 hours'),
    before: trend.describe('The 24 hours before'),
    days: z
      .array(
        z.strictObject({
          date: z.iso.date().describe('The day'),
          incidents: z.int().min(0).describe('Number of incidents'),
          outages: z.int().min(0).describe('Number of outages. An incident has one or several'),
          downSeconds: z.number().min(0).nullable().describe('Total downtime in seconds'),
        }),
      )
      .length(90)
      .meta({
        description: 'Days in UTC, oldest first; `downSeconds` is null before the first check',
      }),
  })
  .meta({ id: 'Trends' });

export type Trends = ResponseOf<typeof trends>;

const listedCheck = z
  .strictObject({
    type: z.enum(['monitor', 'scenario']).describe('Whether it is a monitor or a scenario'),
    id: z.string().meta({
      description: 'Id of the monitor or scenario',
      example: 'mon_01arz3ndektsv4rrffq69g5fav',
    }),
    name: z
      .string()
      .meta({ description: 'Shown in lists and messages', example: 'Shop: home page' }),
    key: z
      .string()
      .nullable()
      .meta({ description: 'Identifier in configuration files; null: none', example: 'shop-home' }),
    url: z.string().meta({
      description: 'For a scenario: the URL of its first step',
      example: 'https://shop.example.com/',
    }),
    steps: z.int().min(1).meta({ description: 'Number of steps; 1 for a monitor' }),
    interval: z.int().meta({ description: 'Seconds between two checks', example: 60 }),
    regions: z
      .array(z.string())
      .meta({ description: 'Regions that check it', example: ['eu-west'] }),
    tags: z.array(z.string()).describe('Tags'),
    alerts: shownAlerts.describe('Which alerts are sent, and to whom'),
    groupKey: z.string().meta({ description: 'Its group in lists', example: 'example.com' }),
    state: z
      .enum(RESOURCE_STATES)
      .describe('What people have chosen. deleting: the deletion is in progress'),
    status: z
      .enum(['paused', 'maintenance', ...health.options])
      .meta({ description: '`paused`, else `maintenance`, else the health', example: 'up' }),
    healthSince: instant.describe(
      'Since when it has its health; before the first check: the creation',
    ),
    pausedUntil: maybeInstant.describe(
      'When it resumes automatically; null: it is not paused, or only people resume it',
    ),
    pauseReason: z.string().nullable().describe('Reason that was given for the pause; null: none'),
    lastCheckedAt: maybeInstant.meta({
      description: 'Time of the last check; null: nothing has been checked yet',
      example: '2026-01-31T12:00:00.000Z',
    }),
    lastResponseTimeMs: maybeMs.meta({
      description: 'Response time of the slowest region in the last check',
      example: 84.2,
    }),
    degradedAboveMs: maybeMs.meta({
      description: 'A slower check is degraded; null for a scenario',
    }),
    tlsExpiresAt: maybeInstant.meta({
      description:
        'When its certificate expires; for a scenario, the earliest of its steps; null if unknown',
      example: '2026-04-30T12:00:00.000Z',
    }),
    tlsUnchecked: z.boolean().meta({ description: 'true: a request trusts any certificate' }),
    currentIncidentId: z.string().nullable().describe('Id of the open incident; null: none'),
    failure: z
      .strictObject({
        code: z.string().nullable().describe('Failure code, as in results; null if unknown'),
        message: z.string().nullable().describe('One sentence for people; null if unknown'),
        since: instant.describe('When the failure began'),
        acknowledgedAt: maybeInstant.describe(
          'When the incident was acknowledged; null: it is not',
        ),
        acknowledgedBy: z.string().nullable().describe('Who acknowledged it; null: no one'),
      })
      .nullable()
      .meta({ description: 'The failure of the open incident' }),
    figures: z
      .strictObject({
        uptime: z
          .strictObject({
            '24h': percent.describe('Of the last 24 hours'),
            '7d': percent.describe('Of the last 7 days'),
            '30d': percent.describe('Of the last 30 days'),
          })
          .describe('Availability in percent; null: nothing was observed'),
        p95Ms: maybeMs.meta({ description: 'p95 of the last 24 clock hours' }),
        hourlyP95Ms: z.array(maybeMs).length(24).meta({
          description: 'One value per clock hour, oldest first; the last is the current hour',
        }),
      })
      .optional()
      .meta({ description: 'Absent if the figures could not be read in time: repeat the request' }),
    recent,
  })
  .meta({ id: 'ListedCheck' });

export type ListedCheck = ResponseOf<typeof listedCheck>;

export const checkPage = pageSchema(listedCheck);
