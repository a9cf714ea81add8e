/** Reads the outages that a status page shows: names and times only. */
import { type JoinedOutage, joinPublicOutages } from '../../domain/health/joined-outages';
import { DAY_MS, type TimeSpan } from '../../domain/health/summary';
import type { StatusPage, StatusPageItem } from '../../models/status-pages/status-pages';
import type { Dependencies } from '../ports/dependencies';

/** An outage of an item, or several outages that were joined. The outage is open while its end is null. */
export interface PublicOutage extends JoinedOutage {
  readonly name: string;
}

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** How many days the bars of the page cover. */
export const SHOWN_DAYS = 90;
export const OUTAGES_WITHIN_MS = 14 * DAY_MS;
const OUTAGES_PER_ITEM_MAX = 100;

/** Returns the outages of an item that are open or ended in the last 14 days. */
export async function readRecentOutages(
  { stores, clock }: Needs,
  accountId: string,
  { id, name }: StatusPageItem,
): Promise<readonly PublicOutage[]> {
  const query = { resourceId: id, limit: OUTAGES_PER_ITEM_MAX, beforeId: null };
  const { items } = await stores.incidents.page(accountId, query);
  const nowMs = clock.now();
  const lately = items
    .filter(({ closedAtMs }) => closedAtMs === null || closedAtMs > nowMs - OUTAGES_WITHIN_MS)
    .map(({ openedAtMs, closedAtMs }) => ({ fromMs: openedAtMs, toMs: closedAtMs }));
  return joinPublicOutages(lately, nowMs).map((outage) => ({ ...outage, name }));
}

/** Returns the outages of all items of the page that began in the span, newest first. */
export async function readOutagesWithin(
  { stores, clock }: Needs,
  { accountId, groups }: StatusPage,
  { fromMs, toMs }: TimeSpan,
): Promise<readonly PublicOutage[]> {
  const outages: PublicOutage[] = [];
  // Items are read one by one. Otherwise, a large page would delay visitors of other pages.
  for (const { id, name } of groups.flatMap(({ items }) => items)) {
    const query = { resourceId: id, fromMs, toMs, limit: OUTAGES_PER_ITEM_MAX, beforeId: null };
    const { items } = await stores.incidents.page(accountId, query);
    const spans = items.map(({ openedAtMs, closedAtMs }) => ({
      fromMs: openedAtMs,
      toMs: closedAtMs,
    }));
    outages.push(...joinPublicOutages(spans, clock.now()).map((each) => ({ ...each, name })));
  }
  return outages.sort((a, b) => b.fromMs - a.fromMs);
}
