/** What of subscribers goes by itself: sign-ups that nobody confirmed, old records, and all of a deleted page. */
import { DAY_MS } from '../../domain/health/summary';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';

export const CONFIRM_WITHIN_MS = DAY_MS;
const LETTERS_KEPT_MS = 90 * DAY_MS;

interface Needs {
  readonly stores: Pick<Stores, 'subscribers' | 'notices' | 'letters' | 'statusPages'>;
  readonly clock: Clock;
}

/** Subscribers first: what is being sent ends with them. */
export async function removeSubscribersOf(
  { stores }: { readonly stores: Pick<Stores, 'subscribers' | 'notices' | 'letters'> },
  pageId: string,
): Promise<void> {
  await stores.subscribers.removeOfPage(pageId);
  await stores.notices.removeOfPage(pageId);
  await stores.letters.removeOfPage(pageId);
}

/** How many sign-ups went. Over all accounts. */
export async function removeUnconfirmed({ stores, clock }: Needs): Promise<number> {
  return stores.subscribers.removeUnconfirmed(clock.now() - CONFIRM_WITHIN_MS);
}

/** Records that are old, and what a crash has left of a page that was being deleted. */
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
  for (const id of ids) if (!known.has(id)) await removeSubscribersOf(needs, id);
}
