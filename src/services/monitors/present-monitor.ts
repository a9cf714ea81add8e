/** A monitor as /v1 answers it (docs/api.md). Sent back by PUT, it changes nothing. */
import { monitorWorkflowId } from '../../contracts/workflows';
import { rungOf } from '../../domain/alerting/certificate-warnings';
import type { Monitor } from '../../models/resources/monitors';
import type { StoredStatus } from '../../models/results/statuses';
import { requestOptionsOf } from '../../schemas/request-options';
import type { MonitorResponse } from '../../schemas/responses/resources';
import type { Dependencies } from '../ports/dependencies';
import { pauseOf } from '../resources/pause-state';
import { presentBody } from '../resources/present-body';
import { presentService, SERVICE_FIELD_NAMES, toRecord } from '../resources/service-fields';
import { presentVariables } from '../secrets/secret-variables';

/** Fields of the answer that a body does not have. */
export const MONITOR_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'tlsExpiresAt',
  'tlsWarning',
  ...SERVICE_FIELD_NAMES,
];

type Needs = Pick<Dependencies, 'clock' | 'workflowUrl'>;

/** Without a status, nothing has been checked yet. */
export function presentMonitor(
  needs: Needs,
  row: Monitor,
  status: StoredStatus | null,
): MonitorResponse {
  const { step } = row;
  const tlsExpiresAt = status?.tlsExpiresAt ?? null;
  return {
    id: row.id,
    name: row.name,
    url: step.url,
    method: step.method,
    interval: row.intervalSeconds,
    regions: row.regions,
    headers: toRecord(step.headers),
    ...presentBody(step),
    assertions: step.assertions,
    alerts: row.alerts,
    group: row.group,
    variables: presentVariables(row.variables),
    ...requestOptionsOf(step),
    degradedAboveMs: step.degradedAboveMs,
    quorum: row.quorum,
    failuresBeforeDown: row.failuresBeforeDown,
    successesBeforeUp: row.successesBeforeUp,
    tags: row.tags,
    key: row.key,
    enabled: !pauseOf(row, needs.clock.now()).isPaused,
    tls: { warnDays: step.tlsWarnDays },
    tlsExpiresAt,
    tlsWarning:
      tlsExpiresAt === null
        ? null
        : rungOf(Date.parse(tlsExpiresAt), step.tlsWarnDays, needs.clock.now()),
    ...presentService(needs, row, { status, workflowId: monitorWorkflowId(row.id) }),
  };
}
