/**
 * Builds, from the database, the state with which a lost workflow is restarted. With this state, the workflow keeps the
 * health and the open incident, and does not count recorded slots as missed. Pure.
 */
import type { AlertState, IncidentSilence, Notice } from '../../contracts/alerts';
import type { WarnedCertificate } from '../../contracts/certificates';
import type { HeartbeatConfig, HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { MaintenancePlan } from '../../contracts/maintenance';
import type { ExcludedPeriod, IncidentRecord } from '../../contracts/records';
import type {
  HealthState,
  MonitorState,
  ScenarioState,
  ScheduleConfig,
} from '../../contracts/workflows';
import { NO_ALERTS } from '../../domain/alerting/alert-policy';
import { EVERY_SLOT_COUNTS, type HealthRule } from '../../domain/health/health';
import { isOutsideHours } from '../../domain/health/maintenance';
import { findPassedGap, findSlotAtOrBefore } from '../../domain/health/schedule';
import { findLastGridSlotMs } from '../../domain/health/watches';
import {
  freshHeartbeatState,
  freshMonitorState,
  freshScenarioState,
} from '../../domain/states/fresh-state';
import type { Incident } from '../../models/alerting/incidents';
import type { Monitor } from '../../models/resources/monitors';
import type { Resource } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import type { StoredStatus } from '../../models/results/statuses';
import { buildMonitorConfig, buildScenarioConfig } from './compose-config';

/** No revision has this number. The workflow therefore makes a check at once. */
const NO_REVISION = 0;
const UNALERTED_MAX_AGE_MS = 24 * 3_600_000;

/** The last known state in the database. `status` is null before the first check. */
export interface LastKnownState<Entity> {
  readonly resource: Entity;
  readonly status: StoredStatus | null;
  /** The open incident. null if there is none. */
  readonly incident: Incident | null;
  /** Notifications about problems that have not ended yet. */
  readonly notices: readonly NoticeRecord[];
  /** The current and the next maintenance. */
  readonly maintenance: MaintenancePlan;
  /** Certificates about which people were warned. */
  readonly certificates: readonly WarnedCertificate[];
}

/** A notification as the database stores it. */
export interface NoticeRecord {
  readonly kind: Notice['kind'];
  readonly sentAtMs: number;
  /** The incident of a failure notification. null if the incident is no longer stored. */
  readonly incident: Incident | null;
}

export function seedMonitorState(
  { maintenance, ...standing }: LastKnownState<Monitor>,
  nowMs: number,
): MonitorState | HeartbeatState {
  const config = { ...buildMonitorConfig(standing.resource, nowMs), maintenance };
  if ('heartbeat' in config) return seedHeartbeat(standing, config, nowMs);
  const seed = buildSeed(standing, { config, rule: config, nowMs });
  return { ...freshMonitorState(config), ...seed };
}

/** Builds the state of a heartbeat. Its workflow begins with the pings that it has not processed yet. */
function seedHeartbeat(
  standing: Omit<LastKnownState<Monitor>, 'maintenance'>,
  config: HeartbeatConfig,
  nowMs: number,
): HeartbeatState {
  const fresh = freshHeartbeatState(config);
  const seed = buildSeed(standing, { config, rule: EVERY_SLOT_COUNTS, nowMs });
  const progress = standing.status?.heartbeat ?? fresh.progress;
  if (seed === null) return { ...fresh, progress };
  const { certificates: _none, lastSlotMs: _grid, skipped: _slots, ...known } = seed;
  const scheduledBy = JSON.stringify(config.heartbeat.schedule);
  const lastSlotMs = standing.status?.lastSlotMs ?? null;
  return { ...fresh, ...known, progress, scheduledBy, lastSlotMs };
}

export function seedScenarioState(
  { maintenance, ...standing }: LastKnownState<Scenario>,
  nowMs: number,
): ScenarioState {
  const config = { ...buildScenarioConfig(standing.resource, nowMs), maintenance };
  const seed = buildSeed(standing, { config, rule: EVERY_SLOT_COUNTS, nowMs });
  return { ...freshScenarioState(config), ...seed };
}

type Seed = Pick<
  MonitorState,
  | 'health'
  | 'lastSlotMs'
  | 'skipped'
  | 'checkedRevision'
  | 'excludedPeriods'
  | 'alerts'
  | 'certificates'
>;

interface Rules {
  readonly config: ScheduleConfig;
  readonly rule: HealthRule;
  readonly nowMs: number;
}

/** Builds the state. null means that the resource was never checked, so its workflow starts from the beginning. */
function buildSeed(
  {
    resource,
    status,
    incident,
    notices,
    certificates,
  }: Omit<LastKnownState<Resource>, 'maintenance'>,
  { config, rule, nowMs }: Rules,
): Seed | null {
  const slotMs = status?.lastSlotMs ?? null;
  if (status === null || slotMs === null) return null;
  // Manual checks are ignored here, because slots before them may have been missed.
  const lastSlotMs = findLastGridSlotMs({ ...status, lastSlotMs: slotMs }, config.regions);
  const period = pauseThatEnded(resource, nowMs);
  const isChecked =
    status.lastCheckedAtMs !== null && status.lastCheckedAtMs >= resource.updatedAtMs;
  return {
    health: buildHealth(status, { config, rule }),
    ...leaveOutPause(config, lastSlotMs, period),
    // If the revision may not have been checked yet, the workflow checks it at once.
    checkedRevision: isChecked ? resource.revision : NO_REVISION,
    excludedPeriods: period === null ? [] : [period],
    alerts: buildAlerts({ status, incident, notices }, config, nowMs),
    certificates,
  };
}

/**
 * Builds the state of alerts. People who were notified of an open incident are not notified again. If no alert of the
 * incident is recorded, an alert is sent only if the incident is at most a day old.
 */
function buildAlerts(
  {
    status,
    incident,
    notices,
  }: Pick<LastKnownState<Resource>, 'incident' | 'notices'> & {
    readonly status: StoredStatus;
  },
  { alerts: places, maintenance }: ScheduleConfig,
  nowMs: number,
): AlertState {
  const sent = notices.map((notice): Notice => {
    const { channels, targets } = places;
    const { kind, sentAtMs } = notice;
    const about = notice.incident === null ? null : toIncidentRecord(notice.incident);
    return { kind, sinceMs: sentAtMs, incident: about, recipients: { channels, targets } };
  });
  const known = { ...NO_ALERTS, isDegraded: status.health === 'degraded', notices: sent };
  if (incident === null) return known;
  const open = toIncidentRecord(incident);
  const silence = readSilence(incident);
  const state = { ...known, incident: open, silence, remindedAtMs: nowMs };
  const isNotified = sent.some(({ kind }) => kind === 'failure');
  // Outside of its hours, a resource may send nothing for days. An alert that was not sent for this reason must still
  // be sent when the hours begin.
  const isWithheld = maintenance !== null && isOutsideHours(maintenance, nowMs);
  if (isNotified || isWithheld || open.openedAtMs > nowMs - UNALERTED_MAX_AGE_MS) return state;
  const { channels, targets } = places;
  const old = { kind: 'failure', sinceMs: open.openedAtMs, incident: open } as const;
  return { ...state, notices: [...sent, { ...old, recipients: { channels, targets } }] };
}

function readSilence({
  id,
  acknowledgedAtMs,
  snoozedUntilMs,
  silenceSequence,
}: Incident): IncidentSilence | null {
  if (acknowledgedAtMs === null && snoozedUntilMs === null) return null;
  const isAcknowledged = acknowledgedAtMs !== null;
  return { incidentId: id, isAcknowledged, snoozedUntilMs, sequence: silenceSequence };
}

function toIncidentRecord(incident: Incident): IncidentRecord {
  const { id, openedAtMs, closedAtMs, cause, regions, firstRunId } = incident;
  return { id, openedAtMs, closedAtMs, cause, regions, firstRunId };
}

/**
 * Removes slots inside the pause from the missed slots, because they were not due. Slots before the pause that were not
 * checked still count as missed.
 */
function leaveOutPause(
  config: ScheduleConfig,
  lastSlotMs: number,
  pause: ExcludedPeriod | null,
): Pick<Seed, 'lastSlotMs' | 'skipped'> {
  if (pause === null) return { lastSlotMs, skipped: null };
  const skipped = findPassedGap({ ...config, lastSlotMs, nowMs: pause.fromMs }, 'missed');
  return { lastSlotMs: Math.max(lastSlotMs, findSlotAtOrBefore(config, pause.toMs)), skipped };
}

/**
 * Returns the last pause if it has ended. The lost workflow may not have recorded its end. Recording the same pause
 * twice changes nothing.
 */
function pauseThatEnded(resource: Resource, nowMs: number): ExcludedPeriod | null {
  const { pausedAtMs, pausedUntilMs } = resource;
  if (pausedAtMs === null || pausedUntilMs === null) return null;
  if (pausedUntilMs > nowMs || pausedUntilMs <= pausedAtMs) return null;
  return { state: 'paused', fromMs: pausedAtMs, toMs: pausedUntilMs };
}

/**
 * Builds the health. Counts of consecutive failures or successes are not stored, so they start at the number that the
 * health requires.
 */
function buildHealth(
  { health, healthSinceMs, regionsHealth, currentIncidentId }: StoredStatus,
  { config, rule }: Pick<Rules, 'config' | 'rule'>,
): HealthState {
  const unseen = currentIncidentId === null ? 'pending' : 'down';
  const lastKnown = health === 'unknown' ? unseen : health;
  const isResponding = lastKnown === 'up' || lastKnown === 'degraded';
  return {
    health,
    lastKnown,
    sinceMs: healthSinceMs,
    failures: lastKnown === 'down' ? rule.failuresBeforeDown : 0,
    successes: isResponding ? rule.successesBeforeUp : 0,
    regions: regionsHealth.filter(({ region }) => config.regions.includes(region)),
  };
}
