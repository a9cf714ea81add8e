/** Cleans up subscribers: removes unconfirmed sign-ups, old records, and leftovers of deleted pages. */
import { DAY_MS } from '../../domain/health/summary';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';
import { removeSubscribers } from '../status-pages/status-pages';

export const CONFIRM_WITHIN_MS = DAY_MS;
const LETTERS_KEPT_MS = 90 * DAY_MS;

interface Needs {
  readonly stores: Pick<Stores, 'subscribers' | 'notices' | 'letters' | 'statusPages'>;
  readonly clock: Clock;
}

/** Removes expired sign-ups of all accounts. Returns their number. */
export async function removeUnconfirmed({ stores, clock }: Needs): Promise<number> {
  return stores.subscribers.removeUnconfirmed(clock.now() - CONFIRM_WITHIN_MS);
}

/** Removes old records, and leftovers of pages whose deletion was interrupted by a crash. */
export async function sweepLetters(needs: Needs): Promise<void> {
  const { stores, clock } = needs;
  const beforeMs = clock.now() - LETTERS_KEPT_MS;
  await stores.letters.removeOlder(beforeMs);
  await stores.notices.removeOlder(beforeMs);
  const ids = [
    ...new Set([
      ...(await stores.subscribers.listPageIds()),
      ...(await stores.notices.listPageIds()),
    ]),
  ];
  if (ids.length === 0) return;
  const known = await stores.statusPages.findIds(ids);
  for (const id of ids) if (!known.has(id)) await removeSubscribers(needs, id);
}
