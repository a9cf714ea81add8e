/**
 * Sends the changes of an account to all listeners in this process. The database is read once per second and account,
 * regardless of the number of listeners.
 */

import type { ChangeStore, LiveChange, StoredChange } from '../../models/operations/changes';
import type { Clock } from '../../platform/clock';
import { AppError } from '../../platform/errors';

const LOOK_EVERY_MS = 1_000;
/**
 * How far each read overlaps the previous read. The overlap covers slow writes and differences between the clocks of
 * processes.
 */
const OVERLAP_MS = 6_000;
export const LISTENERS_MAX = 50;

export interface ChangeListener {
  readonly onChange: (change: LiveChange) => void;
  /** Called when the feed ends. No change follows. */
  readonly onEnd: () => void;
}

export interface ChangeFeed {
  /**
   * Sends the listener all changes since six seconds ago, until the returned function is called. Throws `rate_limited`
   * if the account already has 50 listeners.
   */
  readonly listen: (accountId: string, listener: ChangeListener) => () => void;
  /** Ends all listeners and refuses new listeners. */
  readonly close: () => void;
}

interface FeedNeeds {
  readonly changes: ChangeStore;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called once per outage of the database. */
  readonly onTrouble: (error: unknown) => void;
}

/** State of one account while it has listeners. */
interface Watched {
  readonly listeners: Set<ChangeListener>;
  /** Changes that were sent, by kind and id. Changes older than OVERLAP_MS are dropped. */
  readonly sent: Map<string, StoredChange>;
}

export function createChangeFeed(needs: FeedNeeds): ChangeFeed {
  const watched = new Map<string, Watched>();
  let isClosed = false;

  function watch(accountId: string): Watched {
    const known = watched.get(accountId);
    if (known !== undefined) return known;
    const fresh: Watched = { listeners: new Set(), sent: new Map() };
    watched.set(accountId, fresh);
    const onIdle = () => watched.delete(accountId);
    void keepLooking(needs, { accountId, onIdle, ...fresh });
    return fresh;
  }

  return {
    listen(accountId, listener) {
      if (isClosed) throw new AppError('unavailable', 'The service is stopping.');
      if ((watched.get(accountId)?.listeners.size ?? 0) >= LISTENERS_MAX)
        throw new AppError(
          'rate_limited',
          `An account may have at most ${LISTENERS_MAX} streams open.`,
        );
      const { listeners, sent } = watch(accountId);
      for (const { change } of sent.values()) listener.onChange(change);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      for (const { listeners } of watched.values()) {
        for (const listener of listeners) listener.onEnd();
        listeners.clear();
      }
    },
  };
}

interface Look extends Watched {
  readonly accountId: string;
  readonly onIdle: () => void;
}

/** Reads immediately and then every second. Ends when there are no more listeners. */
async function keepLooking(
  { changes, clock, sleep, onTrouble }: FeedNeeds,
  { accountId, listeners, sent, onIdle }: Look,
): Promise<void> {
  let seenUntilMs = clock.now();
  let isInTrouble = false;
  do {
    const nowMs = clock.now();
    try {
      // After an outage of the database, the read starts at the last successful read.
      const fromMs = Math.min(seenUntilMs, nowMs) - OVERLAP_MS;
      sendNew(await changes.since(accountId, fromMs), { listeners, sent });
      forgetBefore(sent, nowMs - OVERLAP_MS);
      seenUntilMs = nowMs;
      isInTrouble = false;
    } catch (error) {
      if (!isInTrouble) onTrouble(error);
      isInTrouble = true;
    }
    await sleep(LOOK_EVERY_MS);
  } while (listeners.size > 0);
  onIdle();
}

function sendNew(found: readonly StoredChange[], { listeners, sent }: Watched): void {
  for (const stored of found) {
    const { change, mark } = stored;
    const key = `${change.kind} ${change.id}`;
    if (sent.get(key)?.mark === mark) continue;
    sent.set(key, stored);
    for (const listener of listeners) listener.onChange(change);
  }
}

function forgetBefore(sent: Map<string, StoredChange>, untilMs: number): void {
  for (const [key, { atMs }] of sent) if (atMs < untilMs) sent.delete(key);
}
