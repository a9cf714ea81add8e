/** Converts an episode of an identity provider to an incident, and to messages. Pure. */
import {
  type ProviderEpisode,
  readProviderHost,
} from '../../contracts/alerting/identity-providers';
import type { AlertMessage } from '../../contracts/alerts';
import type { AlertDecision } from '../../contracts/records';
import type { ProviderRef } from '../../models/alerting/identity-providers';
import type { IncidentChange } from '../../models/alerting/save-incident';

export function buildProviderIncident(
  { id, accountId }: ProviderRef,
  episode: ProviderEpisode,
): IncidentChange {
  const { incidentId, openedAtMs, closedAtMs, message, regions, tokenUrl, problem, reason } =
    episode;
  const { checkCount, checks, ended } = episode;
  return {
    id: incidentId,
    accountId,
    resourceType: 'identityProvider',
    resourceId: id,
    openedAtMs,
    closedAtMs,
    cause: { code: 'auth_failed', message },
    regions,
    firstResultId: null,
    firstRunId: null,
    decisions: listDecisions(episode),
    provider: { tokenUrl, problem, reason, checkCount, checks, ...(ended && { ended }) },
  };
}

function listDecisions({
  openedAtMs,
  closedAtMs,
  planned,
  ended,
}: ProviderEpisode): readonly AlertDecision[] {
  const isNotified = planned.length > 0;
  const opened = { atMs: openedAtMs, reason: isNotified ? 'notified' : 'no_recipients' } as const;
  if (closedAtMs === null) return [opened];
  if (ended === 'unused') return [opened, { atMs: closedAtMs, reason: 'no_longer_used' }];
  const reason = isNotified ? 'recovery_notified' : 'never_notified';
  return [opened, { atMs: closedAtMs, reason }];
}

/** Builds the alert of an episode: a failure alert while the episode is open, and a recovery alert after its end. */
export function buildProviderAlert(
  { id, accountId }: ProviderRef,
  episode: ProviderEpisode,
  nowMs: number,
): AlertMessage {
  const { incidentId, openedAtMs, closedAtMs, message, regions } = episode;
  const { tokenUrl, problem, reason, checkCount, checks, ended } = episode;
  const isOver = closedAtMs !== null;
  const kind = isOver ? 'recovery' : 'failure';
  return {
    id: `${incidentId}-${kind}`,
    kind,
    accountId,
    incidentId,
    resourceType: 'identityProvider',
    resourceId: id,
    resourceName: readProviderHost(tokenUrl),
    atMs: closedAtMs ?? nowMs,
    sinceMs: closedAtMs ?? openedAtMs,
    openedAtMs,
    health: isOver ? 'up' : 'down',
    ends: isOver ? ['failure'] : [],
    cause: { code: 'auth_failed', message },
    regions,
    certificate: null,
    assertion: null,
    entries: [],
    provider: { tokenUrl, problem, reason, checkCount, checks, ...(ended && { ended }) },
  };
}
