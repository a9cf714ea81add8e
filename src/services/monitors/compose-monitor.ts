/** From the body of a monitor to what is stored of it: what a monitor and a heartbeat have beside other resources. */

import type { MonitorRules, StepDefinition } from '../../contracts/definition';
import { HEARTBEAT_REGION, type HeartbeatPlan } from '../../contracts/heartbeat';
import { HEARTBEAT_GROUP } from '../../domain/definitions/grouping';
import { EVERY_SLOT_COUNTS } from '../../domain/health/health';
import type { Monitor } from '../../models/resources/monitors';
import type { FieldProblem } from '../../platform/errors';
import { shortestPauseSeconds } from '../../schemas/cron-times';
import {
  type HeartbeatBody,
  type HttpMonitorBody,
  type MonitorBody,
  monitorRulesOf,
} from '../../schemas/monitor';
import { requestOptionsOf } from '../../schemas/request-options';
import { refuseProblems } from '../lists/field-problems';
import type { ResolvedRegions } from '../regions/regions';
import {
  type ComposeNeeds,
  composeNamed,
  composeScheduled,
  type ScheduledFields,
} from '../resources/compose-fields';
import type { Owner } from '../resources/kind';

/** The part of a monitor that people define. */
export type MonitorFields = ScheduledFields &
  MonitorRules &
  Pick<Monitor, 'step' | 'quorum'> & {
    /** null for a monitor that is sent to its url. */
    readonly plan: HeartbeatPlan | null;
  };

/**
 * Throws one refusal with all unknown regions and refused targets; what the body leaves as it is
 * stored is never refused.
 */
export async function composeMonitorFields(
  needs: ComposeNeeds,
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
  needs: ComposeNeeds,
  owner: Owner<Monitor>,
  body: HeartbeatBody,
): Promise<MonitorFields> {
  const { plan } = body;
  const addressed = { urls: [], variables: [], groupKey: HEARTBEAT_GROUP };
  return {
    ...(await composeNamed(needs, owner, { body, addressed })),
    plan,
    intervalSeconds: intervalOf(plan, needs.clock.now()),
    regions: [HEARTBEAT_REGION],
    variables: [],
    step: null,
    ...EVERY_SLOT_COUNTS,
  };
}

/** How often the job reports at the most, as plans bound it. */
function intervalOf({ schedule }: HeartbeatPlan, nowMs: number): number {
  return 'everySeconds' in schedule ? schedule.everySeconds : shortestPauseSeconds(schedule, nowMs);
}

async function composeHttpMonitor(
  needs: ComposeNeeds,
  owner: Owner<Monitor>,
  body: HttpMonitorBody,
): Promise<MonitorFields> {
  const storedStep = owner.stored?.step ?? null;
  const requests = {
    targets: [{ path: 'url', url: body.url }],
    storedUrls: storedStep && [storedStep.url],
    sent: { step: body },
    findProblems: (regions: ResolvedRegions) => quorumProblems(body, regions),
  };
  return {
    ...(await composeScheduled(needs, owner, { body, requests })),
    plan: null,
    step: stepOf(body),
    quorum: body.quorum,
    ...monitorRulesOf(body),
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
