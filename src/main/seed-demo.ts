/** Writes 90 days of made-up history for the demo's resources directly into its temporary database. */
import { type MadeUpHour, makeUpChecks, makeUpPast, type PastSubject } from '../demo/made-up-past';
import { DAY_MS, EMPTY_SUMMARY, HOUR_MS, type Summary, summarise } from '../domain/health/summary';
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

function buildPast({ kind, id, ...subject }: Seeded, nowMs: number): Past {
  const { fromMs, outages, hours, weight } = makeUpPast(subject, nowMs);
  return {
    kind,
    id,
    fromMs,
    outages,
    hours: hours.map((hour) => buildSummary(hour, weight)),
    // Windows of up to a day are computed from single checks.
    checks: (region) =>
      makeUpChecks(
        { ...subject, name: `${subject.name} ${region}` },
        { fromMs: nowMs - DAY_MS, toMs: nowMs },
      ),
  };
}

/** Sums up an hour. Each of its samples counts as `weight` checks. */
function buildSummary({ times, failed }: MadeUpHour, weight: number): Summary {
  const passed = times.map((responseTimeMs) => ({ status: 'up' as const, responseTimeMs }));
  const { counts, latency } = summarise(passed, [], { fromMs: 0, toMs: HOUR_MS });
  const { sum, histogram } = latency;
  const weighted = [...histogram].map(([bucket, count]) => [bucket, count * weight] as const);
  return {
    ...EMPTY_SUMMARY,
    counts: { ...counts, up: counts.up * weight, down: failed * weight },
    latency: { ...latency, sum: sum * weight, histogram: new Map(weighted) },
  };
}
