/** The overview of an account as /v1 returns it. */
import { z } from 'zod';
import { RESOURCE_STATES } from '../../contracts/definition';
import { instant, maybeInstant, maybeMs, pageSchema, type ResponseOf } from './parts';
import { health, recent, shownAlerts } from './resources';

const tally = {
  total: z.int().min(0),
  byStatus: z.strictObject({
    up: z.int(),
    degraded: z.int(),
    down: z.int(),
    maintenance: z.int(),
    paused: z.int(),
    pending: z.int(),
    unknown: z.int(),
  }),
};

export const overview = z
  .strictObject({
    monitors: z.strictObject(tally),
    scenarios: z.strictObject(tally),
    groups: z.array(z.strictObject({ groupKey: z.string(), ...tally })),
    openIncidents: z.int().min(0),
    stuck: z.array(z.strictObject({ type: z.enum(['monitor', 'scenario']), id: z.string() })).meta({
      description:
        'Monitors and scenarios that are not checked because of a fault in Keepwatch, which the operator must fix',
    }),
  })
  .meta({ id: 'Overview' });

export type Overview = ResponseOf<typeof overview>;

const percent = z.number().min(0).max(100).nullable();

const trend = z
  .strictObject({
    availability: percent,
    incidents: z.int().min(0),
    outages: z
      .int()
      .min(0)
      .meta({ description: 'Number of outages. An incident has one or several' }),
    mttrSeconds: z.number().nullable(),
    p95Ms: maybeMs.meta({ description: 'p95 of the response times of monitors' }),
  })
  .meta({ id: 'Trend' });

export type Trend = ResponseOf<typeof trend>;

export const trends = z
  .strictObject({
    from: instant,
    to: instant,
    current: trend,
    before: trend,
    days: z
      .array(
        z.strictObject({
          date: z.iso.date(),
          incidents: z.int().min(0),
          outages: z.int().min(0),
          downSeconds: z.number().min(0).nullable(),
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
    type: z.enum(['monitor', 'scenario']),
    id: z.string(),
    name: z.string(),
    key: z.string().nullable(),
    url: z.string().meta({ description: 'For a scenario: the URL of its first step' }),
    steps: z.int().min(1).meta({ description: 'Number of steps; 1 for a monitor' }),
    interval: z.int(),
    regions: z.array(z.string()),
    tags: z.array(z.string()),
    alerts: shownAlerts,
    groupKey: z.string(),
    state: z.enum(RESOURCE_STATES),
    status: z.enum(['paused', 'maintenance', ...health.options]),
    healthSince: instant,
    pausedUntil: maybeInstant,
    pauseReason: z.string().nullable(),
    lastCheckedAt: maybeInstant,
    lastResponseTimeMs: maybeMs.meta({
      description: 'Response time of the slowest region in the last check',
    }),
    degradedAboveMs: maybeMs.meta({
      description: 'A slower check is degraded; null for a scenario',
    }),
    tlsExpiresAt: maybeInstant,
    tlsUnchecked: z.boolean().meta({ description: 'true: a request trusts any certificate' }),
    currentIncidentId: z.string().nullable(),
    failure: z
      .strictObject({
        code: z.string().nullable(),
        message: z.string().nullable(),
        since: instant,
        acknowledgedAt: maybeInstant,
        acknowledgedBy: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The failure of the open incident' }),
    figures: z
      .strictObject({
        uptime: z.strictObject({ '24h': percent, '7d': percent, '30d': percent }),
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
