/**
 * Whether a monitor is steady, so that a watch may make its checks: the last slot is stored, and the next one, if it
 * looks the same, decides nothing. Pure.
 */
import type { AlertRules, AlertState } from '../../contracts/alerts';
import type { CheckStatus } from '../../contracts/outcome';
import type { Health, MonitorCheckRecord } from '../../contracts/records';
import type { MonitorConfig, MonitorState, SteadyRegion } from '../../contracts/workflows';
import { nextRungMs } from '../../domain/alerting/certificate-warnings';
import { FLAPPING_MS, nextFlappingNewsMs } from '../../domain/alerting/flapping';
import { nextHeldAlerts } from '../../domain/alerting/held-alerts';
import type { Observation } from '../../domain/health/health';
import { isQuietAt, nextEdgeMs } from '../../domain/health/maintenance';
import { readSteadyOutcome } from '../../domain/health/steady-outcome';
import { isLoaded } from '../../domain/states/backlog';
import { snoozeWakeMs } from '../loop/end-snooze';
import { healthAfter } from '../loop/keep-time';
import { REPORT_SLACK_MS } from '../loop/probe-timeouts';
import { checkedCertificates } from '../loop/seen-certificates';

/** The largest number of slots in a row after which a rule may change the health. */
const STREAK_MAX = 10;

/** What the regions saw in a slot that was stored; null when such checks are not watched. */
export function steadyAfter(
  outcomes: MonitorCheckRecord['outcomes'],
  config: MonitorConfig,
): MonitorState['steady'] {
  const regions: SteadyRegion[] = [];
  for (const { region, outcome } of outcomes) {
    const expected = readSteadyOutcome(outcome);
    if (expected === null) return null;
    regions.push({ region, expected });
  }
  return { regions, certificates: checkedCertificates(outcomes, config) };
}

/** The first slot that would be recorded and nothing else; null: the workflow has to check. */
export function watchableSlotMs(state: MonitorState): number | null {
  const { config, steady, maintenance, backlog, lastSlotMs } = state;
  if (steady === null || lastSlotMs === null) return null;
  const isChecked = config.regions.every((name) =>
    steady.regions.some(({ region }) => region === name),
  );
  // While one region is at its check, no other comes to its next: a slot is judged as a whole.
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
  return lastSlotMs + config.intervalMs;
}

/**
 * From when on something may have to be decided although no outcome differs: an edge of maintenance or hours, a warning of a
 * certificate, the end of a snooze, a reminder, the end of flapping. null: never. The slot is one that
 * `watchableSlotMs` has found to notify nobody.
 */
export function decisionDueMs(state: MonitorState, slotMs: number, nowMs: number): number | null {
  const { maintenance, config, alerts, steady } = state;
  const rungs = (steady?.certificates ?? []).map(({ expiresAtMs }) =>
    nextRungMs(expiresAtMs, config.tlsWarnDays, nowMs),
  );
  const newsMs = nextAlertDecisionMs(alerts, config.alerts, slotMs);
  const dues = [nextEdgeMs(maintenance), snoozeWakeMs(state), newsMs, ...rungs];
  const known = dues.filter((atMs) => atMs !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * When, after a slot without news, people may have to be notified although nothing changes: of what is still down, or
 * still flaps, or no longer does. null: never. Earlier than that a slot that looks like the last one has no news.
 */
function nextAlertDecisionMs(state: AlertState, rules: AlertRules, slotMs: number): number | null {
  const { remindedAtMs, flappingSinceMs, changesMs } = state;
  const { remindEveryMinutes } = rules;
  const isReminding = remindEveryMinutes !== null && remindedAtMs !== null;
  const reminderMs = isReminding ? remindedAtMs + remindEveryMinutes * 60_000 : null;
  const isFlapping = flappingSinceMs !== null;
  const calmMs = isFlapping ? Math.max(0, ...changesMs) + FLAPPING_MS : null;
  const flapsMs = isFlapping ? nextFlappingNewsMs(state, rules) : null;
  // What was due by then is not wanted: people have acknowledged, or hear of it as of flapping.
  const dues = [reminderMs, calmMs, flapsMs].flatMap((atMs) =>
    atMs !== null && atMs > slotMs ? [atMs] : [],
  );
  return dues.length === 0 ? null : Math.min(...dues);
}

/** Health and alerts stay as they are however often each region sees again what it saw last. */
function isSteady(state: MonitorState, lastSlotMs: number): boolean {
  const { config, health, alerts } = state;
  const observations = health.regions.flatMap(({ region, health: last, lastResponseTimeMs }) =>
    isObserved(last) ? [{ region, status: last, responseTimeMs: lastResponseTimeMs }] : [],
  ) satisfies Observation[];
  if (observations.length !== config.regions.length || alerts.hold !== null) return false;
  const atMs = lastSlotMs + config.intervalMs;
  let next = health;
  for (let slots = 0; slots < STREAK_MAX; slots += 1) {
    next = healthAfter({ ...state, health: next }, { atMs, observations }, config);
    if (next.health !== health.health || next.lastKnown !== health.lastKnown) return false;
  }
  return isWithoutNews(state, atMs);
}

/** The slot notifies nobody, opens and closes nothing. */
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
    isMuted: isQuietAt(maintenance, atMs),
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
