/**
 * Lists the time grids that have changed since the probe last asked. The running watches of the probe continue on the
 * new grids. Monitors with several regions are left out, because their workflow must change all regions at the same
 * time.
 */
import type { AliveResponse } from '../../contracts/probe-protocol';
import type { Dependencies } from '../ports/dependencies';

/** Each change is listed again for this long, because a new grid is stored some time after its start. */
const REPEATED_FOR_MS = 10_000;
const GRIDS_MAX = 1_000;

interface Question {
  readonly region: string;
  /** The cursor of the last response. With 0, nothing is listed, because each watch gets its grid when it is opened. */
  readonly changedSinceMs: number;
}

/**
 * Returns the grids that have changed since the cursor, the oldest change first. If there are too many, the next call
 * continues.
 */
export async function listMovedGrids(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  { region, changedSinceMs: sinceMs }: Question,
): Promise<AliveResponse> {
  const repeatedMs = clock.now() - REPEATED_FOR_MS;
  if (sinceMs === 0) return { moved: [], changedSinceMs: repeatedMs };
  const moved = await stores.watchedResults.listMovedSince({ region, sinceMs, limit: GRIDS_MAX });
  const lastMs = moved.length < GRIDS_MAX ? undefined : moved.at(-1)?.anchorMs;
  return {
    moved,
    changedSinceMs: lastMs === undefined ? repeatedMs : Math.max(lastMs, sinceMs + 1),
  };
}
