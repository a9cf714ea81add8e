/**
 * Says every other second that pings can be taken, so that a time in which they could not is known
 * afterwards and held against no job. Where there are no heartbeats it says nothing, and writes nothing.
 */
import type { Stores } from '../../models/stores';
import type { Dependencies } from '../ports/dependencies';

const EVERY_MS = 2_000;
/** A process that begins has taken no pings since the last one said so. */
const FIRST_PAUSE_MS_MAX = 3_000;
/** Longer than a busy process may take. */
const PAUSE_MS_MAX = 10_000;

interface Needs extends Pick<Dependencies, 'clock'> {
  /** Milliseconds that only ever grow. */
  readonly steadyNow: () => number;
  readonly stores: {
    readonly monitors: Pick<Stores['monitors'], 'hasHeartbeats'>;
    readonly presence: Pick<Stores['presence'], 'note'>;
  };
}

/** Ends with the function that it returns. While the database is away nothing is said. */
export function keepPresence({ stores, clock, steadyNow }: Needs): () => void {
  let notedAtMs: number | null = null;
  const say = (): void => {
    const sinceMs = steadyNow();
    void noteWhereNeeded(stores, clock.now(), pauseMsMax(notedAtMs, sinceMs)).then(
      (isNoted) => {
        if (isNoted) notedAtMs = sinceMs;
      },
      () => undefined,
    );
  };
  say();
  const timer = setInterval(say, EVERY_MS);
  timer.unref();
  return (): void => clearInterval(timer);
}

/** Who said so just now was there all the time, whatever the clock has done meanwhile. */
function pauseMsMax(notedAtMs: number | null, nowMs: number): number {
  if (notedAtMs === null) return FIRST_PAUSE_MS_MAX;
  return nowMs - notedAtMs <= PAUSE_MS_MAX ? Number.POSITIVE_INFINITY : PAUSE_MS_MAX;
}

/** False: there is no heartbeat that anything could be held against. */
async function noteWhereNeeded(
  { monitors, presence }: Needs['stores'],
  atMs: number,
  pauseMsMax: number,
): Promise<boolean> {
  if (!(await monitors.hasHeartbeats())) return false;
  await presence.note(atMs, pauseMsMax);
  return true;
}
