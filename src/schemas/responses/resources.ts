/** Response fields that monitors and scenarios have in common (docs/api.md). */

import { z } from 'zod';
import {
  ASSERTION_OPERATORS,
  HTTP_METHODS,
  JSON_PATH_MATCHES,
  REDIRECT_FACTS,
  RESOURCE_STATES,
  TIMING_NAMES,
  TLS_FACTS,
} from '../../contracts/definition';
import { OUTSIDE_MODES } from '../../contracts/maintenance';
import { CHECK_STATUSES } from '../../contracts/outcome';
import { HEALTHS } from '../../contracts/records';
import { savedAuth } from '../auth/auth-field';
import { savedRouteFields } from '../proxy/proxy-field';
import { requestOptionShapes } from '../request-options';
import { savedRequestTls } from '../tls/tls-field';
import { withoutBounds } from '../without-bounds';
import { instant, json, maybeInstant, maybeMs, type ResponseOf } from './parts';

export const health = z.enum(HEALTHS);

const assertionBase = {
  operator: z.enum(ASSERTION_OPERATORS),
  value: json.optional(),
  severity: z.enum(['fail', 'degraded']),
};

const assertion = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('status'), ...assertionBase }),
    z.strictObject({ type: z.literal('responseTime'), ...assertionBase }),
    z.strictObject({ type: z.literal('body'), ...assertionBase }),
    z.strictObject({ type: z.literal('bodySize'), ...assertionBase }),
    z.strictObject({ type: z.literal('timing'), name: z.enum(TIMING_NAMES), ...assertionBase }),
    z.strictObject({ type: z.literal('redirect'), name: z.enum(REDIRECT_FACTS), ...assertionBase }),
    z.strictObject({ type: z.literal('header'), name: z.string(), ...assertionBase }),
    z.strictObject({ type: z.literal('tls'), name: z.enum(TLS_FACTS), ...assertionBase }),
    z.strictObject({
      type: z.literal('jsonPath'),
      path: z.string(),
      match: z.enum(JSON_PATH_MATCHES),
      ...assertionBase,
    }),
    z.strictObject({ type: z.literal('jsonSchema'), ...assertionBase }),
  ])
  .meta({ id: 'SavedAssertion' });

const variables = z
  .record(z.string(), z.union([z.string(), z.strictObject({ secret: z.literal(true) })]))
  .meta({ description: 'Secret variables are returned without their values' });

export const shownAlerts = z
  .strictObject({
    channels: z.array(z.string()).meta({
      description: 'Ids of channels, `default`, or types of channels',
      example: ['default'],
    }),
    emails: z.array(z.string()),
    onFailure: z.boolean(),
    onRecovery: z.boolean(),
    onDegraded: z.boolean(),
    remindEveryMinutes: z.int().nullable(),
    policy: z.string().nullable(),
  })
  .meta({ id: 'SavedAlerts' });

export const temporalLink = z.strictObject({
  workflowId: z
    .string()
    .meta({ description: 'Id of the workflow', example: 'monitor-mon_01arz3ndektsv4rrffq69g5fav' }),
  url: z
    .string()
    .nullable()
    .describe('URL of the workflow in the UI of Temporal; null: no UI is configured'),
});

/** Fields that the service adds to a definition. */
export const serviceFields = {
  version: z.int().min(1).meta({
    description:
      'Grows with each change of the definition. The `ETag` begins with it, and `If-Match` compares it',
    example: 3,
  }),
  state: z.enum(RESOURCE_STATES).meta({
    description: 'What people have chosen. deleting: the deletion is in progress',
    example: 'active',
  }),
  health: health.meta({
    description:
      'Outcome of the checks. pending: nothing has been checked yet; unknown: Keepwatch cannot check at present',
    example: 'up',
  }),
  healthSince: instant.describe(
    'Since when `health` has this value; before the first check: the creation',
  ),
  status: z.enum(['paused', 'maintenance', ...health.options]).meta({
    description:
      'What lists show: `paused`, else `maintenance` during a maintenance window, else `health`',
    example: 'up',
  }),
  groupKey: z.string().meta({
    description:
      'The group in lists: `group`, or a group that is derived from the definition, like the domain of the URL',
    example: 'example.com',
  }),
  createdAt: instant.describe('When it was created'),
  updatedAt: instant.describe('When it was last changed'),
  pausedAt: maybeInstant.describe('Since when it is paused; null: it is not paused'),
  pausedUntil: maybeInstant.describe(
    'When it resumes automatically; null: it is not paused, or only people resume it',
  ),
  pauseReason: z.string().nullable().describe('Reason that was given for the pause; null: none'),
  lastCheckedAt: maybeInstant.meta({
    description: 'Time of the last check; null: nothing has been checked yet',
    example: '2026-01-31T12:00:00.000Z',
  }),
  nextCheckAt: maybeInstant.meta({
    description: 'When the next check is due; null: it is paused, or a heartbeat has had no ping',
    example: '2026-01-31T12:01:00.000Z',
  }),
  regionsHealth: z
    .record(
      z.string(),
      z
        .strictObject({
          health: health.describe('Health in this region'),
          since: instant.describe('Since when the region has this health'),
          lastResponseTimeMs: maybeMs.describe(
            'Response time of its last check in milliseconds; null: nothing was measured',
          ),
        })
        .meta({ id: 'RegionHealth' }),
    )
    .meta({
      description: 'Region → its health',
      example: {
        'eu-west': { health: 'up', since: '2026-01-31T12:00:00.000Z', lastResponseTimeMs: 84.2 },
      },
    }),
  currentIncidentId: z.string().nullable().describe('Id of the open incident; null: none'),
  links: z
    .strictObject({ temporal: temporalLink.describe('The workflow that makes the checks') })
    .meta({ id: 'ResourceLinks' })
    .describe('Links to parts of the service'),
  origin: z.record(z.string(), z.string()).nullable().meta({
    description:
      'Field → own, default, or profile: and the key. Entries of headers and variables are named like headers.x-team. null without a profile',
  }),
};

export type ServiceFields = ResponseOf<z.ZodObject<typeof serviceFields>>;

/**
 * Names and values that a definition takes from its environment and account. For secrets, only their names are
 * included.
 */
const inheritedShape = z
  .strictObject({
    variables: z.record(z.string(), z.string()).meta({
      description: 'Name → value, without those that the definition sets itself',
      example: {},
    }),
    secrets: z.record(z.string(), z.string()).meta({
      description: 'Name in the definition → name of a secret of the account',
      example: {},
    }),
  })
  .meta({
    id: 'Inherited',
    description:
      'Values that the definition uses from its environment and the account; only the names of secrets',
  });

/** Fields that monitors and scenarios share. */
export const sharedFields = {
  name: z.string().meta({ description: 'Shown in lists and messages', example: 'Shop: home page' }),
  profile: z.string().nullable().meta({ description: 'Key of its profile; null: none' }),
  interval: z.int().meta({ description: 'Seconds between two checks', example: 60 }),
  regions: z
    .array(z.string())
    .meta({ description: 'Regions that check it, as stored', example: ['eu-west'] }),
  alerts: shownAlerts,
  dependsOn: z.array(z.string()).meta({
    description: 'Ids of monitors and scenarios, without deleted ones',
  }),
  hours: z.string().nullable().describe('Key of the hours that apply; null: always'),
  outside: z.enum(OUTSIDE_MODES),
  runbookUrl: z.string().nullable(),
  note: z.string().nullable(),
  group: z.string().nullable().describe('Group as it was set; null: `groupKey` is derived'),
  tags: z.array(z.string()).meta({
    description: 'Tags for filters, alert routes and maintenance windows',
    example: ['checkout'],
  }),
  key: z.string().nullable().meta({
    description: 'Identifier in configuration files, unique in the account; null: none',
    example: 'shop-home',
  }),
  variables,
  environment: z.string().nullable().meta({ description: 'Key of its environment' }),
  inherited: inheritedShape.describe('Values that come from the environment and the account'),
  enabled: z.boolean().describe('false while it is paused'),
};

/** Fields that the request of a monitor and a step of a scenario share. */
export const requestFields = {
  method: z.enum(HTTP_METHODS),
  url: z.string().meta({
    description: 'URL of the request; may contain `{{variables}}`',
    example: 'https://shop.example.com/',
  }),
  headers: z.record(z.string(), z.string()),
  auth: savedAuth,
  ...savedRouteFields,
  body: json,
  form: z.record(z.string(), z.string()).nullable(),
  multipart: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.string().optional(),
        base64: z.string().optional(),
        fileName: z.string().optional(),
        contentType: z.string().optional(),
      }),
    )
    .nullable(),
  graphql: z
    .strictObject({
      query: z.string(),
      variables: z.record(z.string(), json).optional(),
      operationName: z.string().optional(),
    })
    .nullable(),
  assertions: z.array(assertion).meta({
    description: 'Expectations of the response',
    example: [{ type: 'status', operator: 'equals', value: '2xx', severity: 'fail' }],
  }),
  // The options have no limits, so that stored values are shown unchanged even if a limit has
  // become stricter.
  ...withoutBounds(z.object(requestOptionShapes)).shape,
  degradedAboveMs: z.int().nullable(),
  tls: savedRequestTls,
};

/** The TLS settings of checks of types other than HTTP. */
export const savedTls = z
  .strictObject({
    warnDays: z
      .array(z.int())
      .describe('Days before the end of the certificate on which people are warned; empty: none'),
  })
  .meta({ id: 'SavedTls' });

const recentSlot = z.strictObject({
  at: instant.describe('When the slot was due'),
  status: z.enum(CHECK_STATUSES).describe('Worst status of all regions'),
  responseTimeMs: maybeMs.describe(
    'Response time of the slowest region in milliseconds; null: nothing was measured',
  ),
});

export type RecentSlot = ResponseOf<typeof recentSlot>;

/** The last slots, at most 30, oldest first. Present with `?include=recent`. */
export const recent = z
  .array(recentSlot)
  .optional()
  .describe('Last slots, at most 30, oldest first. Only with `include=recent`');

/** An item of a list that may contain the last slots. */
export interface WithRecent {
  readonly recent?: readonly RecentSlot[] | undefined;
}
