/** Writes 90 days of made-up history for the demo's resources directly into its temporary database. */
import { type MadeUpPast, makeUpPast, type PastSubject } from '../demo/made-up-past';
import { EMPTY_SUMMARY, HOUR_MS, type Summary, summarise } from '../domain/health/summary';
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
    for (const { kind, id, ...subject } of seeded) {
      const { fromMs, outages, hours } = makeUpPast(subject, nowMs);
      const summaries = hours.map((hour) => buildSummary(hour));
      const checks = recentChecks(fromMs, hours);
      await seedHistory(database.models, { kind, id, fromMs, outages, hours: summaries, checks });
    }
  } finally {
    await database.close();
  }
}

/** For how many hours before now single checks are written. Windows of up to a day are computed from single checks. */
const RECENT_HOURS = 25;

function recentChecks(fromMs: number, hours: MadeUpPast['hours']): Past['checks'] {
  const first = hours.length - RECENT_HOURS;
  return hours.slice(first).flatMap(({ times }, index) => {
    const hourMs = fromMs + (first + index) * HOUR_MS;
    const everyMs = HOUR_MS / times.length;
    return times.map((responseTimeMs, at) => ({ slotMs: hourMs + at * everyMs, responseTimeMs }));
  });
}

function buildSummary({ times, failed }: MadeUpPast['hours'][number]): Summary {
  const passed = times.map((responseTimeMs) => ({ status: 'up' as const, responseTimeMs }));
  const { counts, ...rest } = summarise(passed, [], { fromMs: 0, toMs: HOUR_MS });
  return { ...EMPTY_SUMMARY, ...rest, counts: { ...counts, down: failed } };
}
