/** Making, reading and changing status pages. Their public side is public-status.ts. */

import { isId } from '../../domain/definitions/ids';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { StatusPageResponse } from '../../schemas/responses/status-pages';
import type { StatusPageBody } from '../../schemas/status-page';
import { oneAtATime } from '../accounts/plan-limits';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import type { ListPage, ListRequest } from '../lists/list-page';
import { orUndo } from '../lists/or-undo';
import { readList } from '../lists/read-list';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes' | 'publicUrl'
>;

/** Of one account. */
export const PAGES_MAX = 50;

/** Throws `key_taken`, `limit_reached`, and `validation_failed` for ids that are not there. */
export async function createStatusPage(
  needs: Needs,
  accountId: string,
  body: StatusPageBody,
): Promise<StatusPageResponse> {
  const page = newStatusPage(needs, accountId, body);
  await storeStatusPage(needs, page);
  return present(needs, page);
}

/** What would be stored; nothing is yet. */
export function newStatusPage(
  { clock, newId }: Needs,
  accountId: string,
  body: StatusPageBody,
): StatusPage {
  const nowMs = clock.now();
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
  return { ...body, ...times, id: newId('statusPage'), accountId, version: 1 };
}

/** As createStatusPage. */
export async function storeStatusPage(needs: Needs, page: StatusPage): Promise<void> {
  const { accountId } = page;
  const { statusPages } = needs.stores;
  await refuseStrangers(needs, accountId, { body: page, stored: null });
  await oneAtATime(needs, { accountId, kind: 'statusPages' }, async () => {
    if ((await statusPages.count(accountId)) >= PAGES_MAX)
      throw new AppError('limit_reached', `An account may have ${PAGES_MAX} status pages.`);
    const store = () => statusPages.create(accountId, page);
    await orUndo(needs, store, () => statusPages.remove(accountId, page.id, page.version));
  });
}

export async function getStatusPage(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<StatusPageResponse> {
  return present(needs, await findStatusPage(needs, accountId, id));
}

/** Of a member of the account, whether it is public or not; null when it has none of this slug. */
export async function findOwnStatusPage(
  { stores }: Needs,
  accountId: string,
  slug: string,
): Promise<StatusPage | null> {
  return stores.statusPages.findBySlug(accountId, slug);
}

/** Newest first. */
export async function listStatusPages(
  needs: Needs,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<StatusPageResponse>> {
  return readList({ accountId, list: 'status-pages' }, request, {
    read: (query) => needs.stores.statusPages.list(accountId, query),
    present: (page) => present(needs, page),
  });
}

interface Replacement {
  readonly id: string;
  readonly body: StatusPageBody;
  /** Throws `version_mismatch` for a version that the caller did not expect. */
  readonly accept: (version: number) => void;
}

/** As createStatusPage, of the whole page; outsiders see it within 30 s. */
export async function replaceStatusPage(
  needs: Needs,
  accountId: string,
  { id, body, accept }: Replacement,
): Promise<StatusPageResponse> {
  return withOptimisticRetry(needs, async () => {
    const before = await findStatusPage(needs, accountId, id);
    accept(before.version);
    await refuseStrangers(needs, accountId, { body, stored: before });
    const changed = { ...before, ...body };
    if (canonicalJson(changed) === canonicalJson(before)) return present(needs, before);
    const version = before.version + 1;
    const next: StatusPage = { ...changed, version, updatedAtMs: needs.clock.now() };
    const isWritten = await needs.stores.statusPages.replace(accountId, next, before.version);
    return isWritten ? present(needs, next) : OVERTAKEN;
  });
}

export async function deleteStatusPage(
  needs: Needs,
  accountId: string,
  { id, accept }: Pick<Replacement, 'id' | 'accept'>,
): Promise<void> {
  await withOptimisticRetry(needs, async () => {
    const { version } = await findStatusPage(needs, accountId, id);
    accept(version);
    const isRemoved = await needs.stores.statusPages.remove(accountId, id, version);
    return isRemoved ? undefined : OVERTAKEN;
  });
}

/** The page, or `not_found`, whether the id is malformed, unknown or of another account. */
async function findStatusPage(
  { stores }: Needs,
  accountId: string,
  id: string,
): Promise<StatusPage> {
  const page = isId('statusPage', id) ? await stores.statusPages.find(accountId, id) : null;
  if (page === null) throw new AppError('not_found', 'There is no status page with this id.');
  return page;
}

interface NamedItems {
  readonly body: Pick<StatusPage, 'groups'>;
  /** What the page has now; it may name what is gone. */
  readonly stored: StatusPage | null;
}

/** Ids of other accounts and unknown ones are refused alike, but those that the page has stay. */
export async function refuseStrangers(
  { stores }: Needs,
  accountId: string,
  { body: { groups }, stored }: NamedItems,
): Promise<void> {
  const ids = groups.flatMap(({ items }) => items.map(({ id }) => id));
  if (ids.length === 0) return;
  const query = { ids, limit: ids.length, beforeId: null };
  const [monitors, scenarios] = await Promise.all([
    stores.monitors.list(accountId, query),
    stores.scenarios.list(accountId, query),
  ]);
  const kept = stored?.groups.flatMap(({ items }) => items) ?? [];
  const known = new Set([...monitors.items, ...scenarios.items, ...kept].map(({ id }) => id));
  refuseProblems(
    groups.flatMap(({ items }, at) =>
      items.flatMap(({ id }, index) =>
        known.has(id)
          ? []
          : {
              path: `groups[${at}].items[${index}].id`,
              code: 'unknown_id',
              message: 'is no monitor or scenario of the account',
            },
      ),
    ),
  );
}

function present({ publicUrl }: Needs, page: StatusPage): StatusPageResponse {
  const { accountId: _account, managedBy: _set, createdAtMs, updatedAtMs, ...shown } = page;
  return {
    ...shown,
    url: new URL(`/status/${page.slug}`, publicUrl).href,
    createdAt: toInstant(createdAtMs),
    updatedAt: toInstant(updatedAtMs),
  };
}
