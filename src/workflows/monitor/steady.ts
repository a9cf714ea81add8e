/**
 * Decides whether a monitor is steady. The checks of a steady monitor may be made by a watch (an activity that repeats
 * the checks). A monitor is steady if its last slot is stored, and if another slot with the same outcomes would change
 * nothing. Pure.
 */
import type { AlertRules, AlertState } from '../../contracts/alerts';
import type { CheckStatus } from '../../contracts/outcome';
import type { Health, MonitorCheckRecord } from '../../contracts/records';
import type { MonitorConfig, MonitorState, SteadyRegion } from '../../contracts/workflows';
import { nextThresholdMs } from '../../domain/alerting/certificate-warnings';
import { FLAPPING_MS, nextFlappingNewsMs } from '../../domain/alerting/flapping';
import { nextHeldAlerts } from '../../domain/alerting/held-alerts';
import type { Observation } from '../../domain/health/health';
import { isOutsideHours, nextEdgeMs } from '../../domain/health/maintenance';
import { findSlotAfter, findSlotAtOrBefore } from '../../domain/health/schedule';
import { readSteadyOutcome } from '../../domain/health/steady-outcome';
import { isLoaded } from '../../domain/states/backlog';
import { snoozeWakeMs } from '../loop/end-snooze';
import { REPORT_SLACK_MS } from '../loop/probe-timeouts';
import { computeHealth } from '../loop/region-health';
import { listCheckedCertificates } from '../loop/seen-certificates';

/** The largest number of slots in a row that a rule may require before the health changes. */
const STREAK_MAX = 10;

/**
 * Returns the outcomes that a watch expects after a stored slot. Returns null if a watch is not allowed to make these
 * checks.
 */
export function findSteadyOutcomes(
  outcomes: MonitorCheckRecord['outcomes'],
  config: MonitorConfig,
): MonitorState['steady'] {
  const regions: SteadyRegion[] = [];
  for (const { region, outcome } of outcomes) {
    const expected = readSteadyOutcome(outcome);
    if (expected === null) return null;
    regions.push({ region, expected });
  }
  return { regions, certificates: listCheckedCertificates(outcomes, config) };
}

/**
 * Returns the next slot if a watch may check it: with the same outcomes as before, the slot would only be recorded.
 * Returns null if the workflow itself has to check.
 */
export function findWatchableSlotMs(state: MonitorState): number | null {
  const { config, steady, maintenance, backlog, lastSlotMs } = state;
  if (steady === null || lastSlotMs === null) return null;
  const isChecked = config.regions.every((name) =>
    steady.regions.some(({ region }) => region === name),
  );
  // With several regions, no region may begin its next check while another region is still checking. Otherwise, the
  // outcomes of one slot could not be judged together.
  const isBrief = config.budgetMs + REPORT_SLACK_MS <= config.intervalMs;
  const isWaiting =
    config.paused ||
    maintenance.current !== null ||
    state.manual.length > 0 ||
    state.skipped !== null ||
    state.unconfirmed !== null ||
    state.excludedPeriods.length > 0 ||
    state.operatorChange !== null ||
    state.checkedRevision !== config.revision ||
    isLoaded(backlog.waiting) ||
    isLoaded(backlog.refused);
  if (!isChecked || (!isBrief && config.regions.length > 1)) return null;
  if (isWaiting || !isSteady(state, lastSlotMs)) return null;
  return findSlotAfter(config, lastSlotMs);
}

/**
 * Returns the time of the next decision that needs no new outcome, for example a reminder or a certificate warning.
 * Returns null if there is none. Leaves out alerts that were due up to `slotMs`. Call it with a slot from
 * `findWatchableSlotMs`, at which no alert is due.
 */
export function findDecisionDueMs(
  state: MonitorState,
  slotMs: number,
  nowMs: number,
): number | null {
  const { maintenance, config, alerts, steady } = state;
  const thresholds = (steady?.certificates ?? []).map(({ expiresAtMs }) =>
    nextThresholdMs(expiresAtMs, config.tlsWarnDays, nowMs),
  );
  const newsMs = nextAlertDecisionMs(alerts, config.alerts, slotMs);
  const dues = [nextEdgeMs(maintenance), snoozeWakeMs(state), newsMs, ...thresholds];
  const known = dues.filter((atMs) => atMs !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The values with which a watch was started. */
export interface WatchStart {
  readonly config: MonitorConfig;
  readonly untilMs: number | null;
}

/**
 * Returns true if a watch that starts now would make the same checks as the running watch, until the same time. The
 * time grid may differ, because the probe gets a new grid from the API.
 */
export function isSameWatch(
  state: MonitorState,
  { config: { revision, regions }, untilMs }: WatchStart,
  nowMs: number,
): boolean {
  const { config, lastSlotMs } = state;
  const [region] = regions;
  const isOnly = regions.length === 1 && config.regions.length === 1;
  if (!isOnly || config.regions[0] !== region || config.revision !== revision) return false;
  // The newest slot that the running watch may have checked.
  const newestMs = Math.max(lastSlotMs ?? 0, findSlotAtOrBefore(config, nowMs));
  const current = { ...state, lastSlotMs: lastSlotMs === null ? null : newestMs };
  const slotMs = findWatchableSlotMs(current);
  return slotMs !== null && findDecisionDueMs(current, slotMs, nowMs) === untilMs;
}

/**
 * Returns when people must be notified next if no outcome changes: the monitor is still down, is still flapping, or has
 * stopped flapping. Returns null if they need not be notified.
 */
function nextAlertDecisionMs(state: AlertState, rules: AlertRules, slotMs: number): number | null {
  const { remindedAtMs, flappingSinceMs, changesMs } = state;
  const { remindEveryMinutes } = rules;
  const isReminding = remindEveryMinutes !== null && remindedAtMs !== null;
  const reminderMs = isReminding ? remindedAtMs + remindEveryMinutes * 60_000 : null;
  const isFlapping = flappingSinceMs !== null;
  const flappingEndsMs = isFlapping ? Math.max(0, ...changesMs) + FLAPPING_MS : null;
  const flapsMs = isFlapping ? nextFlappingNewsMs(state, rules) : null;
  // Alerts that were due before this slot are not sent any more: people have acknowledged the incident, or get a notice
  // about flapping instead.
  const dues = [reminderMs, flappingEndsMs, flapsMs].flatMap((atMs) =>
    atMs !== null && atMs > slotMs ? [atMs] : [],
  );
  return dues.length === 0 ? null : Math.min(...dues);
}

/** Returns true if health and alerts stay the same as long as each region repeats its last outcome. */
function isSteady(state: MonitorState, lastSlotMs: number): boolean {
  const { config, health, alerts } = state;
  const observations = health.regions.flatMap(({ region, health: last, lastResponseTimeMs }) =>
    isObserved(last) ? [{ region, status: last, responseTimeMs: lastResponseTimeMs }] : [],
  ) satisfies Observation[];
  if (observations.length !== config.regions.length || alerts.hold !== null) return false;
  const atMs = lastSlotMs + config.intervalMs;
  let next = health;
  for (let slots = 0; slots < STREAK_MAX; slots += 1) {
    next = computeHealth({ ...state, health: next }, { atMs, observations }, config);
    if (next.health !== health.health || next.lastKnown !== health.lastKnown) return false;
  }
  return isWithoutNews(state, atMs);
}

/** Returns true if no one is notified at the slot and it opens or closes no incident. */
function isWithoutNews(
  { alerts, health, config, maintenance }: MonitorState,
  atMs: number,
): boolean {
  const opening = { id: '', cause: null, regions: [], firstRunId: null };
  const slot = {
    atMs,
    health: health.health,
    healthSinceMs: health.sinceMs,
    opening,
    isMuted: isOutsideHours(maintenance, atMs),
  };
  const { changed, due, mustAsk, state } = nextHeldAlerts(alerts, slot, {
    rules: config.alerts,
    dependsOn: config.dependsOn,
  });
  const isSame =
    state.isDegraded === alerts.isDegraded &&
    state.notices.length === alerts.notices.length &&
    state.flappingSinceMs === alerts.flappingSinceMs;
  return isSame && changed === null && due.length === 0 && !mustAsk;
}

function isObserved(health: Health): health is Extract<CheckStatus, Health> {
  return health !== 'pending' && health !== 'unknown';
}
