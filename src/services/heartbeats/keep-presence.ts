/**
 * Says every other second that pings can be taken, so that a time in which they could not is known
 * afterwards and held against no job.
 */
import type { PresenceStore } from '../../models/heartbeats/presence';
import type { Dependencies } from '../ports/dependencies';

const EVERY_MS = 2_000;
/** A process that begins has taken no pings since the last one said so. */
const FIRST_PAUSE_MS_MAX = 3_000;
/** Longer than a busy process may take. */
const PAUSE_MS_MAX = 10_000;

interface Needs extends Pick<Dependencies, 'clock'> {
  readonly stores: { readonly presence: Pick<PresenceStore, 'note'> };
}

/** Ends with the function that it returns. While the database is away nothing is said. */
export function keepPresence({ stores, clock }: Needs): () => void {
  let pauseMsMax = FIRST_PAUSE_MS_MAX;
  const say = (): void => {
    void stores.presence.note(clock.now(), pauseMsMax).then(
      () => {
        pauseMsMax = PAUSE_MS_MAX;
      },
      () => undefined,
    );
  };
  say();
  const timer = setInterval(say, EVERY_MS);
  timer.unref();
  return (): void => clearInterval(timer);
}
