/** From the body of a monitor to its row: what needs regions, targets and the clock is settled here. */
import type { StepDefinition } from '../../contracts/definition';
import { HEARTBEAT_REGION, type HeartbeatPlan } from '../../contracts/heartbeat';
import type { Monitor } from '../../models/resources/monitors';
import type { FieldProblem } from '../../platform/errors';
import { shortestPauseSeconds } from '../../schemas/cron-times';
import type { SentVariable } from '../../schemas/fields';
import type { HeartbeatBody, HttpMonitorBody, MonitorBody } from '../../schemas/monitor';
import { requestOptionsOf } from '../../schemas/request-options';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import {
  type ResolvedRegions,
  resolveRegions,
  unknownRegionProblems,
} from '../regions/resolve-regions';
import { findMaskedHeaders } from '../resources/keep-headers';
import type { Owner } from '../resources/kind';
import { resolveAlerts } from '../resources/resolve-alerts';
import { dependenciesOf } from '../resources/resolve-dependencies';
import { findBlockedTargets, groupKeyFor, searchTextOf } from '../resources/target';

/** The part of a row that people define. */
export type MonitorFields = Pick<
  Monitor,
  | 'name'
  | 'intervalSeconds'
  | 'regions'
  | 'group'
  | 'groupKey'
  | 'tags'
  | 'key'
  | 'alerts'
  | 'alertTargets'
  | 'dependsOn'
  | 'searchText'
  | 'step'
  | 'quorum'
  | 'failuresBeforeDown'
  | 'successesBeforeUp'
> & {
  readonly variables: readonly SentVariable[];
  /** null for a monitor that is sent to its url. */
  readonly plan: HeartbeatPlan | null;
};

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'configuredRegions' | 'findBlockedTarget' | 'sealers'
>;

/**
 * Throws one refusal with all unknown regions and refused targets; what the body leaves as it is
 * stored is never refused.
 */
export async function composeMonitorFields(
  needs: Needs,
  owner: Owner<Monitor>,
  body: MonitorBody,
): Promise<MonitorFields> {
  refuseOtherType(owner.stored, body);
  return body.type === 'heartbeat'
    ? composeHeartbeat(needs, owner, body)
    : composeHttpMonitor(needs, owner, body);
}

/** What was measured of the one type means nothing for the other. */
function refuseOtherType(stored: Monitor | null, { type }: MonitorBody): void {
  if (stored === null || (stored.heartbeat !== null) === (type === 'heartbeat')) return;
  const message = 'cannot be changed; create another monitor';
  refuseProblems([{ path: 'type', code: 'invalid_value', message }]);
}

async function composeHeartbeat(
  needs: Needs,
  { accountId, id, stored }: Owner<Monitor>,
  { name, alerts, dependsOn, group, tags, key, plan }: HeartbeatBody,
): Promise<MonitorFields> {
  return {
    name,
    plan,
    intervalSeconds: intervalOf(plan, needs.clock.now()),
    regions: [HEARTBEAT_REGION],
    group,
    groupKey: group === null ? HEARTBEAT_GROUP : groupKeyFor(group, '', []),
    tags: [...new Set(tags)],
    key,
    ...(await resolveAlerts(needs, { accountId, stored }, alerts)),
    ...(await dependenciesOf(needs, { accountId, id, stored }, { name, dependsOn })),
    searchText: searchTextOf({ name, key, urls: [], variables: [] }),
    variables: [],
    step: null,
    quorum: 1,
    failuresBeforeDown: 1,
    successesBeforeUp: 1,
  };
}

/** Where heartbeats without a group are put together. */
const HEARTBEAT_GROUP = 'heartbeats';

/** How often the job reports at the most, as plans bound it. */
function intervalOf({ schedule }: HeartbeatPlan, nowMs: number): number {
  return 'everySeconds' in schedule ? schedule.everySeconds : shortestPauseSeconds(schedule, nowMs);
}

async function composeHttpMonitor(
  needs: Needs,
  { accountId, id, stored }: Owner<Monitor>,
  body: HttpMonitorBody,
): Promise<MonitorFields> {
  const { name, interval, group, url, variables, tags, key, quorum } = body;
  const storedStep = stored?.step ?? null;
  const regions = await resolveRegions(needs, body.regions);
  refuseProblems([
    ...unknownRegionProblems(regions, stored?.regions),
    ...findBlockedTargets(needs, {
      targets: [{ path: 'url', url }],
      variables,
      stored: storedStep && { urls: [storedStep.url], variables: stored?.variables ?? [] },
    }),
    ...findMaskedHeaders(stored, { step: body }),
    ...quorumProblems(body, regions),
  ]);
  return {
    name,
    plan: null,
    intervalSeconds: interval,
    regions: regions.names,
    group,
    groupKey: groupKeyFor(group, url, variables),
    tags: [...new Set(tags)],
    key,
    ...(await resolveAlerts(needs, { accountId, stored }, body.alerts)),
    ...(await dependenciesOf(needs, { accountId, id, stored }, body)),
    searchText: searchTextOf({ name, key, urls: [url], variables }),
    variables,
    step: stepOf(body),
    quorum,
    failuresBeforeDown: body.failuresBeforeDown,
    successesBeforeUp: body.successesBeforeUp,
  };
}

/** The shape has held the quorum against the regions that are named; here are those by default. */
function quorumProblems(
  { regions, quorum }: HttpMonitorBody,
  { names }: ResolvedRegions,
): readonly FieldProblem[] {
  const isFine = regions !== null || quorum === 'majority' || quorum <= names.length;
  if (isFine) return [];
  const message = `must not exceed the number of regions, which is ${names.length} by default`;
  return [{ path: 'quorum', code: 'out_of_bounds', message }];
}

function stepOf(body: HttpMonitorBody): StepDefinition {
  const { name, method, url, headers, form, multipart, graphql, assertions } = body;
  return {
    name,
    method,
    url,
    headers,
    body: body.body,
    form,
    multipart,
    graphql,
    assertions,
    extract: [],
    ...requestOptionsOf(body),
    degradedAboveMs: body.degradedAboveMs,
    tlsWarnDays: body.tls.warnDays,
    cookies: 'keep',
    always: false,
  };
}
