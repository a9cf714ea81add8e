/**
 * Generates random histories of a monitor: what its workflow would send to the database, with reordered and repeated
 * deliveries. Computes the expected uptime in the simplest way.
 */
import fc from 'fast-check';
import type { CheckStatus } from '../../../src/contracts/outcome';
import type { ExcludedPeriod, Gap, MonitorCheckRecord } from '../../../src/contracts/records';
import type { HealthState } from '../../../src/contracts/workflows';
import { createPendingHealth, nextHealth } from '../../../src/domain/health/health';
import { passingOutcome } from '../../models/example-records';

const REGIONS = ['eu-west', 'us-east'] as const;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 5, 22, 17, 0);

type Record_ = Omit<MonitorCheckRecord, 'accountId' | 'monitorId'>;

export interface Question {
  readonly fromMs: number;
  readonly toMs: number;
  readonly region: string | null;
}

export interface History {
  readonly createdAtMs: number;
  readonly intervalMs: number;
  readonly records: readonly Record_[];
  readonly deliveries: readonly Record_[];
  readonly crashes: readonly number[];
  readonly nowMs: number;
  readonly questions: readonly Question[];
}

const act = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('check' as const),
      statuses: fc.tuple(statusOf(), statusOf()),
      times: fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 5_000 })),
      inMaintenance: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('miss' as const), slots: slotCount() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), slots: slotCount() }) },
);

function statusOf(): fc.Arbitrary<CheckStatus> {
  return fc.constantFrom('up', 'up', 'up', 'up', 'degraded', 'down', 'unknown');
}

function slotCount(): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 40 });
}

type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

export const histories: fc.Arbitrary<History> = fc
  .record({
    intervalMs: fc.constantFrom(60_000, 300_000, HOUR_MS),
    acts: fc.array(act, { minLength: 3, maxLength: 90 }),
    shifts: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 90 }),
    repeats: fc.array(fc.nat(90), { maxLength: 8 }),
    crashes: fc.array(fc.nat(400), { maxLength: 12 }),
    questions: fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(null, ...REGIONS),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    rounding: fc.constantFrom(1, 60_000, HOUR_MS),
  })
  .map(({ intervalMs, acts, shifts, repeats, crashes, questions, rounding }) => {
    const records = recordsOf(acts, intervalMs);
    const nowMs = (records.at(-1)?.slotMs ?? START_MS) + intervalMs / 2;
    return {
      createdAtMs: START_MS,
      intervalMs,
      records,
      deliveries: deliveriesOf(records, shifts, repeats),
      crashes,
      nowMs,
      questions: [
        { fromMs: START_MS - 5_000, toMs: nowMs, region: null },
        ...questions.map(([a, b, region]) => questionOf([a, b], { nowMs, rounding, region })),
      ],
    };
  });

function questionOf(
  [a, b]: readonly [number, number],
  { nowMs, rounding, region }: { nowMs: number; rounding: number; region: string | null },
): Question {
  const at = (share: number) =>
    Math.round((START_MS + share * (nowMs - START_MS)) / rounding) * rounding;
  const fromMs = Math.min(at(a), at(b));
  return { fromMs, toMs: Math.max(at(a), at(b), fromMs + 1), region };
}

/**
 * Creates records as the workflow does. The reducer computes the health. Gaps and pauses are reported with the next
 * slot.
 */
function recordsOf(acts: readonly Act[], intervalMs: number): readonly Record_[] {
  const records: Record_[] = [];
  let slotMs = START_MS - intervalMs;
  let health: HealthState = createPendingHealth(START_MS);
  let missed = 0;
  let excludedPeriods: ExcludedPeriod[] = [];
  for (const step of acts) {
    if (step.kind === 'miss') {
      if (records.length > 0) missed += step.slots;
      continue;
    }
    if (step.kind === 'pause') {
      if (records.length === 0 || missed > 0 || excludedPeriods.length > 0) continue;
      const fromMs = slotMs + Math.floor(intervalMs / 3);
      slotMs += step.slots * intervalMs;
      excludedPeriods = [{ state: 'paused', fromMs, toMs: slotMs + Math.floor(intervalMs / 3) }];
      continue;
    }
    const gap: Gap | null =
      missed === 0
        ? null
        : {
            reason: 'missed',
            fromSlotMs: slotMs + intervalMs,
            toSlotMs: slotMs + missed * intervalMs,
            slots: missed,
          };
    slotMs += (missed + 1) * intervalMs;
    const observations = REGIONS.map((region, index) => ({
      region,
      status: step.statuses[index] ?? 'unknown',
      responseTimeMs: step.times[index] ?? null,
    }));
    health = nextHealth(
      health,
      { atMs: slotMs, observations },
      { quorum: 1, failuresBeforeDown: 2, successesBeforeUp: 1 },
    );
    records.push({
      revision: 1,
      kind: 'scheduled',
      trigger: 'schedule',
      slotMs,
      outcomes: observations.map(({ region, status, responseTimeMs }) => ({
        region,
        outcome: passingOutcome({ status, responseTimeMs }),
      })),
      gap,
      excludedPeriods,
      incident: null,
      currentIncidentId: null,
      inMaintenance: step.inMaintenance,
      health: health.health,
      healthSinceMs: health.sinceMs,
      regionsHealth: health.regions,
      nextSlotMs: slotMs + intervalMs,
    });
    missed = 0;
    excludedPeriods = [];
  }
  return records;
}

/** Returns the records in the order of delivery. Some records are delivered late, and some twice. */
function deliveriesOf(
  records: readonly Record_[],
  shifts: readonly number[],
  repeats: readonly number[],
): readonly Record_[] {
  const shifted = records
    .map((record, index) => ({ record, place: index + (shifts[index] ?? 0) }))
    .sort((a, b) => a.place - b.place)
    .map(({ record }) => record);
  return [...shifted, ...repeats.flatMap((index) => shifted[index] ?? [])];
}

/** Computes the uptime. Evaluates every instant at which anything happens, and every single check. */
export function naiveUptime({ records, createdAtMs, nowMs }: History, question: Question) {
  const { region } = question;
  const fromMs = Math.max(question.fromMs, createdAtMs);
  const toMs = Math.min(question.toMs, nowMs);
  const edges = [
    fromMs,
    toMs,
    ...records.flatMap(({ slotMs, gap, excludedPeriods }) => [
      slotMs,
      ...(gap === null ? [] : [gap.fromSlotMs]),
      ...excludedPeriods.flatMap((period) => [period.fromMs, period.toMs]),
    ]),
  ]
    .filter((edge) => edge >= fromMs && edge <= toMs)
    .sort((a, b) => a - b);
  const seconds = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, unknown: 0 };
  for (const [index, edge] of edges.entries()) {
    const end = edges[index + 1] ?? edge;
    seconds[stateAt(records, edge, region)] += (end - edge) / 1000;
  }
  const observed = seconds.up + seconds.degraded + seconds.down;
  return {
    seconds,
    availability: observed === 0 ? null : (100 * (observed - seconds.down)) / observed,
    ...countChecks(records, question),
  };
}

function stateAt(records: readonly Record_[], atMs: number, region: string | null) {
  const isPaused = records.some(({ excludedPeriods }) =>
    excludedPeriods.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs),
  );
  if (isPaused) return 'paused';
  const isMissed = records.some(
    ({ gap, slotMs }) => gap !== null && gap.fromSlotMs <= atMs && atMs < slotMs,
  );
  if (isMissed) return 'unknown';
  const last = records.filter(({ slotMs }) => slotMs <= atMs).at(-1);
  const health =
    region === null
      ? last?.health
      : last?.regionsHealth.find((entry) => entry.region === region)?.health;
  return health === undefined || health === 'pending' ? 'unknown' : health;
}

function slotsOf(gap: Gap | null): readonly number[] {
  if (gap === null) return [];
  const intervalMs = gap.slots === 1 ? 0 : (gap.toSlotMs - gap.fromSlotMs) / (gap.slots - 1);
  return Array.from({ length: gap.slots }, (_, slot) => gap.fromSlotMs + slot * intervalMs);
}

function countChecks(records: readonly Record_[], { fromMs, toMs, region }: Question) {
  const isInside = (atMs: number) => atMs >= fromMs && atMs < toMs;
  const regions = region === null ? REGIONS : [region];
  const checks = { total: 0, ok: 0, failed: 0, unknown: 0, missed: 0 };
  const times: number[] = [];
  for (const { slotMs, outcomes, gap, inMaintenance } of records) {
    checks.missed += regions.length * slotsOf(gap).filter(isInside).length;
    if (!isInside(slotMs) || inMaintenance) continue;
    for (const { outcome } of outcomes.filter((entry) =>
      regions.includes(entry.region as 'eu-west'),
    )) {
      checks.total += 1;
      if (outcome.status === 'down') checks.failed += 1;
      else if (outcome.status === 'unknown') checks.unknown += 1;
      else {
        checks.ok += 1;
        times.push(outcome.responseTimeMs ?? 0);
      }
    }
  }
  times.sort((a, b) => a - b);
  const rank = (share: number) => times[Math.max(1, Math.ceil(share * times.length)) - 1] ?? null;
  return {
    checks,
    min: times[0] ?? null,
    max: times.at(-1) ?? null,
    avg: times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length,
    p50: rank(0.5),
    p99: rank(0.99),
  };
}
