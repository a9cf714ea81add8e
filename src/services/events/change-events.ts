/** Finds out from changed runs, monitors and incidents which events have happened. Pure. */
import type { EventType } from '../../contracts/alerting/alert-kinds';
import { readProviderHost, type SubjectType } from '../../contracts/alerting/identity-providers';
import type { JsonValue } from '../../contracts/definition';
import { isFinished, type RunRecord } from '../../contracts/records';
import type { Incident } from '../../models/alerting/incidents';
import type { MonitorHealth } from '../../models/events/event-sources';

/** An event for programs. It happens once. Its type, its object and its time identify it. */
export interface ProgramEvent {
  readonly type: EventType;
  readonly resourceType: SubjectType;
  readonly resourceId: string;
  /** The name of the subject. Set only for an identity provider, because the database cannot find its name by id. */
  readonly subjectName?: string;
  /** The id of the run or incident. For a monitor, its id and its health. */
  readonly subjectId: string;
  readonly atMs: number;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/** Returns the events of a run. Empty while the run is in progress, and for test runs. */
export function buildRunEvents(run: RunRecord): readonly ProgramEvent[] {
  const { runId, scenarioId, status, finishedAtMs, startedAtMs, failure, source } = run;
  if (!isFinished(status) || finishedAtMs === null || run.trigger === 'test') return [];
  const data = {
    runId,
    status,
    trigger: run.trigger,
    label: run.label,
    region: run.region,
    source: source === null ? null : { ...source },
    startedAt: formatInstant(startedAtMs),
    finishedAt: formatInstant(finishedAtMs),
    durationMs: startedAtMs === null ? null : finishedAtMs - startedAtMs,
    failure:
      failure === null
        ? null
        : { code: failure.code, message: failure.message, stepName: failure.stepName },
  };
  const of = { resourceType: 'scenario', resourceId: scenarioId, subjectId: runId } as const;
  return [{ type: 'run.finished', ...of, atMs: finishedAtMs, data }];
}

/**
 * Returns the latest change of health as an event. Empty before the first check. If the health changes several times
 * between two passes, only the last change is seen.
 */
export function buildMonitorEvents({
  id,
  health,
  healthSinceMs,
}: MonitorHealth): readonly ProgramEvent[] {
  if (health === 'pending') return [];
  const data = { health, since: formatInstant(healthSinceMs) };
  const of = { resourceType: 'monitor', resourceId: id, subjectId: `${id}:${health}` } as const;
  return [{ type: 'monitor.changed', ...of, atMs: healthSinceMs, data }];
}

/** Returns the events of an incident. Each event has the time at which it happened, even if it is found much later. */
export function buildIncidentEvents(incident: Incident): readonly ProgramEvent[] {
  const { id, resourceType, resourceId, openedAtMs, acknowledgedAtMs, closedAtMs } = incident;
  const { cause, provider } = incident;
  const incidentId = incident.earlier?.firstId ?? id;
  const base = {
    incidentId,
    cause: cause === null ? null : { code: cause.code, message: cause.message },
    regions: [...incident.regions],
    openedAt: formatInstant(openedAtMs),
  };
  const event = (
    type: EventType,
    atMs: number | null,
    more: ProgramEvent['data'] = {},
  ): readonly ProgramEvent[] =>
    atMs === null
      ? []
      : [
          {
            type,
            resourceType,
            resourceId,
            ...(provider !== undefined && { subjectName: readProviderHost(provider.tokenUrl) }),
            // The event uses the id of the episode, because the episode may later belong to another incident.
            subjectId: id,
            atMs,
            data: { ...base, ...more },
          },
        ];
  return [
    ...event('incident.opened', openedAtMs),
    ...event('incident.acknowledged', acknowledgedAtMs, {
      acknowledgedAt: formatInstant(acknowledgedAtMs),
      acknowledgedBy: incident.acknowledgedBy,
    }),
    ...event('incident.resolved', closedAtMs, { resolvedAt: formatInstant(closedAtMs) }),
  ];
}

function formatInstant(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
