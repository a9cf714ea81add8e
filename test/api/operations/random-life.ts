/**
 * Generates random histories of a monitor, with outages, slots without a result, flapping, maintenance and pauses. Each
 * history passes through the rules of the workflow and is recorded as the workflow records it. The expected figures are
 * counted separately, in the simplest way.
 */
import fc from 'fast-check';
import request from 'supertest';
import type { CheckStatus } from '../../../src/contracts/outcome';
import type { ExcludedPeriod, Gap } from '../../../src/contracts/records';
import { NO_ALERTS } from '../../../src/domain/alerting/alert-policy';
import { nextHeldAlerts } from '../../../src/domain/alerting/held-alerts';
import { createPendingHealth, isResponding, nextHealth } from '../../../src/domain/health/health';
import { failingOutcome, newId, passingOutcome } from '../../models/example-records';
import { arranged } from '../arranged';
import type { TestAccount, TestService } from '../test-service';

export const REGIONS = ['eu-west', 'us-east', 'ap-south'] as const;
const MINUTE_MS = 60_000;

const anyStatus = fc.constantFrom<CheckStatus>('up', 'up', 'up', 'degraded', 'down', 'unknown');
const slots = fc.integer({ min: 1, max: 8 });
const anyAct = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('checks' as const),
      statuses: fc.tuple(anyStatus, anyStatus, anyStatus),
      slots: fc.integer({ min: 1, max: 3 }),
      ms: fc.integer({ min: 1, max: 9_000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('outage' as const), slots }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('flapping' as const), slots }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('interrupted' as const), slots }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('missed' as const), slots }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), slots }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('maintenance' as const), slots }) },
);

export const anyLife = fc.record({
  regions: fc.integer({ min: 1, max: REGIONS.length }),
  quorum: fc.integer({ min: 1, max: 2 }),
  failuresBeforeDown: fc.integer({ min: 1, max: 2 }),
  minutes: fc.constantFrom(1, 10, 120),
  acts: fc.array(anyAct, { minLength: 2, maxLength: 14 }),
  end: fc.constantFrom('running' as const, 'paused' as const, 'maintenance' as const),
});
type Life = typeof anyLife extends fc.Arbitrary<infer Value> ? Value : never;

interface Outage {
  readonly fromMs: number;
  toMs: number | null;
}

/** The expected state of the monitor, computed from the sequence of its healths alone. */
export interface Lived {
  readonly id: string;
  /** Returns the status at an instant after the last slot. */
  readonly statusAt: (nowMs: number) => string;
  /** Sorted from oldest to newest. */
  readonly outages: readonly Outage[];
}

export interface World {
  readonly service: TestService;
  readonly account: TestAccount;
  readonly name: string;
}

/** Runs and records a history. It starts at the current time of the service's clock, and moves the clock forward. */
export async function live({ service, account, name }: World, life: Life): Promise<Lived> {
  const { clock, recorder, app } = service;
  const regions = REGIONS.slice(0, life.regions);
  const quorum = Math.min(life.quorum, life.regions);
  const intervalMs = life.minutes * MINUTE_MS;
  const post = (path: string, body: object) =>
    arranged(request(app).post(path).set('Authorization', `Bearer ${account.key}`).send(body));
  const fields = { interval: intervalMs / 1000, regions: [...regions], quorum };
  const { id } = await post('/v1/monitors', { name, url: 'http://shop.example/', ...fields });
  const startMs = clock.nowMs;
  const outages: Outage[] = [];
  let slotMs = startMs - intervalMs;
  let health = createPendingHealth(startMs);
  let alerts = NO_ALERTS;
  let missed = 0;
  let over: ExcludedPeriod[] = [];
  let maintenanceEndMs: number | null = null;
  let maintainedFromMs = 0;

  const moveTo = (atMs: number): void => {
    clock.nowMs = Math.max(clock.nowMs, atMs);
  };
  const takeGap = (): Gap | null => {
    if (missed === 0) return null;
    const [fromSlotMs, toSlotMs] = [slotMs + intervalMs, slotMs + missed * intervalMs];
    const gap: Gap = { reason: 'missed', fromSlotMs, toSlotMs, slots: missed };
    slotMs = toSlotMs;
    missed = 0;
    return gap;
  };
  const noteHealth = (before: string): void => {
    if (health.health === 'down' && outages.at(-1)?.toMs !== null)
      outages.push({ fromMs: health.sinceMs, toMs: null });
    const open = outages.at(-1);
    if (before !== health.health && isResponding(health.health) && open?.toMs === null)
      open.toMs = health.sinceMs;
  };
  const check = async (statuses: readonly CheckStatus[], ms: number): Promise<void> => {
    const gap = takeGap();
    slotMs += intervalMs;
    moveTo(slotMs + 500);
    if (maintenanceEndMs !== null && maintenanceEndMs <= slotMs) {
      over.push({ state: 'maintenance', fromMs: maintainedFromMs, toMs: maintenanceEndMs });
      maintenanceEndMs = null;
    }
    const inMaintenance = maintenanceEndMs !== null;
    const observations = regions.map((region, index) => ({
      region,
      status: statuses[index] ?? 'up',
      responseTimeMs: ms,
    }));
    const before = health.health;
    health = nextHealth(
      health,
      { atMs: slotMs, observations },
      { quorum, failuresBeforeDown: life.failuresBeforeDown, successesBeforeUp: 1 },
    );
    noteHealth(before);
    const verdict = nextHeldAlerts(
      alerts,
      {
        atMs: slotMs,
        health: health.health,
        healthSinceMs: health.sinceMs,
        opening: {
          id: newId('incident', slotMs),
          cause: { code: 'connection_refused', message: 'The connection was refused.' },
          regions,
          firstRunId: null,
        },
        isMuted: inMaintenance,
      },
      { rules: RULES, dependsOn: [] },
    );
    alerts = verdict.state;
    await recorder.recordMonitorCheck({
      accountId: account.id,
      monitorId: id,
      revision: 1,
      kind: 'scheduled',
      trigger: 'schedule',
      slotMs,
      outcomes: observations.map(({ region, status }) => ({
        region,
        outcome:
          status === 'down' ? failingOutcome() : passingOutcome({ status, responseTimeMs: ms }),
      })),
      gap,
      excludedPeriods: over,
      incident: verdict.changed,
      currentIncidentId: verdict.state.incident?.id ?? null,
      inMaintenance,
      health: health.health,
      healthSinceMs: health.sinceMs,
      regionsHealth: health.regions,
      nextSlotMs: slotMs + intervalMs,
    });
    over = [];
  };
  const pause = async (): Promise<number> => {
    moveTo(slotMs + intervalMs / 3);
    await post(`/v1/monitors/${id}/pause`, {});
    return clock.nowMs;
  };
  const maintain = async (minutes: number): Promise<void> => {
    if (maintenanceEndMs !== null) return;
    moveTo(slotMs + intervalMs / 3);
    await post('/v1/maintenance-windows/now', { minutes, target: { ids: [id] } });
    maintainedFromMs = clock.nowMs;
    maintenanceEndMs = clock.nowMs + minutes * MINUTE_MS;
  };
  await check(all('up'), 100);
  for (const act of life.acts) {
    if (act.kind === 'missed') missed += act.slots;
    else if (act.kind === 'maintenance') await maintain(act.slots * life.minutes);
    else if (act.kind === 'pause') {
      // Slots that were missed before a pause are stored with the next record. So a check is recorded before the pause.
      if (missed > 0) await check(all('up'), 100);
      const fromMs = await pause();
      slotMs += act.slots * intervalMs;
      moveTo(slotMs + intervalMs / 3);
      await post(`/v1/monitors/${id}/resume`, {});
      over.push({ state: 'paused', fromMs, toMs: clock.nowMs });
    } else {
      for (const statuses of statusesOf(act)) await check(statuses, 'ms' in act ? act.ms : 300);
    }
  }
  if (missed > 0) await check(all('unknown'), 100);
  if (life.end === 'paused') await pause();
  if (life.end === 'maintenance') await maintain(60);
  moveTo(slotMs + intervalMs / 2);
  const statusAt = (nowMs: number): string => {
    if (life.end === 'paused') return 'paused';
    return nowMs < (maintenanceEndMs ?? 0) ? 'maintenance' : health.health;
  };
  return { id, statusAt, outages };
}

const RULES = {
  channels: ['default'],
  targets: [],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
};

function all(status: CheckStatus): readonly CheckStatus[] {
  return REGIONS.map(() => status);
}

/** Returns the statuses of the regions for each slot. `interrupted` is an outage with one slot without a result. */
function statusesOf(
  act: Extract<Life['acts'][number], { kind: 'checks' | 'outage' | 'flapping' | 'interrupted' }>,
) {
  const { kind, slots: count } = act;
  const times = (statuses: readonly CheckStatus[]) => Array.from({ length: count }, () => statuses);
  if (kind === 'checks') return times(act.statuses);
  const down = times(all('down'));
  if (kind === 'outage') return down;
  if (kind === 'interrupted') return [...down, all('unknown'), ...down];
  return down.flatMap((statuses) => [statuses, all('up')]);
}

/** The monitor is down before and after a slot without a result, and still down at the end. */
export const INTERRUPTED: Life = {
  regions: 2,
  quorum: 1,
  failuresBeforeDown: 2,
  minutes: 1,
  acts: [
    { kind: 'flapping', slots: 3 },
    { kind: 'interrupted', slots: 4 },
  ],
  end: 'running',
};
