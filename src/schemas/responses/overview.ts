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
        'Not checked at present, because its workflow fails: a fault of the service, which its operator must mend',
    }),
  })
  .meta({ id: 'Overview' });

export type Overview = ResponseOf<typeof overview>;

const percent = z.number().min(0).max(100).nullable();

const trend = z
  .strictObject({
    availability: percent,
    incidents: z.int().min(0),
    outages: z.int().min(0).meta({ description: 'Times down: an incident has one or several' }),
    mttrSeconds: z.number().nullable(),
    p95Ms: maybeMs.meta({ description: 'Of the requests of monitors' }),
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
      .meta({ description: 'By UTC, oldest first; `downSeconds` is null before the first check' }),
  })
  .meta({ id: 'Trends' });

export type Trends = ResponseOf<typeof trends>;

const listedCheck = z
  .strictObject({
    type: z.enum(['monitor', 'scenario']),
    id: z.string(),
    name: z.string(),
    key: z.string().nullable(),
    url: z.string().meta({ description: 'Of a scenario: the URL of its first step' }),
    steps: z.int().min(1).meta({ description: 'Requests of a run; 1 for a monitor' }),
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
    lastResponseTimeMs: maybeMs.meta({ description: 'Of the slowest region, at the last check' }),
    degradedAboveMs: maybeMs.meta({ description: 'Slower is degraded; null for a scenario' }),
    tlsExpiresAt: maybeInstant,
    tlsUnchecked: z.boolean().meta({ description: 'A request trusts any certificate' }),
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
      .meta({ description: 'Of the open incident' }),
    figures: z
      .strictObject({
        uptime: z.strictObject({ '24h': percent, '7d': percent, '30d': percent }),
        p95Ms: maybeMs.meta({ description: 'Of the last 24 hours by the clock' }),
        hourlyP95Ms: z
          .array(maybeMs)
          .length(24)
          .meta({ description: 'Oldest first; the last one is of the hour that is under way' }),
      })
      .optional()
      .meta({ description: 'Absent for what could not be read in time: ask again' }),
    recent,
  })
  .meta({ id: 'ListedCheck' });

export type ListedCheck = ResponseOf<typeof listedCheck>;

export const checkPage = pageSchema(listedCheck);
