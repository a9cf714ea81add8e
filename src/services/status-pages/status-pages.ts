/** Defines status pages as a resource. The file public-status.ts shows them to outsiders. */

import { PAGE_DEFAULTS, PAGES_MAX } from '../../contracts/status-pages';
import { claimDomains } from '../../domain/status-pages/page-domain';
import type { StatusPage, StatusPageItem } from '../../models/status-pages/status-pages';
import type { Stores } from '../../models/stores';
import { AppError, type FieldProblem } from '../../platform/errors';
import { readRecord } from '../../schemas/loose';
import type { StatusPageResponse } from '../../schemas/responses/status-pages';
import {
  type StatusPageBody,
  type StatusPageEntry,
  statusPageBody,
  statusPageEntry,
} from '../../schemas/status-pages/status-page';
import { refuseProblems } from '../lists/field-problems';
import { readChange } from '../lists/read-change';
import {
  type ChangeContext,
  defineObjectType,
  type Entry,
  type ObjectType,
} from '../objects/object-type';
import { changeObject, presentObject, removeObject, storeObject } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { listHiddenAccessChanges, presentAccess, toStoredAccess } from './page-access';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'publicUrl' | 'passwords'>;

/**
 * Status pages. Removing a page also removes its posts and subscribers. If a crash interrupts the removal, housekeeping
 * removes the rest.
 */
export const STATUS_PAGES: ObjectType<StatusPage, StatusPageBody, StatusPageResponse> =
  defineObjectType(
    {
      idKind: 'statusPage',
      name: 'status page',
      names: 'status pages',
      list: 'status-pages',
      plural: 'statusPages',
      max: PAGES_MAX,
      shape: statusPageBody,
      readOnlyFields: ['id', 'version', 'url', 'createdAt', 'updatedAt'],
      defaults: PAGE_DEFAULTS,
      getStore: ({ statusPages }) => statusPages,
    },
    (needs) => ({
      present: (page) => presentPage(needs, page),
      build: async (made, body) => ({ ...(await toStoredBody(needs, body, null)), ...made }),
      change: async (before, body) => ({ ...before, ...(await toStoredBody(needs, body, before)) }),
      create: async (page) => {
        await refuseStrangers(needs, page.accountId, { body: page, stored: null });
        await refuseTakenDomains(needs, page, null);
        await storeObject(needs, STATUS_PAGES.bind(needs), page);
      },
      replace: ({ body, ...change }) =>
        changeObject(needs, STATUS_PAGES.bind(needs), change, async (before) => {
          await refuseStrangers(needs, change.accountId, { body, stored: before });
          const after = { ...before, ...(await toStoredBody(needs, body, before)) };
          await refuseTakenDomains(needs, after, before);
          return after;
        }),
      remove: async (change) => {
        await removeObject(needs, STATUS_PAGES.bind(needs), change);
        await needs.stores.posts.removeOfPage(change.id);
        await removeSubscribers(needs, change.id);
      },
      buildEntry: (page, context) => {
        return { ...buildBody(needs, page), groups: buildGroups(page, context) };
      },
      readEntry: (sent, stored, context) => {
        const entry = readChange(statusPageEntry, { sent, stored: stored?.entry });
        return readChange(statusPageBody, {
          sent: { ...entry, groups: readGroups(entry, context, stored?.object) },
          stored: stored && buildBody(needs, stored.object),
        });
      },
      refuseAmong: refuseTakenSlug,
      listHidden: (before, after) => listHiddenAccessChanges(before.access, after.access),
      leavesOutDeleted: true,
      // The pages of a file are planned one by one, for two reasons: hashing many passwords at once is refused, and two
      // pages of a file must not get the same slug.
      isPlannedInTurn: true,
    }),
  );

function presentPage(
  { publicUrl }: Pick<Needs, 'publicUrl'>,
  page: StatusPage,
): StatusPageResponse {
  return {
    ...presentObject(page),
    access: presentAccess(page.access),
    domains: page.domains.map(({ host }) => host),
    url: new URL(`/status/${page.slug}`, publicUrl).href,
  };
}

/** Returns the page as a body, with the fields in the order of the body. */
function buildBody(needs: Pick<Needs, 'publicUrl'>, page: StatusPage): Entry {
  const shown = readRecord(presentPage(needs, page));
  return Object.fromEntries(Object.keys(statusPageBody.shape).map((name) => [name, shown[name]]));
}

/**
 * Refuses a slug that another page has. Slugs are unique in the whole installation. If two pages of a file have the
 * same slug, the second page is refused before it is stored.
 */
function refuseTakenSlug({ id, slug }: StatusPage, known: ReadonlyMap<string, StatusPage>): void {
  const isTaken = [...known.values()].some((other) => other.slug === slug && other.id !== id);
  if (isTaken) throw new AppError('key_taken', 'Another status page has this slug.');
}

type Converted = 'access' | 'domains';
type StoredBody = Omit<StatusPageBody, Converted> & Pick<StatusPage, Converted>;

/** Converts a body to its stored form. A hash replaces the password, and each domain gets its verification state. */
async function toStoredBody(
  needs: Pick<Needs, 'clock' | 'publicUrl' | 'passwords'>,
  body: StatusPageBody,
  before: Pick<StatusPage, Converted> | null,
): Promise<StoredBody> {
  refuseOwnHost(needs.publicUrl, body.domains);
  const access = await toStoredAccess(needs, body.access, before?.access ?? null);
  const domains = claimDomains(body.domains, before?.domains ?? [], needs.clock.now());
  return { ...body, access, domains };
}

/** Refuses the host of the service itself as a domain of a status page. */
function refuseOwnHost(publicUrl: string, domains: readonly string[]): void {
  const own = new URL(publicUrl).hostname;
  const message = 'is the host of this service; name another one';
  refuseProblems(
    domains.flatMap((domain, at) =>
      domain === own ? { path: `domains[${at}]`, code: 'invalid', message } : [],
    ),
  );
}

/** Finds a page for members of its account, even if the page is not public. Returns null if there is no such page. */
export async function findOwnStatusPage(
  { stores }: Needs,
  accountId: string,
  slug: string,
): Promise<StatusPage | null> {
  return stores.statusPages.findBySlug(accountId, slug);
}

/**
 * Removes the subscribers, notices and letters of a page. Subscribers are removed first, so that no more letters are
 * sent.
 */
export async function removeSubscribers(
  { stores }: { readonly stores: Pick<Stores, 'subscribers' | 'notices' | 'letters'> },
  pageId: string,
): Promise<void> {
  await stores.subscribers.removeOfPage(pageId);
  await stores.notices.removeOfPage(pageId);
  await stores.letters.removeOfPage(pageId);
}

/** Refuses a domain that another page has verified, unless this page already has the domain. */
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

/** Refuses unknown ids of items. Ids on the stored page are accepted. */
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

type Named = Pick<ChangeContext, 'resources'>;

/** Lists items by key if they have a key. Leaves out deleted items. */
function buildGroups({ groups }: StatusPage, { resources }: Named) {
  const buildItem = ({ id, name }: StatusPageItem) => {
    const resource = resources.get(id);
    if (resource === undefined) return [];
    return [resource.key === null ? { id, name } : { [resource.kind]: resource.key, name }];
  };
  return groups
    .map(({ name, items }) => ({ name, items: items.flatMap(buildItem) }))
    .filter(({ items }) => items.length > 0);
}

/** Lists items by id. Throws for unknown keys and ids, unless the stored page already shows the item. */
function readGroups(
  { groups }: StatusPageEntry,
  { resources }: Named,
  stored: StatusPage | undefined,
): StatusPageBody['groups'] {
  const idOfKey = new Map(
    [...resources].map(([id, { kind, key }]) => [`${kind} ${key}`, id] as const),
  );
  const kept = new Set(stored?.groups.flatMap(({ items }) => items.map(({ id }) => id)));
  const problems: FieldProblem[] = [];
  const findId = (item: StatusPageEntry['groups'][number]['items'][number], path: string) => {
    const { id = '', monitor, scenario } = item;
    if (resources.has(id) || kept.has(id)) return id;
    const kind = monitor === undefined ? 'scenario' : 'monitor';
    const key = monitor ?? scenario;
    const found = key === undefined ? undefined : idOfKey.get(`${kind} ${key}`);
    if (found !== undefined) return found;
    problems.push(
      key === undefined
        ? { path: `${path}.id`, code: 'unknown_id', message: 'is not a monitor or scenario' }
        : { path: `${path}.${kind}`, code: 'unknown_key', message: `is not the key of a ${kind}` },
    );
    return '';
  };
  const named = groups.map(({ name, items }, at) => ({
    name,
    items: items.map((item, index) => ({
      id: findId(item, `groups[${at}].items[${index}]`),
      name: item.name,
    })),
  }));
  refuseProblems(problems);
  return named;
}
