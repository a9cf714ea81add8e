/** The body of a monitor (docs/api.md). Defaults are filled in, and short forms are replaced. */
import { z } from 'zod';
import type { Guidance } from '../contracts/definition';
import type { HeartbeatPlan } from '../contracts/heartbeat';
import { isNetworkKind } from '../contracts/kinds';
import { NETWORK_BODIES, type NetworkBody, networkOptional, toNetworkBody } from '../kinds/bodies';
import {
  findShorthandProblems,
  httpFields,
  httpMonitorBody,
  toHttpBody,
} from '../kinds/http/shape';
import { findTypeProblems, MONITOR_TYPES, SENT_TYPES } from '../kinds/monitor-types';
import { DEFAULT_INTERVAL_SECONDS } from '../kinds/sent-fields';
import { guidanceFields } from './alerts';
import { findAuthProblems } from './auth/auth-problems';
import type { WithReferences } from './environments/open-references';
import { INTERVAL_SECONDS_MIN } from './fields';
import { buildPlan, heartbeatFields } from './heartbeat';
import { hoursFields } from './hours/hours-fields';
import type { ShapeProblem } from './issues';
import { readList, readNumber, readRecord } from './loose';
import { findReferenceProblems, listVariableNames } from './references';
import { findBodyProblems } from './request-body';
import { requestOptionFields } from './request-options';
import { findTlsProblems } from './tls/tls-problems';

const typeField = z.enum(MONITOR_TYPES).default('http').meta({
  description:
    'Type of the check, which cannot be changed. The job of a heartbeat reports to its pingUrl',
});

/** The fields of all types together. findTypeProblems checks which of them a type has. */
const monitorFields = z.strictObject({
  type: typeField,
  ...httpFields,
  ...heartbeatFields,
  ...networkOptional,
});

const { schedule, graceSeconds, earlySeconds, maxRunSeconds, minRunSeconds, failOn } =
  heartbeatFields;
const { name, profile, alerts, dependsOn, group, tags, key, enabled } = httpFields;

/** The schema of a heartbeat monitor for the API reference. */
export const heartbeatMonitorBody = z.strictObject({
  type: z
    .literal('heartbeat')
    .meta({ description: 'The job of the heartbeat reports to its pingUrl' }),
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

/** The bodies by type for the API reference, in the form of responses. `monitorBody` validates bodies. */
export const documentedMonitorBody = z.discriminatedUnion('type', [
  httpMonitorBody,
  heartbeatMonitorBody,
  ...NETWORK_BODIES,
]);

/** The names of the fields, in the order of the API reference. */
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
  return isNetworkKind(type) ? toNetworkBody(type, sent) : toHttpBody(withoutHeartbeat(sent));
}

function withoutHeartbeat({
  schedule: _schedule,
  graceSeconds: _grace,
  earlySeconds: _early,
  maxRunSeconds: _longest,
  minRunSeconds: _shortest,
  failOn: _failOn,
  ...sent
}: Fields) {
  return sent;
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
  region: z.string().min(1).max(32).describe('Region that makes the test'),
});

export const monitorTestBody = {
  shape: testFields.transform((sent) => ({ region: sent.region, ...bySentType(sent) })),
  findProblems,
};

export type MonitorTestBody = z.output<typeof monitorTestBody.shape> & WithReferences;
export type HttpMonitorBody = ReturnType<
  typeof toHttpBody<Omit<Fields, keyof typeof heartbeatFields>>
>;
export type MonitorBody = (HttpMonitorBody | HeartbeatBody | NetworkBody) & WithReferences;

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
