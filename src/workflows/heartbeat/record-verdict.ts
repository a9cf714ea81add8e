/** Applies a verdict on a job to its health and alerts, and records it. */
import { HEARTBEAT_REGION } from '../../contracts/heartbeat';
import type { MonitorCheckRecord } from '../../contracts/records';
import { EVERY_SLOT_COUNTS } from '../../domain/health/health';
import { isMutedAt } from '../../domain/health/maintenance';
import { nextDeadlineMs, type Verdict } from '../../domain/heartbeats/heartbeat';
import { type Finding, raiseAlerts } from '../loop/alerting';
import { noteUnsaved } from '../loop/hold-failure';
import { isInMaintenance } from '../loop/keep-time';
import { computeHealth } from '../loop/region-health';
import { noteCheck } from '../loop/report-health';
import { storeRecord } from '../loop/store-record';
import type { HeartbeatContext } from './context';

/**
 * Records a verdict. `verdict` is null if the job reported something other than a result, such as the start of a run.
 * The call must not be cancelled.
 */
export async function recordVerdict(
  context: HeartbeatContext,
  verdict: Verdict | null,
): Promise<void> {
  const { state } = context;
  const { excludedPeriods } = state;
  const nowMs = Date.now();
  // This time is later than every recorded time, even if clocks differ.
  const slotMs = Math.max(verdict?.atMs ?? nowMs, (state.lastSlotMs ?? 0) + 1);
  const inMaintenance = isInMaintenance(state, nowMs);
  const outcomes = verdict === null ? [] : [{ region: HEARTBEAT_REGION, outcome: verdict.outcome }];
  const observations = outcomes.map(({ region, outcome: { status, responseTimeMs } }) => ({
    region,
    status,
    responseTimeMs,
  }));
  const health = computeHealth(state, { atMs: slotMs, observations }, EVERY_SLOT_COUNTS);
  context.state = { ...state, health, lastSlotMs: slotMs, skipped: null, excludedPeriods: [] };
  const alerted =
    verdict === null
      ? { incident: null, currentIncidentId: state.alerts.incident?.id ?? null }
      : await raiseAlerts(
          context,
          buildFinding(context, verdict, { slotMs, isMuted: isMutedAt(state.maintenance, nowMs) }),
        );
  if (verdict !== null) noteCheck(context, slotMs);
  const { config, progress } = context.state;
  const record: MonitorCheckRecord = {
    ...alerted,
    accountId: config.accountId,
    monitorId: config.id,
    revision: config.revision,
    kind: 'scheduled',
    trigger: 'schedule',
    slotMs,
    gap: null,
    excludedPeriods,
    outcomes,
    inMaintenance,
    health: health.health,
    healthSinceMs: health.sinceMs,
    regionsHealth: health.regions,
    nextSlotMs: config.paused
      ? null
      : nextDeadlineMs(progress, config.heartbeat, health.lastKnown === 'down'),
    heartbeat: progress,
  };
  await storeRecord(context, { kind: 'monitor', record });
}

export async function remind(context: HeartbeatContext, nowMs: number): Promise<void> {
  context.remindedAtMs = nowMs;
  const cause = context.state.alerts.incident?.cause ?? null;
  const finding = buildFinding(context, null, { slotMs: nowMs, isMuted: false });
  const { incident: changed } = await raiseAlerts(context, { ...finding, cause });
  if (changed !== null) noteUnsaved(context);
}

function buildFinding(
  { state }: HeartbeatContext,
  verdict: Verdict | null,
  { slotMs, isMuted }: Pick<Finding, 'slotMs' | 'isMuted'>,
): Finding {
  const failure = verdict?.outcome.failure ?? null;
  const isFailing = verdict?.outcome.status === 'down';
  return {
    kind: 'monitor',
    slotMs,
    health: state.health,
    cause: isFailing && failure !== null ? { code: failure.code, message: failure.message } : null,
    // People do not see the internal region of a heartbeat.
    regions: [],
    firstRunId: null,
    assertion: null,
    isMuted,
  };
}
