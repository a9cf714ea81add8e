/**
 * Tests that the slots that a watch leaves out would change nothing. In random histories, judging each slot gives the
 * same notifications as judging only the slots at which a watch would end.
 */
import type { AlertRules, AlertTarget } from '../../../src/contracts/alerts';
import type { CheckStatus } from '../../../src/contracts/outcome';
import type { MonitorConfig, MonitorState } from '../../../src/contracts/workflows';
import { withSilence, withSnoozeOver } from '../../../src/domain/alerting/alert-policy';
import { nextHeldAlerts } from '../../../src/domain/alerting/held-alerts';
import { freshMonitorState } from '../../../src/domain/states/fresh-state';
import { computeHealth } from '../../../src/workflows/loop/region-health';
import {
  findDecisionDueMs,
  findSteadyOutcomes,
  findWatchableSlotMs,
} from '../../../src/workflows/monitor/steady';
import { monitorConfig, NO_ALERTS, outcomeOf } from '../../support/outcomes';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';

const LIVES = testSize('steady_lives', { ci: 100, long: 5_000 });
const SEED = testSeed(7);
const SLOTS = 150;
const MINUTE = 60_000;
const MAIL: AlertTarget = {
  key: 'mail',
  type: 'email',
  channelId: null,
  masked: 'a…@example.com',
  sealed: 'sealed',
};

type Seen = Readonly<Record<string, CheckStatus>>;
type Act = 'acknowledge' | 'snooze' | 'none';

interface Life {
  readonly config: MonitorConfig;
  readonly slots: readonly { readonly seen: Seen; readonly act: Act }[];
}

/** Generates a history with times of many changes, long times without changes, and acknowledgements by people. */
function imagine(seed: number): Life {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[], otherwise: Item): Item =>
    items[Math.floor(random() * items.length)] ?? otherwise;
  const regions = pick([['eu-west'], ['eu-west', 'us-east']], ['eu-west']);
  const alerts: AlertRules = {
    ...NO_ALERTS,
    targets: [MAIL],
    onFailure: random() < 0.9,
    onRecovery: random() < 0.8,
    onDegraded: random() < 0.5,
    remindEveryMinutes: pick([null, 3, 10, 45], null),
    policy: random() < 0.2 ? 'policy' : null,
  };
  const config = monitorConfig('mon_1', {
    alerts,
    regions,
    quorum: pick([1, 2], 1),
    failuresBeforeDown: pick([1, 1, 3], 1),
    successesBeforeUp: pick([1, 1, 3], 1),
  });
  const now = new Map<string, CheckStatus>(regions.map((region) => [region, 'up']));
  let isRestless = false;
  const slots = Array.from({ length: SLOTS }, () => {
    if (random() < 0.08) isRestless = !isRestless;
    for (const region of regions)
      if (random() < (isRestless ? 0.6 : 0.05))
        now.set(region, pick<CheckStatus>(['up', 'up', 'down', 'down', 'degraded'], 'up'));
    return {
      seen: Object.fromEntries(now),
      act: random() < 0.04 ? pick<Act>(['acknowledge', 'snooze'], 'none') : 'none',
    };
  });
  return { config, slots };
}

interface Lived {
  readonly told: readonly string[];
  readonly judged: number;
}

function live({ config, slots }: Life, isWatched: boolean): Lived {
  const told: string[] = [];
  let state = freshMonitorState(config);
  let untilMs: number | null = null;
  let isWatching = false;
  let judged = 0;
  const watch = (nowMs: number): void => {
    const firstSlotMs = isWatched ? findWatchableSlotMs(state) : null;
    untilMs = firstSlotMs === null ? null : findDecisionDueMs(state, firstSlotMs, nowMs);
    isWatching = firstSlotMs !== null && (untilMs ?? Infinity) > Math.max(firstSlotMs, nowMs);
  };
  for (const [index, { seen, act }] of slots.entries()) {
    const atMs = (index + 1) * MINUTE;
    if (isWatching && atMs < (untilMs ?? Infinity) && looksTheSame(state, seen))
      state = { ...state, lastSlotMs: atMs };
    else {
      judged += 1;
      state = judge(state, { atMs, seen, told });
      watch(atMs);
    }
    const endMs = state.alerts.silence?.snoozedUntilMs ?? null;
    if (endMs !== null && endMs <= atMs + MINUTE / 2) {
      state = notify({ ...state, alerts: withSnoozeOver(state.alerts) }, atMs + MINUTE / 2, told);
      watch(atMs + MINUTE / 2);
    }
    const answered = answer(state, act, atMs);
    if (answered !== state) {
      state = answered;
      watch(atMs + MINUTE / 2);
    }
  }
  return { told, judged };
}

function looksTheSame({ health }: MonitorState, seen: Seen): boolean {
  return health.regions.every((known) => seen[known.region] === known.health);
}

interface Slot {
  readonly atMs: number;
  readonly seen: Seen;
  readonly told: string[];
}

function judge(state: MonitorState, { atMs, seen, told }: Slot): MonitorState {
  const { config } = state;
  const outcomes = config.regions.map((region) => ({
    region,
    outcome: outcomeOf(seen[region] ?? 'up'),
  }));
  const observations = outcomes.map(({ region, outcome }) => ({
    region,
    status: outcome.status,
    responseTimeMs: outcome.responseTimeMs,
  }));
  const health = computeHealth(state, { atMs, observations }, config);
  const steady = findSteadyOutcomes(outcomes, config);
  const checkedRevision = config.revision;
  return notify({ ...state, health, steady, checkedRevision, lastSlotMs: atMs }, atMs, told);
}

function notify(state: MonitorState, atMs: number, told: string[]): MonitorState {
  const { health, config, alerts } = state;
  const opening = { id: `inc_${atMs}`, cause: null, regions: [], firstRunId: null };
  const { health: now, sinceMs: healthSinceMs } = health;
  const slot = { atMs, health: now, healthSinceMs, opening, isMuted: false };
  const verdict = nextHeldAlerts(alerts, slot, { rules: config.alerts, dependsOn: [] });
  const minute = atMs / MINUTE;
  for (const { kind, incident, staysDown } of verdict.due)
    told.push(`${minute} ${kind} ${incident?.id} ${staysDown ?? ''}`);
  if (verdict.changed !== null)
    told.push(`${minute} ${verdict.changed.decisions?.map(({ reason }) => reason).join()}`);
  return { ...state, alerts: verdict.state };
}

function answer(state: MonitorState, act: Act, atMs: number): MonitorState {
  const { incident, silence } = state.alerts;
  if (act === 'none' || incident === null) return state;
  const alerts = withSilence(state.alerts, {
    incidentId: incident.id,
    sequence: (silence?.sequence ?? 0) + 1,
    isAcknowledged: act === 'acknowledge',
    snoozedUntilMs: act === 'snooze' ? atMs + 4.5 * MINUTE : null,
  });
  return { ...state, alerts };
}

test('judging every slot, or only the slots at which a watch would end, leads to the same alerts', () => {
  let [left, all] = [0, 0];
  for (let count = 0; count < LIVES; count += 1) {
    const life = imagine(SEED + count);
    const watched = live(life, true);
    const full = live(life, false);
    const about = { seed: SEED + count };
    expect({ ...about, told: watched.told }).toEqual({ ...about, told: full.told });
    left += full.judged - watched.judged;
    all += full.judged;
  }
  expect(left).toBeGreaterThan(all / 3);
});
