/**
 * Changes of an account as they happen, for everybody who listens in this process: one read of the
 * database per second and account, however many listen, and none where nobody does. Processes need
 * not know of each other. It writes nothing.
 */

import type { ChangeStore, LiveChange, StoredChange } from '../../models/operations/changes';
import type { Clock } from '../../platform/clock';
import { AppError } from '../../platform/errors';

const LOOK_EVERY_MS = 1_000;
/** How far each look goes back: clocks of processes may differ, and writes may be slow. */
const OVERLAP_MS = 6_000;
export const LISTENERS_MAX = 50;

export interface ChangeListener {
  readonly onChange: (change: LiveChange) => void;
  /** The feed ends; nothing follows. */
  readonly onEnd: () => void;
}

export interface ChangeFeed {
  /**
   * Tells what changed in the last six seconds and all that follows; the returned function stops it. Throws
   * `rate_limited` when 50 of the account listen already.
   */
  readonly listen: (accountId: string, listener: ChangeListener) => () => void;
  /** Ends all listening, now and for ever. */
  readonly close: () => void;
}

interface FeedNeeds {
  readonly changes: ChangeStore;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called once each time that the database goes away. */
  readonly onTrouble: (error: unknown) => void;
}

/** What is known of one account while someone listens. */
interface Watched {
  readonly listeners: Set<ChangeListener>;
  /** By kind and id; as far back as a look goes. */
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
        throw new AppError('rate_limited', `An account may have ${LISTENERS_MAX} streams open.`);
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

/** Looks at once, and ends when nobody listens any more. */
async function keepLooking(
  { changes, clock, sleep, onTrouble }: FeedNeeds,
  { accountId, listeners, sent, onIdle }: Look,
): Promise<void> {
  let seenUntilMs = clock.now();
  let isInTrouble = false;
  do {
    const nowMs = clock.now();
    try {
      // After a time without the database, the look goes back to where the last one ended.
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
