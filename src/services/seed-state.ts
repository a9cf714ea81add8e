/**
 * What a lost workflow begins its new life with: where the database knows it to stand, so that its
 * past is not counted as missed, and its health and open incident are not forgotten. Pure.
 */
import type { AlertState } from '../contracts/alerts';
import type { MaintenancePlan } from '../contracts/maintenance';
import type { Spell } from '../contracts/records';
import type {
  HealthState,
  MonitorState,
  ScenarioState,
  ScheduleConfig,
} from '../contracts/workflows';
import { QUIET_ALERTS } from '../domain/alert-policy';
import { freshMonitorState, freshScenarioState } from '../domain/fresh-state';
import { EVERY_SLOT_COUNTS, type HealthRule } from '../domain/health';
import { slotAtOrBefore } from '../domain/schedule';
import { monitorConfigOf, scenarioConfigOf } from './compose-config';
import type { IncidentRow, MonitorRow, ResourceRow, ScenarioRow, StoredStatusRow } from './rows';

/** Not a revision: asks for a check at once. */
const NO_REVISION = 0;
const OLD_NEWS_AFTER_MS = 24 * 3_600_000;

/** Where a resource stands, from its row and its status; null for one that has none yet. */
export interface Standing<Row> {
  readonly row: Row;
  readonly status: StoredStatusRow | null;
  /** The incident that is open. */
  readonly incident: IncidentRow | null;
  /** Whether there is any record of an alert of it. */
  readonly isTold: boolean;
  /** What maintenance is next, and under way. */
  readonly maintenance: MaintenancePlan;
}

export function seedMonitorState(
  { maintenance, ...standing }: Standing<MonitorRow>,
  nowMs: number,
): MonitorState {
  const config = { ...monitorConfigOf(standing.row, nowMs), maintenance };
  const seed = seedOf(standing, { config, rule: config, nowMs });
  return { ...freshMonitorState(config), ...seed };
}

export function seedScenarioState(
  { maintenance, ...standing }: Standing<ScenarioRow>,
  nowMs: number,
): ScenarioState {
  const config = { ...scenarioConfigOf(standing.row, nowMs), maintenance };
  const seed = seedOf(standing, { config, rule: EVERY_SLOT_COUNTS, nowMs });
  return { ...freshScenarioState(config), ...seed };
}

type Seed = Pick<MonitorState, 'health' | 'lastSlotMs' | 'checkedRev' | 'spells' | 'alerts'>;

interface Rules {
  readonly config: ScheduleConfig;
  readonly rule: HealthRule;
  readonly nowMs: number;
}

/** Nothing for a resource that was never checked: it begins afresh. */
function seedOf(
  { row, status, incident, isTold }: Omit<Standing<ResourceRow>, 'maintenance'>,
  { config, rule, nowMs }: Rules,
): Seed | null {
  if (status === null || status.lastSlotMs === null) return null;
  const spell = pauseThatEnded(row, nowMs);
  const past = [status.lastSlotMs, slotBeforeNext(config, status.nextSlotMs)];
  const paused = spell === null ? [] : [slotAtOrBefore(config, spell.toMs)];
  const isChecked = status.lastCheckedAtMs !== null && status.lastCheckedAtMs >= row.updatedAtMs;
  return {
    health: healthOf(status, { config, rule }),
    lastSlotMs: Math.max(...past, ...paused),
    // What was saved and perhaps never checked is checked at once.
    checkedRev: isChecked ? row.rev : NO_REVISION,
    spells: spell === null ? [] : [spell],
    alerts: incident === null ? QUIET_ALERTS : alertsOf(incident, isTold, nowMs),
  };
}

/**
 * People who were told of an open incident, or are owed it, are not told again. One without a record
 * of any alert was lost before anything was sent, or nobody was to know yet; after a day it is old news.
 */
function alertsOf(incident: IncidentRow, isTold: boolean, nowMs: number): AlertState {
  const { id, openedAtMs, closedAtMs, cause, regions, firstRunId } = incident;
  const open = { id, openedAtMs, closedAtMs, cause, regions, firstRunId };
  if (!isTold && openedAtMs > nowMs - OLD_NEWS_AFTER_MS) return { ...QUIET_ALERTS, incident: open };
  return { ...QUIET_ALERTS, incident: open, told: 'down', remindedAtMs: nowMs };
}

/** A pause that ended by itself while nobody was there to see it. */
function pauseThatEnded(row: ResourceRow, nowMs: number): Spell | null {
  const { state, pausedAtMs, pausedUntilMs } = row;
  if (state !== 'paused' || pausedAtMs === null || pausedUntilMs === null) return null;
  if (pausedUntilMs > nowMs || pausedUntilMs <= pausedAtMs) return null;
  return { state: 'paused', fromMs: pausedAtMs, toMs: pausedUntilMs };
}

/** Everything before the slot that was to come is told: run, or named in a gap. */
function slotBeforeNext(config: ScheduleConfig, nextSlotMs: number | null): number {
  if (nextSlotMs === null || slotAtOrBefore(config, nextSlotMs) !== nextSlotMs) return 0;
  return nextSlotMs - config.intervalMs;
}

/**
 * Streaks are not stored: something that is down has failed often enough, and something that
 * answers has answered often enough.
 */
function healthOf(
  { health, healthSinceMs, regionsHealth, currentIncidentId }: StoredStatusRow,
  { config, rule }: Pick<Rules, 'config' | 'rule'>,
): HealthState {
  const unseen = currentIncidentId === null ? 'pending' : 'down';
  const lastKnown = health === 'unknown' ? unseen : health;
  const isAnswering = lastKnown === 'up' || lastKnown === 'degraded';
  return {
    health,
    lastKnown,
    sinceMs: healthSinceMs,
    failures: lastKnown === 'down' ? rule.failuresBeforeDown : 0,
    successes: isAnswering ? rule.successesBeforeUp : 0,
    regions: regionsHealth.filter(({ region }) => config.regions.includes(region)),
  };
}
