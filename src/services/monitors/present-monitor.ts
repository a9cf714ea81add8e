/**
 * Converts a monitor to the form that /v1 returns (docs/api.md). A client that sends the response back with PUT changes
 * nothing.
 */
import { isNetworkStep, type SentStep, type StepDefinition } from '../../contracts/definition';
import type { NetworkStep } from '../../contracts/kinds';
import { pingContext } from '../../contracts/seal-contexts';
import { monitorWorkflowId } from '../../contracts/workflows';
import { findThreshold } from '../../domain/alerting/certificate-warnings';
import { readMonitorRules } from '../../kinds/sent-fields';
import { KIND_SHAPES, presentSettings } from '../../kinds/shapes';
import type { Monitor } from '../../models/resources/monitors';
import type { StoredStatus } from '../../models/results/statuses';
import { readRequestOptions } from '../../schemas/request-options';
import type { MonitorResponse } from '../../schemas/responses/monitors';
import { buildPingUrl } from '../heartbeats/ping-address';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { readPause } from '../resources/pause';
import {
  presentBody,
  presentInherited,
  presentService,
  presentTls,
  SERVICE_FIELD_NAMES,
  toRecord,
} from '../resources/service-fields';
import { openStored, presentVariables } from '../secrets/secret-variables';

/** Fields of the response that a body cannot have. */
export const MONITOR_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'tlsExpiresAt',
  'tlsWarning',
  'domainExpiresAt',
  'domainWarning',
  'pingUrl',
  'lastPingAt',
  'nextDueAt',
  'running',
  'inherited',
  ...SERVICE_FIELD_NAMES,
];

type Needs = Pick<Dependencies, 'clock' | 'workflowUrl' | 'sealers' | 'publicUrl'>;

/** Converts a monitor. A `status` of null means that nothing has been checked yet. */
export function presentMonitor(
  needs: Needs,
  monitor: Monitor,
  status: StoredStatus | null,
): MonitorResponse {
  const { step, heartbeat } = monitor;
  const shared = {
    id: monitor.id,
    name: monitor.name,
    profile: monitor.profile ?? null,
    alerts: monitor.alerts,
    dependsOn: monitor.dependsOn,
    hours: monitor.hours,
    outside: monitor.outside,
    runbookUrl: monitor.runbookUrl,
    note: monitor.note,
    group: monitor.group,
    tags: monitor.tags,
    key: monitor.key,
    enabled: !readPause(monitor, needs.clock.now()).isPaused,
    ...presentService(needs, monitor, {
      status,
      type: heartbeat === null ? (step?.type ?? 'http') : 'heartbeat',
      workflowId: monitorWorkflowId(monitor.id),
    }),
  };
  // The fields of a heartbeat are assigned to the finished object. V8 takes twenty times as long if a second part is
  // spread into such a wide object.
  if (heartbeat !== null)
    return Object.assign(
      {},
      shared,
      presentHeartbeat(needs, monitor, heartbeat),
      readProgress(monitor, status),
    );
  if (step === null) throw new Error(`the monitor ${monitor.id} has neither a step nor a plan`);
  if (isNetworkStep(step))
    return Object.assign({}, shared, presentNetwork(needs, monitor, { step, status }));
  return Object.assign({}, shared, presentHttp(needs, monitor, { step, status }));
}

interface Measured<Step> {
  readonly step: Step;
  readonly status: StoredStatus | null;
}

function presentNetwork(needs: Needs, monitor: Monitor, measured: Measured<NetworkStep>) {
  const { step } = measured;
  return {
    type: step.type,
    ...presentSettings(step),
    ...presentEnd(needs, measured),
    interval: monitor.intervalSeconds,
    regions: monitor.regions,
    variables: presentVariables(monitor.variables),
    ...presentInherited(monitor),
    timeoutMs: step.timeoutMs,
    retries: step.retries,
    degradedAboveMs: step.degradedAboveMs,
    quorum: monitor.quorum,
    ...readMonitorRules(monitor),
  };
}

/** Returns the expiry of the certificate or domain registration, if checks of the type find one. */
function presentEnd(needs: Needs, measured: Measured<NetworkStep>) {
  const { hasCertificate, hasRegistration } = KIND_SHAPES[measured.step.type];
  if (hasCertificate) return presentCertificate(needs, measured);
  return hasRegistration ? presentRegistration(needs, measured) : {};
}

function presentRegistration({ clock }: Needs, { step, status }: Measured<NetworkStep>) {
  const domainExpiresAt = status?.domainExpiresAt ?? null;
  const expiresAtMs = domainExpiresAt === null ? null : Date.parse(domainExpiresAt);
  return {
    domainExpiresAt,
    domainWarning:
      expiresAtMs === null ? null : findThreshold(expiresAtMs, step.tlsWarnDays, clock.now()),
  };
}

function presentCertificate({ clock }: Needs, { step, status }: Measured<SentStep>) {
  const tlsExpiresAt = status?.tlsExpiresAt ?? null;
  const expiresAtMs = tlsExpiresAt === null ? null : Date.parse(tlsExpiresAt);
  return {
    tls: { warnDays: step.tlsWarnDays },
    tlsExpiresAt,
    tlsWarning:
      expiresAtMs === null ? null : findThreshold(expiresAtMs, step.tlsWarnDays, clock.now()),
  };
}

function presentHttp(needs: Needs, monitor: Monitor, measured: Measured<StepDefinition>) {
  const { step } = measured;
  return {
    type: 'http' as const,
    url: step.url,
    method: step.method,
    interval: monitor.intervalSeconds,
    regions: monitor.regions,
    headers: toRecord(step.headers),
    auth: step.auth ?? null,
    proxy: step.proxy ?? null,
    ipFamily: step.ipFamily ?? null,
    httpVersion: step.httpVersion ?? null,
    ...presentBody(step),
    assertions: step.assertions,
    variables: presentVariables(monitor.variables),
    ...presentInherited(monitor),
    ...readRequestOptions(step),
    degradedAboveMs: step.degradedAboveMs,
    quorum: monitor.quorum,
    ...readMonitorRules(monitor),
    ...presentCertificate(needs, measured),
    tls: presentTls(step),
  };
}

function presentHeartbeat(
  { sealers, publicUrl }: Needs,
  { accountId, id }: Monitor,
  { plan, address }: NonNullable<Monitor['heartbeat']>,
) {
  const token = openStored(sealers.stored, address.sealed, pingContext(accountId, id));
  return { type: 'heartbeat', ...plan, pingUrl: buildPingUrl(publicUrl, token) } as const;
}

function readProgress({ state }: Monitor, status: StoredStatus | null) {
  const { lastPingAtMs = null, dueAtMs = null, running = [] } = status?.heartbeat ?? {};
  const isPaused = state === 'paused';
  return {
    lastPingAt: toInstantOrNull(lastPingAtMs),
    nextDueAt: isPaused ? null : toInstantOrNull(dueAtMs),
    // A heartbeat without any ping has no due time.
    ...(lastPingAtMs === null ? { nextCheckAt: null } : {}),
    running: running.map(({ runId, startedAtMs }) => ({
      runId,
      startedAt: toInstant(startedAtMs),
    })),
  };
}
