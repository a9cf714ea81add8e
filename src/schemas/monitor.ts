/** The body of a monitor (docs/api.md), with every default filled in and shorthands resolved. */
import { z } from 'zod';
import type { Assertion, Guidance } from '../contracts/definition';
import type { HeartbeatPlan } from '../contracts/heartbeat';
import { isNetworkKind } from '../contracts/kinds';
import { NETWORK_BODIES, type NetworkBody, networkOptional, toNetworkBody } from '../kinds/bodies';
import { findTypeProblems, MONITOR_TYPES, SENT_TYPES } from '../kinds/monitor-types';
import { DEFAULT_INTERVAL_SECONDS, monitorRuleFields, quorumField } from '../kinds/sent-fields';
import { kindsWith } from '../kinds/shapes';
import { anyUrlField, urlField } from '../kinds/url';
import { alertsField, guidanceFields } from './alerts';
import { ASSERTIONS_MAX, assertionsField } from './assertion';
import { authField } from './auth/auth-field';
import { findAuthProblems } from './auth/auth-problems';
import { environmentField } from './environments/environment';
import type { WithReferences } from './environments/open-references';
import {
  degradedAboveMsField,
  dependsOnField,
  enabledField,
  groupField,
  headersField,
  INTERVAL_SECONDS_MIN,
  intervalSecondsField,
  nameField,
  profileField,
  regionsField,
  resourceKeyField,
  tagsField,
  variablesField,
} from './fields';
import { buildPlan, heartbeatFields } from './heartbeat';
import { hoursFields } from './hours/hours-fields';
import type { ShapeProblem } from './issues';
import { readList, readNumber, readRecord } from './loose';
import { routeFields } from './proxy/proxy-field';
import { findReferenceProblems, listVariableNames } from './references';
import {
  findBodyProblems,
  requestBodyFields,
  requestMethodField,
  withMethod,
} from './request-body';
import { requestOptionFields } from './request-options';
import { requestTlsField } from './tls/tls-field';
import { findTlsProblems } from './tls/tls-problems';

/** Fields with one number or switch each, in the order of forms. */
export const monitorOptionFields = {
  ...requestOptionFields,
  degradedAboveMs: degradedAboveMsField,
  ...monitorRuleFields,
};

const expectedStatusField = z
  .union([z.int().min(100).max(999), z.string().regex(/^[1-9]xx$/, 'must be like "2xx"')])
  .meta({ description: 'Shorthand for an assertion on the status, such as 204 or "2xx"' })
  .optional();

const typeField = z.enum(MONITOR_TYPES).default('http').meta({
  description:
    'What is checked, and how; the job of a heartbeat reports to its pingUrl. It cannot be changed',
});

const OTHER_URL_TYPES = kindsWith('url').join(', ');

const httpFields = {
  name: nameField,
  url: anyUrlField.optional().meta({
    description: `Of the types http and ${OTHER_URL_TYPES}, which need it: what is checked. http or https, and may hold \`{{variables}}\`; for the type ${OTHER_URL_TYPES} ws or wss`,
  }),
  method: requestMethodField,
  profile: profileField,
  interval: intervalSecondsField.default(DEFAULT_INTERVAL_SECONDS),
  regions: regionsField,
  headers: headersField,
  auth: authField,
  ...routeFields,
  ...requestBodyFields,
  assertions: assertionsField,
  expectedStatus: expectedStatusField,
  expectedText: z
    .string()
    .min(1)
    .max(1000)
    .meta({ description: 'Shorthand for an assertion that the body contains this text' })
    .optional(),
  alerts: alertsField,
  dependsOn: dependsOnField,
  ...hoursFields,
  ...guidanceFields,
  group: groupField,
  variables: variablesField,
  environment: environmentField,
  ...monitorOptionFields,
  tls: requestTlsField,
  quorum: quorumField,
  tags: tagsField,
  key: resourceKeyField,
  enabled: enabledField,
};

/** The fields of all types. findTypeProblems checks which of them a type has. */
const monitorFields = z.strictObject({
  type: typeField,
  ...httpFields,
  ...heartbeatFields,
  ...networkOptional,
});

const { schedule, graceSeconds, earlySeconds, maxRunSeconds, minRunSeconds, failOn } =
  heartbeatFields;
const { name, profile, alerts, dependsOn, group, tags, key, enabled } = httpFields;

/** An HTTP monitor for the reference, with the `type` that generated clients send. */
export const httpMonitorBody = z.strictObject({
  type: z.literal('http').meta({ description: 'A body without a type is one of http, too' }),
  ...httpFields,
  url: urlField.meta({
    description: 'What is checked, http or https; may hold `{{variables}}`',
  }),
});

/** A heartbeat monitor, for the reference. */
export const heartbeatMonitorBody = z.strictObject({
  type: z.literal('heartbeat').meta({ description: 'Its job reports to its pingUrl' }),
  name,
  profile,
  alerts,
  dependsOn,
  ...hoursFields,
  ...guidanceFields,
  group,
  tags,
  key,
  enabled,
  schedule: schedule.unwrap(),
  graceSeconds,
  earlySeconds,
  maxRunSeconds,
  minRunSeconds,
  failOn,
});

/** Bodies by type for the reference, like responses. Validation uses `monitorBody`. */
export const documentedMonitorBody = z.discriminatedUnion('type', [
  httpMonitorBody,
  heartbeatMonitorBody,
  ...NETWORK_BODIES,
]);

/** Sorted as in the reference. */
export const MONITOR_FIELD_NAMES: readonly string[] = Object.keys(monitorFields.shape);

type Fields = z.output<typeof monitorFields>;

/** The fields that monitors of every type have. */
type SharedFields = Pick<
  Fields,
  | 'name'
  | 'alerts'
  | 'dependsOn'
  | keyof typeof hoursFields
  | keyof Guidance
  | 'group'
  | 'tags'
  | 'key'
  | 'enabled'
>;

/** A monitor whose job reports to Keepwatch. */
export interface HeartbeatBody extends SharedFields {
  readonly type: 'heartbeat';
  readonly plan: HeartbeatPlan;
}

function byType(sent: Fields): MonitorBody {
  if (sent.type !== 'heartbeat') return bySentType(sent);
  return { type: 'heartbeat', ...pickSharedFields(sent), plan: buildPlan(sent) };
}

function pickSharedFields(sent: Fields): SharedFields {
  const { name, alerts, dependsOn, hours, outside, runbookUrl, note, group, tags } = sent;
  const { key, enabled } = sent;
  const shared = { name, alerts, dependsOn, hours, outside, runbookUrl, note, group, tags };
  return { ...shared, key, enabled };
}

function bySentType(sent: Fields): HttpMonitorBody | NetworkBody {
  const { type } = sent;
  return isNetworkKind(type) ? toNetworkBody(type, sent) : withoutShorthands(sent);
}

/** A monitor without a url is refused by findProblems. */
function withoutShorthands<Sent extends Fields>({
  expectedStatus,
  expectedText,
  url = '',
  type: _type,
  schedule: _schedule,
  graceSeconds: _grace,
  earlySeconds: _early,
  maxRunSeconds: _longest,
  minRunSeconds: _shortest,
  failOn: _failOn,
  ...monitor
}: Sent) {
  return {
    ...withMethod(monitor),
    type: 'http' as const,
    url,
    assertions: withShorthands(monitor.assertions, { expectedStatus, expectedText }),
  };
}

function findProblems(body: unknown): readonly ShapeProblem[] {
  const monitor = readRecord(body);
  const known = listVariableNames(monitor['variables']);
  const typeProblems = findTypeProblems(monitor, Object.keys(monitorFields.shape));
  if (monitor['type'] === 'heartbeat') return typeProblems;
  return [
    ...typeProblems,
    ...findBodyProblems(monitor, []),
    ...findAuthProblems(monitor, []),
    ...findTlsProblems(monitor, []),
    ...findShorthandProblems(monitor),
    ...findTimeProblems(monitor),
    ...findQuorumProblems(monitor),
    ...findReferenceProblems(monitor, known, []),
  ];
}

/** A whole monitor, as POST and PUT accept it. */
export const monitorBody = { shape: monitorFields.transform(byType), findProblems };

const testFields = monitorFields.extend({
  type: z
    .enum(
      SENT_TYPES,
      'must be a type that is sent; a heartbeat cannot be tested, because its job reports',
    )
    .default('http'),
  region: z.string().min(1).max(32),
});

export const monitorTestBody = {
  shape: testFields.transform((sent) => ({ region: sent.region, ...bySentType(sent) })),
  findProblems,
};

export type MonitorTestBody = z.output<typeof monitorTestBody.shape> & WithReferences;
export type HttpMonitorBody = ReturnType<typeof withoutShorthands<Fields>>;
export type MonitorBody = (HttpMonitorBody | HeartbeatBody | NetworkBody) & WithReferences;

/** Shorthands become assertions, so they count towards the limit of assertions. */
function findShorthandProblems(monitor: Readonly<Record<string, unknown>>): ShapeProblem[] {
  const listed = readList(monitor['assertions']).length;
  const given = ['expectedStatus', 'expectedText'].filter((name) => monitor[name] !== undefined);
  const path = given.at(-1);
  if (path === undefined || listed > ASSERTIONS_MAX) return [];
  if (listed + given.length <= ASSERTIONS_MAX) return [];
  const message = `makes more than ${ASSERTIONS_MAX} assertions together with the list`;
  return [{ path, code: 'out_of_bounds', message }];
}

function findTimeProblems(monitor: Readonly<Record<string, unknown>>): ShapeProblem[] {
  const timeoutMs = readNumber(
    monitor['timeoutMs'],
    requestOptionFields.timeoutMs.def.defaultValue,
  );
  const interval = readNumber(monitor['interval'], DEFAULT_INTERVAL_SECONDS);
  if (timeoutMs === null || interval === null || interval < INTERVAL_SECONDS_MIN) return [];
  if (timeoutMs <= interval * 1000) return [];
  return [{ path: 'timeoutMs', code: 'out_of_bounds', message: 'must not exceed the interval' }];
}

function findQuorumProblems(monitor: Readonly<Record<string, unknown>>): ShapeProblem[] {
  const quorum = readNumber(monitor['quorum'], 1);
  const regions = readList(monitor['regions']);
  if (quorum === null || regions.length === 0 || quorum <= new Set(regions).size) return [];
  const message = 'must not exceed the number of regions';
  return [{ path: 'quorum', code: 'out_of_bounds', message }];
}

function withShorthands(
  assertions: readonly Assertion[],
  { expectedStatus, expectedText }: Pick<Fields, 'expectedStatus' | 'expectedText'>,
): readonly Assertion[] {
  const extra: Assertion[] = [];
  if (expectedStatus !== undefined) {
    extra.push({ type: 'status', operator: 'equals', value: expectedStatus, severity: 'fail' });
  }
  if (expectedText !== undefined) {
    extra.push({ type: 'body', operator: 'contains', value: expectedText, severity: 'fail' });
  }
  return [...extra, ...assertions];
}
