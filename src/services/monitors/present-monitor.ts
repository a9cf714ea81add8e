/** A monitor as /v1 returns it (docs/api.md). Sent back by PUT, it changes nothing. */
import type { StepDefinition } from '../../contracts/definition';
import { pingContext } from '../../contracts/seal-contexts';
import { monitorWorkflowId } from '../../contracts/workflows';
import { rungOf } from '../../domain/alerting/certificate-warnings';
import type { Monitor } from '../../models/resources/monitors';
import type { StoredStatus } from '../../models/results/statuses';
import { monitorRulesOf } from '../../schemas/monitor';
import { requestOptionsOf } from '../../schemas/request-options';
import type { MonitorResponse } from '../../schemas/responses/resources';
import { pingUrlOf } from '../heartbeats/ping-address';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { pauseOf } from '../resources/pause-state';
import { presentBody } from '../resources/present-body';
import { presentService, SERVICE_FIELD_NAMES, toRecord } from '../resources/service-fields';
import { openStored, presentVariables } from '../secrets/secret-variables';

/** Fields of the response that a body does not have. */
export const MONITOR_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'tlsExpiresAt',
  'tlsWarning',
  'pingUrl',
  'lastPingAt',
  'nextDueAt',
  'running',
  ...SERVICE_FIELD_NAMES,
];

type Needs = Pick<Dependencies, 'clock' | 'workflowUrl' | 'sealers' | 'publicUrl'>;

/** Without a status, nothing has been checked yet. */
export function presentMonitor(
  needs: Needs,
  row: Monitor,
  status: StoredStatus | null,
): MonitorResponse {
  const { step, heartbeat } = row;
  const shared = {
    id: row.id,
    name: row.name,
    alerts: row.alerts,
    dependsOn: row.dependsOn,
    group: row.group,
    tags: row.tags,
    key: row.key,
    enabled: !pauseOf(row, needs.clock.now()).isPaused,
    ...presentService(needs, row, { status, workflowId: monitorWorkflowId(row.id) }),
  };
  if (heartbeat !== null)
    return { ...shared, ...presentHeartbeat(needs, row, heartbeat), ...progressOf(row, status) };
  if (step === null) throw new Error(`the monitor ${row.id} has neither a step nor a plan`);
  return { ...shared, ...presentHttp(needs, row, { step, status }) };
}

interface Measured {
  readonly step: StepDefinition;
  readonly status: StoredStatus | null;
}

function presentHttp({ clock }: Needs, row: Monitor, { step, status }: Measured) {
  const tlsExpiresAt = status?.tlsExpiresAt ?? null;
  return {
    type: 'http' as const,
    url: step.url,
    method: step.method,
    interval: row.intervalSeconds,
    regions: row.regions,
    headers: toRecord(step.headers),
    ...presentBody(step),
    assertions: step.assertions,
    variables: presentVariables(row.variables),
    ...requestOptionsOf(step),
    degradedAboveMs: step.degradedAboveMs,
    quorum: row.quorum,
    ...monitorRulesOf(row),
    tls: { warnDays: step.tlsWarnDays },
    tlsExpiresAt,
    tlsWarning:
      tlsExpiresAt === null
        ? null
        : rungOf(Date.parse(tlsExpiresAt), step.tlsWarnDays, clock.now()),
  };
}

function presentHeartbeat(
  { sealers, publicUrl }: Needs,
  { accountId, id }: Monitor,
  { plan, address }: NonNullable<Monitor['heartbeat']>,
) {
  const token = openStored(sealers.stored, address.sealed, pingContext(accountId, id));
  return { type: 'heartbeat', ...plan, pingUrl: pingUrlOf(publicUrl, token) } as const;
}

function progressOf({ state }: Monitor, status: StoredStatus | null) {
  const { lastPingAtMs = null, dueAtMs = null, running = [] } = status?.heartbeat ?? {};
  const isPaused = state === 'paused';
  return {
    lastPingAt: toInstantOrNull(lastPingAtMs),
    nextDueAt: isPaused ? null : toInstantOrNull(dueAtMs),
    // Nothing is checked before the first ping.
    ...(lastPingAtMs === null ? { nextCheckAt: null } : {}),
    running: running.map(({ runId, startedAtMs }) => ({
      runId,
      startedAt: toInstant(startedAtMs),
    })),
  };
}
