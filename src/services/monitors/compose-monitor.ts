/** Turns the body of a monitor or heartbeat into its stored fields. */

import {
  isNetworkStep,
  type MonitorRules,
  type SentStep,
  type StepDefinition,
} from '../../contracts/definition';
import { HEARTBEAT_REGION, type HeartbeatPlan } from '../../contracts/heartbeat';
import type { NetworkStep } from '../../contracts/kinds';
import { listStepUrls, toStoredAuth } from '../../domain/definitions/auth';
import { HEARTBEAT_GROUP } from '../../domain/definitions/grouping';
import { toStoredProxy } from '../../domain/definitions/proxy';
import { toStoredVersions } from '../../domain/definitions/shared-options';
import { toStoredTls } from '../../domain/definitions/tls';
import { EVERY_SLOT_COUNTS } from '../../domain/health/health';
import type { NetworkBody } from '../../kinds/bodies';
import { readMonitorRules } from '../../kinds/sent-fields';
import { KIND_SHAPES } from '../../kinds/shapes';
import type { Monitor } from '../../models/resources/monitors';
import type { FieldProblem } from '../../platform/errors';
import { shortestPauseSeconds } from '../../schemas/cron-times';
import type { HeartbeatBody, HttpMonitorBody, MonitorBody } from '../../schemas/monitor';
import { readRequestOptions } from '../../schemas/request-options';
import { refuseProblems } from '../lists/field-problems';
import type { ResolvedRegions } from '../regions/regions';
import {
  type ComposeNeeds,
  composeNamed,
  composeScheduled,
  type ScheduledFields,
} from '../resources/compose-fields';
import type { Owner } from '../resources/kind';
import { findUnknownProxies } from '../resources/proxies';
import { listTokenTargets } from '../resources/target';

/** The part of a monitor that people define. */
export type MonitorFields = ScheduledFields &
  MonitorRules &
  Pick<Monitor, 'step' | 'quorum'> & {
    /** The plan of a heartbeat. null for other types. */
    readonly plan: HeartbeatPlan | null;
  };

/**
 * Returns the fields. Throws one error that lists all unknown regions and blocked targets. Values that are already
 * stored are never refused.
 */
export async function composeMonitorFields(
  needs: ComposeNeeds,
  owner: Owner<Monitor>,
  body: MonitorBody,
): Promise<MonitorFields> {
  refuseOtherType(owner.stored, body);
  if (body.type === 'heartbeat') return composeHeartbeat(needs, owner, body);
  return 'kind' in body
    ? composeNetworkMonitor(needs, owner, body)
    : composeHttpMonitor(needs, owner, body);
}

/** Throws if the type would change, because measurements of different types cannot be compared. */
function refuseOtherType(stored: Monitor | null, { type }: MonitorBody): void {
  if (stored === null || storedType(stored) === type) return;
  const message = 'cannot be changed; create another monitor';
  refuseProblems([{ path: 'type', code: 'invalid_value', message }]);
}

function storedType({ heartbeat, step }: Monitor): MonitorBody['type'] {
  return heartbeat === null ? (step?.type ?? 'http') : 'heartbeat';
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
    intervalSeconds: findInterval(plan, needs.clock.now()),
    regions: [HEARTBEAT_REGION],
    variables: [],
    environment: undefined,
    inherited: undefined,
    step: null,
    ...EVERY_SLOT_COUNTS,
  };
}

/** Returns the shortest time between two reports of the job. The plan of the account sets a minimum for it. */
function findInterval({ schedule }: HeartbeatPlan, nowMs: number): number {
  return 'everySeconds' in schedule ? schedule.everySeconds : shortestPauseSeconds(schedule, nowMs);
}

async function composeHttpMonitor(
  needs: ComposeNeeds,
  owner: Owner<Monitor>,
  body: HttpMonitorBody,
): Promise<MonitorFields> {
  const storedStep = owner.stored?.step ?? null;
  const storedProxies = storedStep === null || isNetworkStep(storedStep) ? [] : [storedStep];
  const requests = {
    targets: [{ path: 'url', url: body.url }, ...listTokenTargets(body)],
    urls: [body.url],
    storedUrls: storedStep && listStepUrls(storedStep),
    sent: { step: body },
    findProblems: (regions: ResolvedRegions) => [
      ...quorumProblems(body, regions),
      ...findUnknownProxies(needs, [{ path: 'proxy', proxy: body.proxy }], storedProxies),
    ],
  };
  return {
    ...(await composeScheduled(needs, owner, { body, requests })),
    plan: null,
    step: buildStep(body),
    quorum: body.quorum,
    ...readMonitorRules(body),
  };
}

async function composeNetworkMonitor(
  needs: ComposeNeeds,
  owner: Owner<Monitor>,
  body: NetworkBody,
): Promise<MonitorFields> {
  const { url, targets } = body.kind;
  const requests = {
    targets,
    urls: [url],
    storedUrls: storedTargets(owner.stored?.step ?? null),
    sent: { step: { name: body.name, ...body.kind.check } },
    findProblems: (regions: ResolvedRegions) => quorumProblems(body, regions),
  };
  return {
    ...(await composeScheduled(needs, owner, { body, requests })),
    plan: null,
    step: buildNetworkStep(body),
    quorum: body.quorum,
    ...readMonitorRules(body),
  };
}

/** Returns the URLs to which the stored step connects. null for an HTTP step, or if no step is stored. */
function storedTargets(step: SentStep | null): readonly string[] | null {
  if (step === null || !isNetworkStep(step)) return null;
  return KIND_SHAPES[step.type].read(step.settings).targets.map(({ url }) => url);
}

function buildNetworkStep(body: NetworkBody): NetworkStep {
  const { name, timeoutMs, retries, degradedAboveMs, tls, kind } = body;
  const common = { name, url: kind.url, timeoutMs, retries, degradedAboveMs };
  return { ...kind.check, ...common, tlsWarnDays: tls.warnDays };
}

/**
 * Returns a problem if a monitor uses the default regions and its quorum is larger than the number of these regions.
 */
function quorumProblems(
  { regions, quorum }: Pick<HttpMonitorBody, 'regions' | 'quorum'>,
  { names }: ResolvedRegions,
): readonly FieldProblem[] {
  const isFine = regions !== null || quorum === 'majority' || quorum <= names.length;
  if (isFine) return [];
  const message = `must not exceed the number of regions, which is ${names.length} by default`;
  return [{ path: 'quorum', code: 'out_of_bounds', message }];
}

function buildStep(body: HttpMonitorBody): StepDefinition {
  const { name, method, url, headers, form, multipart, graphql, assertions } = body;
  return {
    name,
    method,
    url,
    headers,
    ...toStoredAuth(body.auth),
    ...toStoredTls(body.tls),
    ...toStoredProxy(body.proxy),
    ...toStoredVersions(body),
    body: body.body,
    form,
    multipart,
    graphql,
    assertions,
    extract: [],
    ...readRequestOptions(body),
    degradedAboveMs: body.degradedAboveMs,
    tlsWarnDays: body.tls.warnDays,
    cookies: 'keep',
    always: false,
  };
}
