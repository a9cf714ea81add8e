/** Creates, changes and deletes status pages. public-status.ts shows them to outsiders. */

import { PAGES_MAX } from '../../contracts/status-pages';
import { claimDomains } from '../../domain/status-pages/page-domain';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Stores } from '../../models/stores';
import { AppError, type FieldProblem } from '../../platform/errors';
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
import { presentAccess, toStoredAccess } from './page-access';

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes' | 'publicUrl' | 'passwords'
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
      access: presentAccess(page.access),
      domains: page.domains.map(({ host }) => host),
      url: new URL(`/status/${page.slug}`, publicUrl).href,
    }),
  };
}

/** Throws `key_taken`, `limit_reached`, and `validation_failed` for unknown ids. */
export async function createStatusPage(
  needs: Needs,
  accountId: string,
  body: StatusPageBody,
): Promise<StatusPageResponse> {
  const page = newStatusPage(needs, accountId, await toStoredBody(needs, body, null));
  await storeStatusPage(needs, page);
  return statusPageKind(needs).present(page);
}

type Converted = 'access' | 'domains';
type StoredBody = Omit<StatusPageBody, Converted> & Pick<StatusPage, Converted>;

/** Converts a body to its stored form: a hash instead of the password, and domains with their verification state. */
export async function toStoredBody(
  needs: Pick<Needs, 'clock' | 'publicUrl' | 'passwords'>,
  body: StatusPageBody,
  before: Pick<StatusPage, Converted> | null,
): Promise<StoredBody> {
  refuseOwnHost(needs.publicUrl, body.domains);
  const access = await toStoredAccess(needs, body.access, before?.access ?? null);
  const domains = claimDomains(body.domains, before?.domains ?? [], needs.clock.now());
  return { ...body, access, domains };
}

/** The host of the service itself cannot be a domain of a status page. */
function refuseOwnHost(publicUrl: string, domains: readonly string[]): void {
  const own = new URL(publicUrl).hostname;
  const message = 'is the host of this service; name another one';
  refuseProblems(
    domains.flatMap((domain, at) =>
      domain === own ? { path: `domains[${at}]`, code: 'invalid', message } : [],
    ),
  );
}

/** Builds the page without storing it. */
export function newStatusPage(
  needs: Pick<Needs, 'stores' | 'clock' | 'newId' | 'publicUrl'>,
  accountId: string,
  body: StoredBody,
): StatusPage {
  return { ...body, ...newObject(needs, statusPageKind(needs), accountId) };
}

/** Throws the same errors as createStatusPage. */
export async function storeStatusPage(needs: Needs, page: StatusPage): Promise<void> {
  await refuseStrangers(needs, page.accountId, { body: page, stored: null });
  await refuseTakenDomains(needs, page, null);
  await storeObject(needs, statusPageKind(needs), page);
}

/** For members of the account, regardless of the page's access. null: no such page. */
export async function findOwnStatusPage(
  { stores }: Needs,
  accountId: string,
  slug: string,
): Promise<StatusPage | null> {
  return stores.statusPages.findBySlug(accountId, slug);
}

/** Replaces the whole page. Throws the same errors as createStatusPage. Outsiders see the change within 30 s. */
export async function replaceStatusPage(
  needs: Needs,
  accountId: string,
  { body, ...change }: ObjectChange & { readonly body: StatusPageBody },
): Promise<StatusPageResponse> {
  const kind = statusPageKind(needs);
  const replaced = await changeObject(needs, kind, { ...change, accountId }, async (before) => {
    await refuseStrangers(needs, accountId, { body, stored: before });
    const after = { ...before, ...(await toStoredBody(needs, body, before)) };
    await refuseTakenDomains(needs, after, before);
    return after;
  });
  return kind.present(replaced);
}

/** Also removes its posts and subscribers. If a crash interrupts this, housekeeping removes the rest. */
export async function removeStatusPage(
  needs: Needs,
  accountId: string,
  change: ObjectChange,
): Promise<void> {
  await removeObject(needs, statusPageKind(needs), { ...change, accountId });
  await needs.stores.posts.removeOfPage(change.id);
  await removeSubscribers(needs, change.id);
}

/** Removes subscribers first, because sending in progress stops without them. */
export async function removeSubscribers(
  { stores }: { readonly stores: Pick<Stores, 'subscribers' | 'notices' | 'letters'> },
  pageId: string,
): Promise<void> {
  await stores.subscribers.removeOfPage(pageId);
  await stores.notices.removeOfPage(pageId);
  await stores.letters.removeOfPage(pageId);
}

/** Refuses hosts that are new to this page if another page has verified them. */
async function refuseTakenDomains(
  { stores }: Needs,
  { domains }: StatusPage,
  before: StatusPage | null,
): Promise<void> {
  const known = before?.domains.map(({ host }) => host) ?? [];
  const claimed = domains.map(({ host }) => host).filter((host) => !known.includes(host));
  if (claimed.length === 0) return;
  if ((await stores.statusPages.listVerifiedDomains(claimed)).length === 0) return;
  throw new AppError('key_taken', 'Another status page has one of these domains.');
}

interface NamedItems {
  readonly body: Pick<StatusPage, 'groups' | 'hours'>;
  /** The stored page. It may name deleted items. */
  readonly stored: StatusPage | null;
}

/** Refuses unknown ids, except those of the stored page. */
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
            message: 'is not a monitor or scenario of the account',
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
