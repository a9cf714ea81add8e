/** Writes 90 days of made-up history for the demo's resources directly into its temporary database. */
import { ON_CALL_NAME } from '../demo/demo-resources';
import { makeUpChecks, makeUpPast, type PastSubject } from '../demo/made-up-past';
import {
  DAY_MS,
  EMPTY_SUMMARY,
  findPeriodStart,
  HOUR_MS,
  type Summary,
  summarise,
} from '../domain/health/summary';
import { connectDatabase, type Past, seedHistory } from '../models';
import { createLogger } from '../platform/logger';

export interface Seeded extends PastSubject {
  readonly kind: Past['kind'];
  readonly id: string;
}

export async function seedDemo(databaseUri: string, seeded: readonly Seeded[]): Promise<void> {
  const database = await connectDatabase(databaseUri, { logger: createLogger('demo', 'error') });
  try {
    const nowMs = Date.now();
    // Runs in parallel, so that this process prepares rows while the database stores others.
    await Promise.all(seeded.map((one) => seedHistory(database.models, buildPast(one, nowMs))));
  } finally {
    await database.close();
  }
}

/** Single checks are stored at least so long before and after an outage, because charts of outages show them. */
const AROUND_MS = 900_000;

/** Builds the past of a resource. It ends at `nowMs`. */
export function buildPast({ kind, id, ...subject }: Seeded, nowMs: number): Past {
  const { fromMs, outages, hours, weight } = makeUpPast(subject, nowMs);
  const around = outages.map((outage) => ({
    fromMs: findPeriodStart(HOUR_MS, outage.fromMs - AROUND_MS),
    toMs: findPeriodStart(HOUR_MS, outage.toMs + AROUND_MS) + HOUR_MS,
  }));
  return {
    kind,
    id,
    fromMs,
    outages,
    hours: hours.map((times) => buildSummary(times, weight)),
    // Windows of up to a day are computed from single checks.
    spans: [...around, { fromMs: nowMs - DAY_MS, toMs: nowMs }],
    checks: (region, span) =>
      makeUpChecks({ ...subject, name: `${subject.name} ${region}` }, span, outages),
    responder: `${ON_CALL_NAME} (API key)`,
  };
}

/** Sums up an hour. Each of its samples counts as `weight` checks. */
function buildSummary(times: readonly number[], weight: number): Summary {
  const passed = times.map((responseTimeMs) => ({ status: 'up' as const, responseTimeMs }));
  const { counts, latency } = summarise(passed, [], { fromMs: 0, toMs: HOUR_MS });
  const { sum, histogram } = latency;
  const weighted = [...histogram].map(([bucket, count]) => [bucket, count * weight] as const);
  return {
    ...EMPTY_SUMMARY,
    counts: { ...counts, up: counts.up * weight },
    latency: { ...latency, sum: sum * weight, histogram: new Map(weighted) },
  };
}
