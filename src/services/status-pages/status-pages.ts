/** Making and changing status pages. Their public side is public-status.ts. */

import { PAGES_MAX } from '../../contracts/status-pages';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { FieldProblem } from '../../platform/errors';
import type { StatusPageResponse } from '../../schemas/responses/status-pages';
import type { StatusPageBody } from '../../schemas/status-pages/status-page';
import { refuseProblems } from '../lists/field-problems';
import {
  changeObject,
  newObject,
  type ObjectChange,
  type ObjectKind,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes' | 'publicUrl'
>;

export function statusPageKind({
  stores,
  publicUrl,
}: Pick<Needs, 'stores' | 'publicUrl'>): ObjectKind<StatusPage, StatusPageResponse> {
  return {
    idKind: 'statusPage',
    name: 'status page',
    names: 'status pages',
    list: 'status-pages',
    turn: 'statusPages',
    max: PAGES_MAX,
    store: stores.statusPages,
    present: (page) => ({
      ...presentObject(page),
      url: new URL(`/status/${page.slug}`, publicUrl).href,
    }),
  };
}

/** Throws `key_taken`, `limit_reached`, and `validation_failed` for ids that are not there. */
export async function createStatusPage(
  needs: Needs,
  accountId: string,
  body: StatusPageBody,
): Promise<StatusPageResponse> {
  const page = newStatusPage(needs, accountId, body);
  await storeStatusPage(needs, page);
  return statusPageKind(needs).present(page);
}

/** What would be stored; nothing is yet. */
export function newStatusPage(needs: Needs, accountId: string, body: StatusPageBody): StatusPage {
  return { ...body, ...newObject(needs, statusPageKind(needs), accountId) };
}

/** As createStatusPage. */
export async function storeStatusPage(needs: Needs, page: StatusPage): Promise<void> {
  await refuseStrangers(needs, page.accountId, { body: page, stored: null });
  await storeObject(needs, statusPageKind(needs), page);
}

/** Of a member of the account, whether it is public or not; null when it has none of this slug. */
export async function findOwnStatusPage(
  { stores }: Needs,
  accountId: string,
  slug: string,
): Promise<StatusPage | null> {
  return stores.statusPages.findBySlug(accountId, slug);
}

/** As createStatusPage, of the whole page; outsiders see it within 30 s. */
export async function replaceStatusPage(
  needs: Needs,
  accountId: string,
  { body, ...change }: ObjectChange & { readonly body: StatusPageBody },
): Promise<StatusPageResponse> {
  const kind = statusPageKind(needs);
  const replaced = await changeObject(needs, kind, { ...change, accountId }, async (before) => {
    await refuseStrangers(needs, accountId, { body, stored: before });
    return { ...before, ...body };
  });
  return kind.present(replaced);
}

/** With its posts. What a crash leaves of them, the housekeeping removes. */
export async function removeStatusPage(
  needs: Needs,
  accountId: string,
  change: ObjectChange,
): Promise<void> {
  await removeObject(needs, statusPageKind(needs), { ...change, accountId });
  await needs.stores.posts.removeOfPage(change.id);
}

interface NamedItems {
  readonly body: Pick<StatusPage, 'groups' | 'hours'>;
  /** What the page has now; it may name what is gone. */
  readonly stored: StatusPage | null;
}

/** Ids of other accounts and unknown ones are refused alike, but those that the page has stay. */
export async function refuseStrangers(
  { stores }: Needs,
  accountId: string,
  { body, stored }: NamedItems,
): Promise<void> {
  const problems = await Promise.all([
    findStrangeItems(stores, accountId, { body, stored }),
    findStrangeHours(stores, accountId, { body, stored }),
  ]);
  refuseProblems(problems.flat());
}

async function findStrangeItems(
  stores: Needs['stores'],
  accountId: string,
  { body: { groups }, stored }: NamedItems,
): Promise<readonly FieldProblem[]> {
  const ids = groups.flatMap(({ items }) => items.map(({ id }) => id));
  if (ids.length === 0) return [];
  const query = { ids, limit: ids.length, beforeId: null };
  const [monitors, scenarios] = await Promise.all([
    stores.monitors.list(accountId, query),
    stores.scenarios.list(accountId, query),
  ]);
  const kept = stored?.groups.flatMap(({ items }) => items) ?? [];
  const known = new Set([...monitors.items, ...scenarios.items, ...kept].map(({ id }) => id));
  return groups.flatMap(({ items }, at) =>
    items.flatMap(({ id }, index) =>
      known.has(id)
        ? []
        : {
            path: `groups[${at}].items[${index}].id`,
            code: 'unknown_id',
            message: 'is no monitor or scenario of the account',
          },
    ),
  );
}

async function findStrangeHours(
  stores: Needs['stores'],
  accountId: string,
  { body: { hours }, stored }: NamedItems,
): Promise<readonly FieldProblem[]> {
  if (hours === null || hours === stored?.hours) return [];
  if ((await stores.hours.findByKey(accountId, hours)) !== null) return [];
  return [
    { path: 'hours', code: 'unknown_key', message: 'is not the key of hours of this account' },
  ];
}
