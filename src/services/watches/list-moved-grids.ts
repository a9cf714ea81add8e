/**
 * Lists for a probe which monitors were saved since it last asked, so that their watches use the new slots. Leaves out
 * monitors with several regions, whose workflow changes all regions at the same slot.
 */
import type { AliveResponse } from '../../contracts/probe-protocol';
import type { Dependencies } from '../ports/dependencies';

/** Each change is repeated for this time, because it may be stored later than its timestamp. */
const REPEATED_FOR_MS = 10_000;
const GRIDS_MAX = 1_000;

interface Question {
  readonly region: string;
  /** The cursor of the last response. 0: nothing is listed, because each watch gets its grid when it is opened. */
  readonly changedSinceMs: number;
}

/** The oldest changes come first; if there are too many, the next call continues. */
export async function listMovedGrids(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  { region, changedSinceMs: sinceMs }: Question,
): Promise<AliveResponse> {
  const repeatedMs = clock.now() - REPEATED_FOR_MS;
  if (sinceMs === 0) return { moved: [], changedSinceMs: repeatedMs };
  const saved = await stores.watchedResults.listSavedSince(sinceMs, GRIDS_MAX);
  const moved = saved.flatMap(({ savedAtMs: _savedAtMs, regions, ...grid }) =>
    regions.length === 1 && regions[0] === region ? [grid] : [],
  );
  const lastMs = saved.length < GRIDS_MAX ? undefined : saved.at(-1)?.savedAtMs;
  return {
    moved,
    changedSinceMs: lastMs === undefined ? repeatedMs : Math.max(lastMs, sinceMs + 1),
  };
}
