/** Counts lost checks: slots of a monitor without a measured result. */
import type { Result } from './service-client';

/** The codes of results for slots that were not checked. */
const LOST: ReadonlySet<string> = new Set(['missed', 'region_unavailable', 'worker_lost']);
/**
 * A slot without a result counts as lost only after this time, because its result may be read late. The demo reads
 * results once a second. After an interruption, it reads the newest slots first.
 */
const COUNTED_AFTER_MS = 30_000;

export interface LostChecks {
  readonly observe: (monitorId: string, results: readonly Result[]) => void;
  readonly count: () => { readonly made: number; readonly lost: number };
}

export function createLostChecks(intervalMs: number): LostChecks {
  /** Slots that were checked, by monitor and region. */
  const checked = new Map<string, Set<number>>();
  return {
    observe(monitorId, results) {
      for (const { slot, kind, region, failure } of results) {
        if (kind !== 'scheduled' || LOST.has(failure?.code ?? '')) continue;
        const grid = `${monitorId} ${region}`;
        checked.set(grid, (checked.get(grid) ?? new Set()).add(Date.parse(slot)));
      }
    },
    count() {
      const all = [...checked.values()];
      const made = all.reduce((sum, { size }) => sum + size, 0);
      return { made, lost: all.reduce((sum, slots) => sum + missingIn(slots, intervalMs), 0) };
    },
  };
}

/** Counts the missing slots up to the newest slot that counts. */
function missingIn(slots: ReadonlySet<number>, intervalMs: number): number {
  const newestMs = Math.max(...slots);
  let missing = 0;
  for (let atMs = Math.min(...slots); atMs <= newestMs - COUNTED_AFTER_MS; atMs += intervalMs)
    if (!slots.has(atMs)) missing += 1;
  return missing;
}
