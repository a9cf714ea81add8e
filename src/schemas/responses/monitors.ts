/** Monitors of every type as /v1 returns them (docs/api.md). */
import { z } from 'zod';
import { NETWORK_KINDS, type NetworkKind } from '../../contracts/kinds';
import type { TargetShapes } from '../../kinds/fields';
import { toResponseFields } from '../../kinds/response-fields';
import { monitorRuleShapes } from '../../kinds/sent-fields';
import { KIND_SHAPES } from '../../kinds/shapes';
import { withoutBounds } from '../without-bounds';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';
import { recent, requestFields, savedTls, serviceFields, sharedFields } from './resources';

/** Fields of every monitor. */
const monitorFields = {
  id: idSchema('monitor'),
  name: sharedFields.name,
  profile: sharedFields.profile,
  alerts: sharedFields.alerts,
  dependsOn: sharedFields.dependsOn,
  hours: sharedFields.hours,
  outside: sharedFields.outside,
  runbookUrl: sharedFields.runbookUrl,
  note: sharedFields.note,
  group: sharedFields.group,
  tags: sharedFields.tags,
  key: sharedFields.key,
  enabled: sharedFields.enabled,
  ...serviceFields,
};

/** Fields of every monitor that sends requests. */
const sentFields = {
  ...monitorFields,
  interval: sharedFields.interval,
  regions: sharedFields.regions,
  variables: sharedFields.variables,
  environment: sharedFields.environment,
  inherited: sharedFields.inherited,
  quorum: z.union([z.int(), z.literal('majority')]),
  ...withoutBounds(z.object(monitorRuleShapes)).shape,
};

const certificateFields = {
  tlsExpiresAt: maybeInstant.describe('When the certificate expires; null: unknown, or no TLS'),
  tlsWarning: z.int().nullable().meta({
    description: 'The smallest number of tls.warnDays that has been reached; null: none',
  }),
};

/** A monitor that sends requests to its url. */
const httpMonitor = z
  .strictObject({
    type: z.literal('http'),
    ...sentFields,
    ...requestFields,
    ...certificateFields,
  })
  .meta({ id: 'HttpMonitor' });

/** Fields of every type other than HTTP that sends requests. */
const networkFields = {
  ...sentFields,
  timeoutMs: requestFields.timeoutMs,
  retries: requestFields.retries,
  degradedAboveMs: requestFields.degradedAboveMs,
};

/** A monitor whose job reports to Keepwatch. */
const heartbeatMonitor = z
  .strictObject({
    type: z.literal('heartbeat'),
    ...monitorFields,
    schedule: z.union([
      z.strictObject({ everySeconds: z.int() }),
      z.strictObject({ cron: z.string(), timeZone: z.string() }),
    ]),
    graceSeconds: z.int(),
    earlySeconds: z.int(),
    maxRunSeconds: z.int().nullable(),
    minRunSeconds: z.int().nullable(),
    failOn: z.array(
      z.union([z.strictObject({ contains: z.string() }), z.strictObject({ matches: z.string() })]),
    ),
    pingUrl: z.string().meta({
      description: 'URL to which the job reports',
      example: 'https://keepwatch.example.com/ping/PING_TOKEN',
    }),
    lastPingAt: maybeInstant.meta({
      description: 'When the last ping arrived; null: never',
      example: '2026-01-31T12:00:00.000Z',
    }),
    nextDueAt: maybeInstant.meta({
      description: 'When the next ping is due, without the grace period; null: none is expected',
      example: '2026-02-01T12:00:00.000Z',
    }),
    running: z
      .array(
        z.strictObject({
          runId: z.string().describe('Id that the job gave the run; empty: none'),
          startedAt: instant.describe('When the run began'),
        }),
      )
      .meta({ description: 'Runs of the job that have begun and not ended', example: [] }),
  })
  .meta({ id: 'HeartbeatMonitor' });

const registrationFields = {
  domainExpiresAt: maybeInstant.describe(
    'When the registration of the domain expires; null if unknown',
  ),
  domainWarning: z.int().nullable().meta({
    description: 'The smallest number of warnDays that has been reached; null: none',
  }),
};

type SomeFields<Shapes extends z.ZodRawShape> = {
  readonly [Name in keyof Shapes]: z.ZodOptional<Shapes[Name]>;
};

type NetworkFields = typeof networkFields &
  TargetShapes &
  SomeFields<typeof certificateFields & typeof registrationFields>;

/**
 * Returns all fields of a monitor of this type. The declared return type omits the fields that only some types have.
 */
function buildFields(type: NetworkKind): NetworkFields;
function buildFields(type: NetworkKind): z.ZodRawShape {
  const { fields, hasCertificate, hasRegistration } = KIND_SHAPES[type];
  return {
    ...networkFields,
    ...toResponseFields(fields),
    ...(hasCertificate && { tls: savedTls, ...certificateFields }),
    ...(hasRegistration && registrationFields),
  };
}

/** Schemas of monitors, one for each type other than HTTP. */
const networkMonitors = NETWORK_KINDS.map((type) => ({
  id: `${KIND_SHAPES[type].schemaName}Monitor`,
  shape: z.strictObject({ type: z.literal(type), ...buildFields(type) }),
}));

export const monitor = z
  .discriminatedUnion('type', [
    httpMonitor,
    heartbeatMonitor,
    ...networkMonitors.map(({ id, shape }) => shape.meta({ id })),
  ])
  .meta({
    id: 'Monitor',
    description: 'The fields depend on the type',
  });

export type MonitorResponse = ResponseOf<typeof monitor>;

export const monitorPage = pageSchema(
  z
    .discriminatedUnion('type', [
      httpMonitor.extend({ recent }).meta({ id: 'ListedHttpMonitor' }),
      heartbeatMonitor.extend({ recent }).meta({ id: 'ListedHeartbeatMonitor' }),
      ...networkMonitors.map(({ id, shape }) =>
        shape.extend({ recent }).meta({ id: `Listed${id}` }),
      ),
    ])
    .meta({ id: 'ListedMonitor' }),
);
