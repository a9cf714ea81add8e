/** Uptime of a monitor by plain counts of its results (CONTRACT §7, the part that counts can tell). */
import type { Dependencies } from './dependencies';
import { toInstant } from './instants';
import { regionsWithResults } from './regions-with-results';
import { monitorPort } from './resource-port';
import type { ResultCounts } from './rows';
import { findRow } from './save-resource';

export interface UptimeRequest {
  readonly id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly windowMs: number;
  readonly region?: string | undefined;
}

interface CountedUptime {
  /** Percent of observed checks that passed, 6 decimals; null when nothing was observed. */
  readonly availability: number | null;
  /** The same as a share from 0 to 1. */
  readonly successRatio: number | null;
  readonly checks: {
    readonly total: number;
    readonly ok: number;
    readonly failed: number;
    readonly unknown: number;
    readonly missed: number;
  };
  readonly responseTimeMs: ResultCounts['responseTimeMs'];
}

export interface UptimeAnswer extends CountedUptime {
  readonly monitorId: string;
  readonly from: string;
  readonly to: string;
  readonly byRegion: readonly (CountedUptime & { readonly region: string })[];
}

/** Unknown and missed checks are never counted as failed. `from` is included, `to` is not. */
export async function monitorUptime(
  needs: Dependencies,
  accountId: string,
  request: UptimeRequest,
): Promise<UptimeAnswer> {
  const row = await findRow(monitorPort(needs), accountId, request.id);
  const toMs = request.to ?? needs.clock.now();
  const fromMs = request.from ?? toMs - request.windowMs;
  const regions = await regionsWithResults(needs, row, request.region);
  const countIn = (names: readonly string[]): Promise<ResultCounts> =>
    needs.stores.results.count(accountId, { monitorId: row.id, regions: names, fromMs, toMs });
  const total = await countIn(regions);
  const perRegion = await Promise.all(
    regions.map(async (region) => ({ region, counts: await countIn([region]) })),
  );
  return {
    monitorId: row.id,
    from: toInstant(fromMs),
    to: toInstant(toMs),
    ...present(total),
    byRegion: perRegion
      .filter(({ region, counts }) => counts.total > 0 || row.regions.includes(region))
      .map(({ region, counts }) => ({ region, ...present(counts) })),
  };
}

function present(counts: ResultCounts): CountedUptime {
  const ok = counts.up + counts.degraded;
  const observed = ok + counts.down;
  const { avg } = counts.responseTimeMs;
  const ratio = observed === 0 ? null : ok / observed;
  return {
    availability: ratio === null ? null : round6(ratio * 100),
    successRatio: ratio === null ? null : round6(ratio),
    checks: {
      total: counts.total,
      ok,
      failed: counts.down,
      unknown: counts.unknown,
      missed: counts.missed,
    },
    responseTimeMs: {
      ...counts.responseTimeMs,
      avg: avg === null ? null : Math.round(avg * 100) / 100,
    },
  };
}

function round6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
