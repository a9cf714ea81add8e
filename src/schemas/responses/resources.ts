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
    channels: z.array(z.string()),
    emails: z.array(z.string()),
    onFailure: z.boolean(),
    onRecovery: z.boolean(),
    onDegraded: z.boolean(),
    remindEveryMinutes: z.int().nullable(),
    policy: z.string().nullable(),
  })
  .meta({ id: 'SavedAlerts' });

export const temporalLink = z.strictObject({ workflowId: z.string(), url: z.string().nullable() });

/** Fields that the service adds to a definition. */
export const serviceFields = {
  version: z.int().min(1),
  state: z.enum(RESOURCE_STATES),
  health,
  healthSince: instant,
  status: z.enum(['paused', 'maintenance', ...health.options]),
  groupKey: z.string(),
  createdAt: instant,
  updatedAt: instant,
  pausedAt: maybeInstant,
  pausedUntil: maybeInstant,
  pauseReason: z.string().nullable(),
  lastCheckedAt: maybeInstant,
  nextCheckAt: maybeInstant,
  regionsHealth: z.record(
    z.string(),
    z
      .strictObject({ health, since: instant, lastResponseTimeMs: maybeMs })
      .meta({ id: 'RegionHealth' }),
  ),
  currentIncidentId: z.string().nullable(),
  links: z.strictObject({ temporal: temporalLink }).meta({ id: 'ResourceLinks' }),
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
    variables: z.record(z.string(), z.string()),
    secrets: z.record(z.string(), z.string()),
  })
  .meta({
    id: 'Inherited',
    description:
      'Values that the definition uses from its environment and the account; only the names of secrets',
  });

/** Fields that monitors and scenarios share. */
export const sharedFields = {
  name: z.string(),
  profile: z.string().nullable().meta({ description: 'Key of its profile; null: none' }),
  interval: z.int(),
  regions: z.array(z.string()),
  alerts: shownAlerts,
  dependsOn: z.array(z.string()).meta({
    description: 'Ids of monitors and scenarios, without deleted ones',
  }),
  hours: z.string().nullable(),
  outside: z.enum(OUTSIDE_MODES),
  runbookUrl: z.string().nullable(),
  note: z.string().nullable(),
  group: z.string().nullable(),
  tags: z.array(z.string()),
  key: z.string().nullable(),
  variables,
  environment: z.string().nullable().meta({ description: 'Key of its environment' }),
  inherited: inheritedShape,
  enabled: z.boolean(),
};

/** Fields that the request of a monitor and a step of a scenario share. */
export const requestFields = {
  method: z.enum(HTTP_METHODS),
  url: z.string(),
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
  assertions: z.array(assertion),
  // The options have no limits, so that stored values are shown unchanged even if a limit has
  // become stricter.
  ...withoutBounds(z.object(requestOptionShapes)).shape,
  degradedAboveMs: z.int().nullable(),
  tls: savedRequestTls,
};

/** The TLS settings of checks of types other than HTTP. */
export const savedTls = z.strictObject({ warnDays: z.array(z.int()) }).meta({ id: 'SavedTls' });

const recentSlot = z.strictObject({
  at: instant,
  /** The worst status of all regions. */
  status: z.enum(CHECK_STATUSES),
  /** The response time of the slowest region. null means that nothing was measured. */
  responseTimeMs: maybeMs,
});

export type RecentSlot = ResponseOf<typeof recentSlot>;

/** The last slots, at most 30, oldest first. Present with `?include=recent`. */
export const recent = z.array(recentSlot).optional();

/** An item of a list that may contain the last slots. */
export interface WithRecent {
  readonly recent?: readonly RecentSlot[] | undefined;
}

const outcome = z.strictObject({
  id: z.string(),
  ok: z.boolean(),
  /** An error code of the API, if the action failed. */
  code: z.string().optional(),
  detail: z.string().optional(),
});

/**
 * One outcome per resource, in the order of the sent ids. If a filter selected the resources, the newest resource comes
 * first.
 */
export const bulkResponse = z
  .strictObject({ succeeded: z.int(), failed: z.int(), data: z.array(outcome) })
  .meta({ id: 'BulkOutcome' });

export type BulkResponse = ResponseOf<typeof bulkResponse>;
