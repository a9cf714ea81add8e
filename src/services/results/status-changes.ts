/** Computes how a recorded slot changes the status document. Pure. Decides nothing about health. */

import { mapPhases, type StepOutcome } from '../../contracts/outcome';
import type { MonitorCheckRecord, ScenarioSlotRecord } from '../../contracts/records';
import { findCertificate, findRegistration } from '../../domain/health/ending-facts';
import type { Measured, StatusChange } from '../../models/results/statuses';

export function buildMonitorChange(record: MonitorCheckRecord): StatusChange {
  const outcomes = record.outcomes.map(({ outcome }) => outcome);
  const finishedAtMs = outcomes.map(({ finishedAt }) => Date.parse(finishedAt)).filter(isInstant);
  return {
    accountId: record.accountId,
    id: record.monitorId,
    slotMs: record.slotMs,
    fields: {
      ...healthFields(record),
      isWatched: false,
      ...(record.heartbeat !== undefined && { heartbeat: record.heartbeat }),
      ...(finishedAtMs.length === 0 ? {} : { lastCheckedAtMs: Math.max(...finishedAtMs) }),
      ...certificateField(outcomes),
      ...(outcomes.length === 0
        ? {}
        : {
            measured: record.outcomes.map((one) =>
              readMeasured(one, record.gridSlotMs ?? record.slotMs),
            ),
          }),
    },
  };
}

export function buildScenarioChange(record: ScenarioSlotRecord): StatusChange {
  const { runId, slotMs, tlsExpiresAtMs, tlsRungs } = record;
  return {
    accountId: record.accountId,
    id: record.scenarioId,
    slotMs,
    fields: {
      ...healthFields(record),
      ...(runId === null ? {} : { lastRunId: runId, lastCheckedAtMs: slotMs }),
      ...(tlsExpiresAtMs === undefined ? {} : { tlsExpiresAt: toInstantOrNull(tlsExpiresAtMs) }),
      ...(tlsRungs === undefined ? {} : { tlsRungs }),
    },
  };
}

function healthFields(record: MonitorCheckRecord | ScenarioSlotRecord) {
  const { health, healthSinceMs, regionsHealth, nextSlotMs, inMaintenance } = record;
  const incidentId = record.currentIncidentId;
  const recordedSlotMs = record.gridSlotMs ?? record.slotMs;
  const fields = { health, healthSinceMs, regionsHealth, nextSlotMs, incidentId, inMaintenance };
  return { ...fields, recordedSlotMs };
}

/**
 * Returns the earliest expiry of a domain registration or certificate. Without any response, the stored expiry stays.
 * If all responses came without TLS, the expiry of the certificate is removed.
 */
function certificateField(
  outcomes: readonly StepOutcome[],
): Pick<StatusChange['fields'], 'tlsExpiresAt' | 'domainExpiresAt'> {
  const registrations = outcomes.flatMap((outcome) => findRegistration(outcome)?.expiresAt ?? []);
  const [ending] = registrations.toSorted();
  if (ending !== undefined) return { domainExpiresAt: ending };
  const expiries = outcomes.flatMap((outcome) => findCertificate(outcome)?.expiresAt ?? []);
  const [earliest] = expiries.toSorted();
  if (earliest !== undefined) return { tlsExpiresAt: earliest };
  const hasResponse = outcomes.some(({ response }) => response !== null);
  return hasResponse ? { tlsExpiresAt: null } : {};
}

/** Returns the measurements of a check in the form that the status stores. */
export function readMeasured(
  { region, outcome }: MonitorCheckRecord['outcomes'][number],
  slotMs: number,
): Measured {
  const { response, timings } = outcome;
  return {
    region,
    slotMs,
    statusCode: response?.status ?? null,
    ...mapPhases((field) => timings?.[field] ?? null),
  };
}

function toInstantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

function isInstant(atMs: number): boolean {
  return Number.isFinite(atMs);
}
