/** Reads the last slots of resources, for the bars in lists. */
import type { CheckStatus } from '../../contracts/outcome';
import type { RecentResult } from '../../models/operations/overview';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import type { RecentSlot } from '../../schemas/responses/resources';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';

/** The option of list requests that includes recent slots. */
export interface RecentRequest {
  readonly include?: 'recent' | undefined;
}

const SLOTS = 30;
/** Maximum number of parallel reads per request. */
const READS_AT_ONCE = 32;
/**
 * Clocks of processes differ by less than this. A change that is older cannot be followed by another change with the
 * same time.
 */
const CLOCK_SKEW_MS = 6_000;
const BADNESS: Record<CheckStatus, number> = { up: 0, unknown: 1, degraded: 2, down: 3 };

/**
 * Returns at most 30 slots per resource id, oldest first. The statuses must be read before this call. Results are
 * stored before statuses, so no result that a status contains can be missing.
 */
export async function findRecentSlots(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  resources: readonly Resource[],
  statusById: ReadonlyMap<string, Pick<StoredStatus, 'changedAtMs'>>,
): Promise<ReadonlyMap<string, readonly RecentSlot[]>> {
  const found = new Map<string, RecentResult[]>(resources.map(({ id }) => [id, []]));
  const unchangedBeforeMs = clock.now() - CLOCK_SKEW_MS;
  const reads = resources
    .flatMap(({ id, accountId, regions }) => regions.map((region) => ({ id, accountId, region })))
    .values();
  const runWorker = async (): Promise<void> => {
    for (const { id, accountId, region } of reads) {
      const changedAtMs = statusById.get(id)?.changedAtMs ?? Number.POSITIVE_INFINITY;
      const unchangedSinceMs = changedAtMs < unchangedBeforeMs ? changedAtMs : null;
      const query = { id, region, limit: SLOTS, unchangedSinceMs };
      const results = await stores.overview.newestResults(accountId, query);
      found.get(id)?.push(...results);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, runWorker));
  return new Map([...found].map(([id, results]) => [id, groupSlots(results)]));
}

/** Returns the newest slots, oldest first. Each slot has the worst result of all regions. */
function groupSlots(results: readonly RecentResult[]): readonly RecentSlot[] {
  const bySlot = new Map<number, RecentResult>();
  for (const result of results) {
    const other = bySlot.get(result.slotMs);
    bySlot.set(result.slotMs, other === undefined ? result : pickWorse(other, result));
  }
  return [...bySlot.values()]
    .sort((a, b) => a.slotMs - b.slotMs)
    .slice(-SLOTS)
    .map(({ slotMs, status, responseTimeMs }) => ({
      at: toInstant(slotMs),
      status,
      responseTimeMs,
    }));
}

function pickWorse(one: RecentResult, other: RecentResult): RecentResult {
  const { slotMs } = one;
  const { status } = BADNESS[one.status] >= BADNESS[other.status] ? one : other;
  const times = [one.responseTimeMs, other.responseTimeMs].filter((time) => time !== null);
  return { slotMs, status, responseTimeMs: times.length === 0 ? null : Math.max(...times) };
}
