/** Status pages of a set. Items are named by key. Plans leave out deleted items. */
import { PAGE_DEFAULTS, PAGES_MAX } from '../../contracts/status-pages';
import type { StatusPage, StatusPageItem } from '../../models/status-pages/status-pages';
import { AppError } from '../../platform/errors';
import {
  type StatusPageBody,
  type StatusPageEntry,
  statusPageBody,
  statusPageEntry,
} from '../../schemas/status-pages/status-page';
import { refuseProblems } from '../lists/field-problems';
import { readChange } from '../lists/read-change';
import { anyVersion } from '../objects/object-verbs';
import { hiddenAccessChanges, presentAccess } from '../status-pages/page-access';
import {
  newStatusPage,
  removeStatusPage,
  replaceStatusPage,
  storeStatusPage,
  toStoredBody,
} from '../status-pages/status-pages';
import {
  type ApplyKind,
  type Entry,
  type ObjectPlan,
  planCreation,
  toExisting,
  type Wish,
} from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

interface Pages {
  readonly accountId: string;
  readonly apply: ApplyNeeds;
  /** Existing and planned pages by id. */
  readonly known: Map<string, StatusPage>;
}

export function statusPageKind(accountId: string, apply: ApplyNeeds): ApplyKind {
  const { needs } = apply;
  const pages: Pages = { accountId, apply, known: new Map() };
  let last: Promise<unknown> = Promise.resolve();
  const plan = async (wish: Wish): Promise<ObjectPlan> => {
    const stored = wish.existing === null ? undefined : pages.known.get(wish.existing.id);
    const body = readEntry(wish.entry, apply, stored);
    return stored === undefined ? planNew(pages, body, wish) : planChange(pages, body, stored);
  };
  return {
    list: 'statusPages',
    async load() {
      const query = { limit: PAGES_MAX, beforeId: null };
      const listed = await needs.stores.statusPages.list(accountId, query);
      pages.known.clear();
      for (const page of listed.items) pages.known.set(page.id, page);
      return listed.items.map((page) =>
        toExisting({ ...page, name: page.title }, buildView(page, apply)),
      );
    },
    // Plans pages one after the other, because hashing many passwords at once is refused, and each slug may be planned
    // once.
    plan(wish) {
      const planned = last.then(() => plan(wish));
      last = planned.catch(() => undefined);
      return planned;
    },
    remove: (id) => removeStatusPage(needs, accountId, { id, accept: anyVersion }),
    readDefaults: async () => PAGE_DEFAULTS,
  };
}

async function planNew(
  { accountId, apply, known }: Pages,
  body: StatusPageBody,
  wish: Wish,
): Promise<ObjectPlan> {
  const { needs } = apply;
  const made = newStatusPage(needs, accountId, await toStoredBody(needs, body, null));
  const page = { ...made, managedBy: wish.set };
  refuseTakenSlug(page, known);
  if (known.size >= PAGES_MAX)
    throw new AppError('limit_reached', `An account may have at most ${PAGES_MAX} status pages.`);
  const plan = planCreation(page, known, () => storeStatusPage(needs, page));
  return { ...plan, name: page.title, after: buildView(page, apply) };
}

async function planChange(
  { accountId, apply, known }: Pages,
  given: StatusPageBody,
  stored: StatusPage,
): Promise<ObjectPlan> {
  const { id } = stored;
  const body = { ...given, key: given.key ?? stored.key };
  const page: StatusPage = { ...stored, ...(await toStoredBody(apply.needs, body, stored)) };
  refuseTakenSlug(page, known);
  known.set(id, page);
  return {
    name: page.title,
    before: buildView(stored, apply),
    after: buildView(page, apply),
    hidden: hiddenAccessChanges(stored.access, page.access),
    carryOut: async () => {
      await replaceStatusPage(apply.needs, accountId, { id, body, accept: anyVersion });
      return { id };
    },
  };
}

function refuseTakenSlug({ id, slug }: StatusPage, known: Pages['known']): void {
  const isTaken = [...known.values()].some((other) => other.slug === slug && other.id !== id);
  if (isTaken) throw new AppError('key_taken', 'Another status page has this slug.');
}

/** The form in sets: items by key if they have a key, without deleted items. */
function buildView(page: StatusPage, { resources }: ApplyNeeds): Entry {
  const entryOf = ({ id, name }: StatusPageItem) => {
    const resource = resources.get(id);
    if (resource === undefined) return [];
    return [resource.key === null ? { id, name } : { [resource.kind]: resource.key, name }];
  };
  const groups = page.groups
    .map(({ name, items }) => ({ name, items: items.flatMap(entryOf) }))
    .filter(({ items }) => items.length > 0);
  return { ...buildBody(page), groups };
}

/** The body that the entry describes. Throws one error with all problems. */
function readEntry(
  { id: _id, ...sent }: Entry,
  apply: ApplyNeeds,
  stored: StatusPage | undefined,
): StatusPageBody {
  const before = stored && buildView(stored, apply);
  const read = readChange(statusPageEntry, { sent, stored: before });
  const body = withIds(read, apply, stored);
  return readChange(statusPageBody, { sent: body, stored: stored && buildBody(stored) });
}

/** Fields in the order used in files. */
function buildBody(page: StatusPage) {
  const { key, slug, title, description, isPublic, groups, showBadges, ...others } = page;
  const { logo, accent, theme, language, showResponseTimes, posts, subscribers } = others;
  const { hours, showLedger } = others;
  const access = presentAccess(page.access);
  const domains = page.domains.map(({ host }) => host);
  const shown = { access, domains, groups };
  const look = { showBadges, logo, accent, theme, language, showResponseTimes };
  const more = { posts, subscribers, hours, showLedger };
  return { key, slug, title, description, isPublic, ...shown, ...look, ...more };
}

/** Throws for unknown keys and ids, except items that the page already shows. */
function withIds(
  { groups, ...page }: StatusPageEntry,
  { resources }: ApplyNeeds,
  stored: StatusPage | undefined,
): StatusPageBody {
  const idOfKey = new Map(
    [...resources].map(([id, { kind, key }]) => [`${kind} ${key}`, id] as const),
  );
  const kept = new Set(stored?.groups.flatMap(({ items }) => items.map(({ id }) => id)));
  const problems: { path: string; code: string; message: string }[] = [];
  const idOf = (item: StatusPageEntry['groups'][number]['items'][number], path: string): string => {
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
      id: idOf(item, `groups[${at}].items[${index}]`),
      name: item.name,
    })),
  }));
  refuseProblems(problems);
  return { ...page, groups: named };
}
