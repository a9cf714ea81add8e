/** Decides when the hours of a resource are summarised. Each write is idempotent. */
import type { RegionHealth } from '../../contracts/records';
import { findPeriodStart, HOUR_MS } from '../../domain/health/summary';
import type { Owner, SummaryWrites } from '../../models/results/record-writes';

/** A slot after which the hours before it are summarised. */
export interface ClosingSlot extends Owner {
  readonly slotMs: number;
  readonly regionsHealth: readonly Pick<RegionHealth, 'region'>[];
}

interface Closing {
  /** All hours before this instant already have summaries. */
  readonly summarisedUntilMs: number;
  /** `formerRegions` are the regions of earlier checks. `regions` are the regions of this slot. */
  readonly formerRegions: readonly string[];
  readonly regions: readonly string[];
}

/**
 * If the slot is the first one of its hour, summarises the hours before it. The hours of a removed region are
 * summarised at once.
 */
export async function closeHours(
  writes: SummaryWrites,
  { accountId, id, slotMs, regionsHealth }: ClosingSlot,
  { summarisedUntilMs: fromMs, formerRegions, regions }: Closing,
): Promise<void> {
  const hourMs = findPeriodStart(HOUR_MS, slotMs);
  const stays = new Set([...regions, ...regionsHealth.map(({ region }) => region)]);
  const left = formerRegions.filter((region) => !stays.has(region));
  for (const region of left) {
    const span = { fromMs, toMs: hourMs + HOUR_MS, endedMs: hourMs };
    await writes.summariseHours({ accountId, id, region }, span);
  }
  if (fromMs >= hourMs) return;
  for (const region of stays)
    await writes.summariseHours(
      { accountId, id, region },
      { fromMs, toMs: hourMs, endedMs: hourMs },
    );
  await writes.noteSummaries({ accountId, id }, hourMs);
}
