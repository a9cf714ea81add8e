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
  readonly stores: {
    readonly monitors: Pick<Stores['monitors'], 'hasHeartbeats'>;
    readonly presence: Pick<Stores['presence'], 'note'>;
  };
}

/** Ends with the function that it returns. While the database is away nothing is said. */
export function keepPresence({ stores, clock }: Needs): () => void {
  let pauseMsMax = FIRST_PAUSE_MS_MAX;
  const say = (): void => {
    void noteWhereNeeded(stores, clock.now(), pauseMsMax).then(
      (isNoted) => {
        if (isNoted) pauseMsMax = PAUSE_MS_MAX;
      },
      () => undefined,
    );
  };
  say();
  const timer = setInterval(say, EVERY_MS);
  timer.unref();
  return (): void => clearInterval(timer);
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
