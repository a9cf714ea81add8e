/** Reads the response times of an item of a status page over the last 24 hours. */
import {
  computeLatencies,
  DAY_MS,
  findPeriodStart,
  HOUR_MS,
  mergeSummaries,
  type Summary,
  type TimeSpan,
} from '../../domain/health/summary';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import type { Dependencies } from '../ports/dependencies';
import { listRegionsWithResults } from '../regions/regions';

export interface PublicResponseTimes {
  /** The median over all passed checks of all regions. */
  readonly medianMs: number;
  /** The median of each hour, the oldest hour first. null for an hour in which nothing was measured. */
  readonly hours: readonly (number | null)[];
}

/**
 * Returns the response times of the last 24 hours. null if nothing was measured, as for heartbeats. The window is the
 * same as for uptime, so the medians are equal.
 */
export async function readResponseTimes(
  needs: Dependencies,
  resource: Resource,
  status: StoredStatus | null,
): Promise<PublicResponseTimes | null> {
  const spans = splitDay(needs.clock.now());
  const regions = await listRegionsWithResults(needs, resource, undefined);
  const perRegion = await Promise.all(
    regions.map((region) =>
      needs.stores.summaries.sumUp(resource.accountId, {
        id: resource.id,
        region,
        spans,
        summarisedUntilMs: status?.summarisedUntilMs ?? 0,
      }),
    ),
  );
  const hours = spans.map((_span, index) =>
    mergeSummaries(perRegion.flatMap((summaries) => summaries[index] ?? [])),
  );
  const medianMs = computeMedian(mergeSummaries(hours));
  return medianMs === null ? null : { medianMs, hours: hours.map(computeMedian) };
}

/** Splits the day that ends at `toMs` into hours. The first and the last part may be shorter than an hour. */
function splitDay(toMs: number): readonly TimeSpan[] {
  const fromMs = toMs - DAY_MS;
  const spans: TimeSpan[] = [];
  for (let start = findPeriodStart(HOUR_MS, fromMs); start < toMs; start += HOUR_MS)
    spans.push({ fromMs: Math.max(start, fromMs), toMs: Math.min(start + HOUR_MS, toMs) });
  return spans;
}

function computeMedian(summary: Summary): number | null {
  const [median] = computeLatencies(summary, [0.5]);
  return median ?? null;
}
