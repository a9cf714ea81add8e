/** Tests random histories of monitors, with and without watches. The records and alerts must be the same. */

import type { AlertTarget } from '../../../src/contracts/alerts';
import type { CheckStatus, StepOutcome } from '../../../src/contracts/outcome';
import type { MonitorConfig } from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';
import { startVirtualService, type VirtualService } from '../virtual-service';

const LIVES = testSize('lives', { ci: 3, long: 60 });
const SLOTS = testSize('slots', { ci: 40, long: 150 });
const SEED = testSeed(101);
const MINUTE_MS = 60_000;
const REGIONS = ['eu-west', 'us-east'];
const MAIL: AlertTarget = {
  key: 'mail',
  type: 'email',
  channelId: null,
  masked: 'a…@example.com',
  sealed: 'sealed',
};

type Act = (typeof ACTS)[number] | 'lost probes' | 'away' | 'none';
const ACTS = [
  ...(['pause', 'resume', 'edit', 'rule', 'run now', 'mute', 'rest'] as const),
  ...(['acknowledge', 'snooze'] as const),
];
/** Number of slots that pass during a fault. */
const AWAY_SLOTS = 3;

interface Life {
  readonly rules: Partial<MonitorConfig>;
  /** The status of the target in each slot and region. */
  readonly statuses: readonly Readonly<Record<string, CheckStatus>>[];
  /** For each slot, the event midway between it and the next slot. */
  readonly acts: readonly Act[];
  /** The status of the monitor's dependency in each slot. null if it has no dependency. */
  readonly parent: readonly CheckStatus[] | null;
}

/** Three cases: no retries, two tries that both fit into the interval, and two tries of which only one fits. */
const RETRIES = [
  { retries: 0 },
  { retries: 1, budgetMs: 20_000 },
  { retries: 1, budgetMs: 100_000 },
] as const;

/** Returns the outcome of a slot whose target is down, after all tries of a probe. */
function afterTries(retries: number): StepOutcome {
  const down = outcomeOf('down');
  const failed = down.attempts.map((one) => ({ ...one, failure: down.failure }));
  return { ...down, attempts: Array.from({ length: retries + 1 }, () => failed).flat() };
}

/**
 * Generates a history. It has long steady times, so that watches run between events. Some histories are unsteady for a
 * while.
 */
function imagineLife(seed: number): Life {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[], otherwise: Item): Item =>
    items[Math.floor(random() * items.length)] ?? otherwise;
  const now = new Map<string, CheckStatus>(REGIONS.map((region) => [region, 'up']));
  const isRestless = random() < 0.5;
  const isLong = random() < 0.5;
  const statuses = Array.from({ length: SLOTS + 1 }, (_, slot) => {
    const [fails, recovers] =
      isRestless && slot % 25 < 12 ? [0.5, 0.5] : [0.04, isLong ? 0.1 : 0.3];
    for (const region of REGIONS) {
      const isUp = now.get(region) === 'up';
      if (random() < (isUp ? fails : recovers))
        now.set(region, pick(['down', 'degraded', 'up'], 'up'));
    }
    return Object.fromEntries(now);
  });
  const acts = statuses.map((): Act => (random() < 0.15 ? pick<Act>(ACTS, 'none') : 'none'));
  const hasParent = random() < 0.3;
  const parent = statuses.map((): CheckStatus => (random() < 0.3 ? 'down' : 'up'));
  const remindEveryMinutes = pick([null, 3, 8], null);
  // Adds faults only if no decision can fall into a fault. Otherwise, the runs with and without watches might store
  // different data.
  if (!isRestless && remindEveryMinutes === null) quieten(statuses, acts, random);
  const channels = { channels: [], targets: [MAIL], onFailure: true, onRecovery: true };
  const rules = {
    quorum: pick([1, 2], 1),
    failuresBeforeDown: pick([1, 2], 1),
    successesBeforeUp: pick([1, 3], 1),
    ...pick<(typeof RETRIES)[number]>(RETRIES, RETRIES[0]),
    alerts: { ...channels, onDegraded: random() < 0.5, remindEveryMinutes },
  };
  return { rules, statuses, acts, parent: hasParent ? parent : null };
}

/**
 * Adds times in which probes are lost, or the API and the database are unavailable. Nothing else happens in these
 * times.
 */
function quieten(statuses: Life['statuses'][number][], acts: Act[], random: () => number): void {
  for (let from = 2; from + 2 * AWAY_SLOTS < acts.length; from += 2 * AWAY_SLOTS + 6) {
    const steady = statuses[from - 2] ?? {};
    for (let slot = from - 1; slot <= from + 2 * AWAY_SLOTS; slot += 1) {
      statuses[slot] = steady;
      acts[slot] = 'none';
    }
    acts[from + 2] = random() < 0.5 ? 'away' : 'lost probes';
  }
}

/** Runs the history. Returns what was recorded. Times are numbers of slots since the start. */
async function play(service: VirtualService, id: string, life: Life) {
  const anchorMs = service.nowMs();
  let config = monitorConfig(id, { anchorMs, regions: REGIONS, ...life.rules });
  const slotOf = (atMs: number) => Math.floor((atMs - anchorMs) / MINUTE_MS);
  const { retries = 0 } = life.rules;
  service.answer(id, async (step) => {
    // Waits, because two requested checks within the same millisecond would have the same slot.
    await service.sleep(1);
    const [slot, region] = [slotOf(step.slotMs), REGIONS.indexOf(step.region)];
    const status = life.statuses[slot]?.[step.region] ?? 'up';
    const outcome = status === 'down' ? afterTries(retries) : outcomeOf(status);
    return { ...outcome, responseTimeMs: slot + region / 10 };
  });
  const parentId = `${id}_parent`;
  if (life.parent !== null) {
    service.answer(parentId, (step) => outcomeOf(life.parent?.[slotOf(step.slotMs)] ?? 'up'));
    config = { ...config, dependsOn: [parentId] };
    const lone = { anchorMs: anchorMs + MINUTE_MS / 4, regions: REGIONS.slice(0, 1) };
    await service.gateway.configureMonitor(monitorConfig(parentId, lone));
  }
  const ownChecks = () => service.ledger.checks.filter(({ monitorId }) => monitorId === id);
  const configure = async (change: Partial<MonitorConfig>): Promise<void> => {
    const savedAtMs = service.nowMs();
    config = { ...config, ...change, version: config.version + 1, savedAtMs };
    await service.gateway.configureMonitor(config);
  };
  await service.gateway.configureMonitor(config);
  await service.until('the first check', () => ownChecks().length > 0);
  await service.pass(MINUTE_MS / 2);
  let rest = { fromMs: 0, toMs: 0, isChecked: true };
  const isChecked = (slotMs: number): boolean =>
    config.paused ||
    (!rest.isChecked && slotMs >= rest.fromMs && slotMs < rest.toMs) ||
    isRecorded(slotMs);
  const isRecorded = (slotMs: number): boolean =>
    ownChecks().some((record) => record.slotMs === slotMs && record.outcomes.length === 2);
  for (const [index, act] of life.acts.entries()) {
    await service.until(`slot ${index}`, () => isChecked(anchorMs + index * MINUTE_MS));
    const nowMs = service.nowMs();
    if (act === 'pause') await configure({ paused: true, pausedAtMs: nowMs });
    if (act === 'resume') await configure({ paused: false, pausedAtMs: null });
    if (act === 'edit') await configure({ revision: config.revision + 1 });
    if (act === 'rule') await configure({ failuresBeforeDown: 3 - config.failuresBeforeDown });
    if (act === 'run now') {
      const request = { requestId: `request-${index}`, requestedAtMs: nowMs };
      await service.gateway.checkMonitorNow(config, request);
    }
    if ((act === 'mute' || act === 'rest') && nowMs > rest.toMs) {
      const mode = act === 'mute' ? 'mute' : 'pause';
      const fromMs = anchorMs + (slotOf(nowMs) + 1.7) * MINUTE_MS;
      const span = { fromMs, toMs: fromMs + 4 * MINUTE_MS };
      const spans = [{ windowId: 'mnt_1', mode, ...span }] as const;
      rest = { ...span, isChecked: act === 'mute' };
      await service.gateway.planMaintenance('monitor', id, { asOfMs: nowMs, spans });
    }
    if (act === 'acknowledge' || act === 'snooze') await silence(act, index);
    if (act === 'away') {
      service.ledger.isAway = true;
      await service.pass(AWAY_SLOTS * MINUTE_MS);
      service.ledger.isAway = false;
    }
    if (act === 'lost probes') await service.withoutProbes(() => service.pass(0.3 * MINUTE_MS));
    await service.pass(Math.max(0, anchorMs + (index + 1.5) * MINUTE_MS - service.nowMs()));
  }
  await service.until('the last slot', () => isChecked(anchorMs + life.acts.length * MINUTE_MS));
  await service.gateway.removeMonitor(id);
  if (life.parent !== null) await service.gateway.removeMonitor(parentId);
  return { records: settledSlots().map(readable), alerts: alertsOf() };

  async function silence(act: 'acknowledge' | 'snooze', sequence: number): Promise<void> {
    const incidentId = ownChecks().at(-1)?.currentIncidentId ?? null;
    if (incidentId === null) return;
    await service.gateway.silence('monitor', id, {
      incidentId,
      sequence,
      isAcknowledged: act === 'acknowledge',
      snoozedUntilMs: act === 'snooze' ? service.nowMs() + 4.25 * MINUTE_MS : null,
    });
  }

  /**
   * Returns the last record of each slot. A slot may have several records: when a watch ends, the workflow records
   * slots that one region has already stored.
   */
  function settledSlots() {
    const last = new Map(ownChecks().map((record) => [`${record.slotMs} ${record.kind}`, record]));
    return [...last.values()];
  }

  function readable(record: (typeof service.ledger.checks)[number]) {
    const at = (ms: number | null) => (ms === null ? null : slotOf(ms));
    return {
      slot: slotOf(record.slotMs),
      what: [record.kind, record.trigger, record.revision, record.requestIds ?? []],
      outcomes: record.outcomes
        .map(({ region, outcome: { status, responseTimeMs, attempts } }) =>
          [region, status, responseTimeMs, attempts.length].join(' '),
        )
        .toSorted(),
      gap: record.gap,
      excludedPeriods: record.excludedPeriods.map(({ state, fromMs, toMs }) => [
        state,
        at(fromMs),
        at(toMs),
      ]),
      health: [record.health, at(record.healthSinceMs), record.inMaintenance],
      regions: record.regionsHealth.map(({ region, health, sinceMs, lastResponseTimeMs }) =>
        [region, health, at(sinceMs), lastResponseTimeMs].join(' '),
      ),
      incident: [record.incident !== null, record.currentIncidentId !== null],
      next: at(record.nextSlotMs),
    };
  }

  function alertsOf() {
    return service.ledger.tries
      .filter(({ alert }) => alert.resourceId === id)
      .map(({ alert }) => [alert.kind, slotOf(alert.atMs), alert.health, alert.regions]);
  }
}

/** Runs all histories, one after the other. */
async function playAll(mayBeWatched: boolean) {
  const service = await startVirtualService(REGIONS, { mayBeWatched });
  try {
    const lives = [];
    for (let count = 0; count < LIVES; count += 1)
      lives.push({
        seed: SEED + count,
        ...(await play(service, `mon_${count}`, imagineLife(SEED + count))),
      });
    return { lives, watched: service.ledger.watchedRows.length };
  } finally {
    await service.stop();
  }
}

test('watches and full checks leave the same records and alerts in random histories', async () => {
  const watched = await playAll(true);
  const full = await playAll(false);
  expect(watched.lives).toEqual(full.lives);
  expect(watched.watched).toBeGreaterThan(0);
  expect(full.watched).toBe(0);
});
