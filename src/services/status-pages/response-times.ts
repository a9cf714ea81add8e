/** Reads the response times of an item of a status page over the last 24 hours. */
import {
  findPeriodStart,
  HOUR_MS,
  latencyAt,
  mergeSummaries,
  type Summary,
} from '../../domain/health/summary';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import type { Dependencies } from '../ports/dependencies';
import { regionsWithResults } from '../regions/regions';

export interface PublicResponseTimes {
  /** The median over all passed checks of all regions. */
  readonly medianMs: number;
  /** The median of each hour, the oldest hour first. null for an hour in which nothing was measured. */
  readonly hours: readonly (number | null)[];
}

const HOURS = 24;

/** Returns the response times of the last 24 hours. null if nothing was measured, as is the case for heartbeats. */
export async function readResponseTimes(
  needs: Dependencies,
  resource: Resource,
  status: StoredStatus | null,
): Promise<PublicResponseTimes | null> {
  const endMs = findPeriodStart(HOUR_MS, needs.clock.now()) + HOUR_MS;
  const spans = Array.from({ length: HOURS }, (_, index) => {
    const fromMs = endMs - (HOURS - index) * HOUR_MS;
    return { fromMs, toMs: fromMs + HOUR_MS };
  });
  const regions = await regionsWithResults(needs, resource, undefined);
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

function computeMedian(summary: Summary): number | null {
  const [median] = latencyAt(summary, [0.5]);
  return median ?? null;
}
