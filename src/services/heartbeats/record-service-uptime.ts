/**
 * Records every two seconds that pings can be received. A ping that is missing while pings could not be received does
 * not count as a failure of its job. Without heartbeats, nothing is written.
 */
import type { Stores } from '../../models/stores';
import type { Dependencies } from '../ports/dependencies';

const EVERY_MS = 2_000;
/** The longest pause before the first record of a process that still counts as uptime. */
const FIRST_PAUSE_MS_MAX = 3_000;
/** The longest pause between two records that still counts as uptime. Even a busy process records more often. */
const PAUSE_MS_MAX = 10_000;

interface Needs extends Pick<Dependencies, 'clock'> {
  /** Returns the milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  readonly stores: {
    readonly monitors: Pick<Stores['monitors'], 'hasHeartbeats'>;
    readonly serviceUptime: Pick<Stores['serviceUptime'], 'note'>;
  };
}

/** Starts recording. The returned function stops it. While the database is unavailable, nothing is recorded. */
export function recordServiceUptime({ stores, clock, steadyNow }: Needs): () => void {
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

/**
 * Returns the longest pause that counts as uptime. There is no limit if this process made its last record a moment ago.
 * In that case, the process was running all the time, even if the wall clock jumped.
 */
function pauseMsMax(notedAtMs: number | null, nowMs: number): number {
  if (notedAtMs === null) return FIRST_PAUSE_MS_MAX;
  return nowMs - notedAtMs <= PAUSE_MS_MAX ? Number.POSITIVE_INFINITY : PAUSE_MS_MAX;
}

/** Records the uptime. Returns false if nothing was recorded, because there are no heartbeats. */
async function noteWhereNeeded(
  { monitors, serviceUptime }: Needs['stores'],
  atMs: number,
  pauseMsMax: number,
): Promise<boolean> {
  if (!(await monitors.hasHeartbeats())) return false;
  await serviceUptime.note(atMs, pauseMsMax);
  return true;
}
