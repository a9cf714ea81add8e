/**
 * Whether the checks of a monitor may be quiet: the last slot is stored, and the next one, if it looks the
 * same, decides nothing. Pure.
 */
import type { SeenCertificate } from '../../contracts/certificates';
import type { CheckStatus } from '../../contracts/outcome';
import type { SteadyOutcome } from '../../contracts/watches';
import type { Health, MonitorCheckRecord } from '../../contracts/records';
import type { MonitorConfig, MonitorState } from '../../contracts/workflows';
import { nextAlerts } from '../../domain/alerting/alert-policy';
import { nextRungMs } from '../../domain/alerting/certificate-warnings';
import type { Observation } from '../../domain/health/health';
import { nextEdgeMs } from '../../domain/health/maintenance';
import { expectationOf } from '../../domain/health/steady-outcome';
import { isLoaded } from '../../domain/states/backlog';
import { healthAfter } from '../loop/keep-time';
import { REPORT_SLACK_MS } from '../loop/probe-timeouts';
import { checkedCertificates } from '../loop/seen-certificates';
import { tryBudgetMs } from './check-regions';

/** What the last slot looked like. */
export interface Calm {
  readonly expected: ReadonlyMap<string, SteadyOutcome>;
  readonly certificates: readonly SeenCertificate[];
}

/** After a slot that was stored; null when its checks are not of the kind that may be quiet. */
export function calmAfter(
  outcomes: MonitorCheckRecord['outcomes'],
  config: MonitorConfig,
): Calm | null {
  const expected = new Map<string, SteadyOutcome>();
  for (const { region, outcome } of outcomes) {
    const expectation = expectationOf(outcome);
    if (expectation === null) return null;
    expected.set(region, expectation);
  }
  return { expected, certificates: checkedCertificates(outcomes, config) };
}

/** True when a slot like the last one would be recorded, and nothing else. */
export function mayBeWatched(state: MonitorState, calm: Calm | null): calm is Calm {
  if (calm === null) return false;
  const { config, maintenance, backlog } = state;
  const isChecked = config.regions.every((region) => calm.expected.has(region));
  // While one region is at its check, no other comes to its next.
  const isBrief = tryBudgetMs(config) + REPORT_SLACK_MS <= config.intervalMs;
  const isWaiting =
    config.paused ||
    maintenance.current !== null ||
    state.manual.length > 0 ||
    state.excludedPeriods.length > 0 ||
    state.operatorChange !== null ||
    state.checkedRevision !== config.revision ||
    isLoaded(backlog.waiting) ||
    isLoaded(backlog.refused);
  return isChecked && (isBrief || config.regions.length === 1) && !isWaiting && isSteady(state);
}

/** When something has to be decided whatever checks say: maintenance, a certificate; null: never. */
export function quietEndMs(
  { maintenance, config }: MonitorState,
  { certificates }: Calm,
  nowMs: number,
): number | null {
  const edgeMs = nextEdgeMs(maintenance);
  const rungs = certificates.map(({ expiresAtMs }) =>
    nextRungMs(expiresAtMs, config.tlsWarnDays, nowMs),
  );
  const ends = [edgeMs, ...rungs].filter((atMs) => atMs !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Health and alerts stay as they are when each region says again what it said last. */
function isSteady(state: MonitorState): boolean {
  const { config, health, alerts, lastSlotMs } = state;
  const observations = health.regions.flatMap(({ region, health: last, lastResponseTimeMs }) =>
    isObserved(last) ? [{ region, status: last, responseTimeMs: lastResponseTimeMs }] : [],
  ) satisfies Observation[];
  if (lastSlotMs === null || observations.length !== config.regions.length) return false;
  const atMs = lastSlotMs + config.intervalMs;
  const next = healthAfter(state, { atMs, observations }, config);
  const isSame = next.health === health.health && next.lastKnown === health.lastKnown;
  const opening = { id: '', cause: null, regions: [], firstRunId: null };
  const slot = { atMs, health: next.health, healthSinceMs: next.sinceMs, opening, isMuted: false };
  const verdict = nextAlerts(alerts, slot, config.alerts);
  const isTroubled = alerts.incident !== null || alerts.flappingSinceMs !== null;
  const isChanged = verdict.changed !== null || verdict.state.isDegraded !== alerts.isDegraded;
  return isSame && !isTroubled && !isChanged && verdict.due.length === 0;
}

function isObserved(health: Health): health is Extract<CheckStatus, Health> {
  return health !== 'pending' && health !== 'unknown';
}
