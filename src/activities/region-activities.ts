/**
 * Says whether a region has a probe that takes work, for checks that waited for one in vain. However many ask at a
 * time, the server is asked once a second for each region.
 */
import type { RegionActivities } from '../contracts/activities';

/** A probe that is behind with its work asks for more whenever it has ended some. */
const ASKED_WITHIN_MS = 5_000;
const SAME_FOR_MS = 1_000;

export interface RegionNeeds {
  /** When somebody last asked for work of the region, by the server's clock; null: nobody did. */
  readonly readLastPollMs: (region: string) => Promise<number | null>;
  readonly nowMs: () => number;
}

/** A clock that differs from the server's by more than five seconds makes every region look unserved. */
export function createRegionActivities({ readLastPollMs, nowMs }: RegionNeeds): RegionActivities {
  const known = new Map<string, { readonly atMs: number; readonly isServed: Promise<boolean> }>();
  const ask = async (region: string): Promise<boolean> => {
    const askedMs = await readLastPollMs(region);
    return askedMs !== null && Math.abs(nowMs() - askedMs) <= ASKED_WITHIN_MS;
  };
  return {
    isRegionServed: (region) => {
      const newest = known.get(region);
      if (newest !== undefined && nowMs() - newest.atMs < SAME_FOR_MS) return newest.isServed;
      const isServed = ask(region);
      known.set(region, { atMs: nowMs(), isServed });
      return isServed;
    },
  };
}
