/**
 * What the service writes on status pages by itself, once a minute: drafts about incidents that opened, the end of
 * those that are over, and drafts whose time has come. It goes by what is stored, so that it may be repeated at any
 * time and a crash loses nothing.
 */
import { createHash } from 'node:crypto';
import { type IdKind, idFrom, timeOfId } from '../../domain/definitions/ids';
import { DAY_MS } from '../../domain/health/summary';
import {
  draftWords,
  firstUpdate,
  takesIncidents,
  withEnd,
  withIncident,
  withReturn,
} from '../../domain/status-pages/incident-post';
import { type Post, published } from '../../domain/status-pages/post';
import type { Incident } from '../../models/alerting/incidents';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';
import { isUnavailable } from '../../platform/errors';
import { recordChanges } from '../accounts/audit-events';
import { nextVersion } from '../objects/object-verbs';
import { POSTS_MAX, presentPost } from './posts';

export interface PostNeeds {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly newId: (kind: IdKind) => string;
  readonly notifyOperator: (facts: Readonly<Record<string, string>>, sentence: string) => void;
}

export interface WrittenPosts {
  readonly drafted: number;
  readonly ended: number;
  readonly published: number;
}

const AT_ONCE_MAX = 1_000;
/** A draft that nobody wanted goes so long after its incident. */
const UNTOUCHED_KEPT_MS = 14 * DAY_MS;
const ID_BYTES = 10;
/** In the trail. */
const ACTOR = { type: 'system', id: 'status-pages', name: 'Keepwatch' } as const;

/** One that fails stops no other. Throws when the database is away, or when the signal is aborted. */
export async function writeStatusPosts(
  needs: PostNeeds,
  signal: AbortSignal,
): Promise<WrittenPosts> {
  const { posts, statusPages } = needs.stores;
  const each = createWalk(signal);
  // An incident that ended is no longer to be announced, so that ends come before what is due.
  const ended = await each(await posts.listFollowing(AT_ONCE_MAX), (post) => endPost(needs, post));
  const due = await each(await posts.listDue(needs.clock.now(), AT_ONCE_MAX), (post) =>
    publishDue(needs, post),
  );
  const drafted = await each(await statusPages.listDrafting(), (page) => draftPosts(needs, page));
  await each(await posts.listStubs(AT_ONCE_MAX), (stub) => sweepStub(needs, stub));
  await posts.removeStale(needs.clock.now() - UNTOUCHED_KEPT_MS);
  await sweepLeftovers(needs);
  each.finish();
  return { drafted, ended, published: due };
}

/** Adds up what the steps return; `finish` throws the first failure that was no outage of the database. */
function createWalk(signal: AbortSignal) {
  const failures: unknown[] = [];
  const walk = async <Item>(items: readonly Item[], step: (item: Item) => Promise<number>) => {
    let sum = 0;
    for (const item of items) {
      signal.throwIfAborted();
      try {
        sum += await step(item);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        failures.push(error);
      }
    }
    return sum;
  };
  return Object.assign(walk, {
    finish: () => {
      if (failures.length > 0) throw failures[0];
    },
  });
}

async function endPost(needs: PostNeeds, post: Post): Promise<number> {
  if (await hasOpenIncident(needs, post)) return 0;
  const page = await needs.stores.statusPages.find(post.accountId, post.pageId);
  if (page === null) return 0;
  return replace(needs, post, withEnd(post, written(needs, page, post.affected)));
}

async function publishDue(needs: PostNeeds, post: Post): Promise<number> {
  return replace(needs, post, published(post, needs.clock.now()));
}

/** Drafts for the incidents of the page that have none. */
async function draftPosts(needs: PostNeeds, page: StatusPage): Promise<number> {
  const { wholeIncidents, posts } = needs.stores;
  const itemIds = page.groups.flatMap(({ items }) => items.map(({ id }) => id));
  if (itemIds.length === 0) return 0;
  const open = await wholeIncidents.listOpen(page.accountId, itemIds);
  if (open.length === 0) return 0;
  const made = await posts.listMadeBy(page, open.map(wholeId));
  let drafted = 0;
  for (const incident of open) {
    const own = made.find(({ incidentIds }) => incidentIds.includes(wholeId(incident)));
    if (own === undefined) drafted += await draftPost(needs, page, incident);
    else if (!own.isDeleted) {
      const { isDeleted: _, ...post } = own;
      await replace(needs, post, withReturn(post, written(needs, page, post.affected)));
    }
  }
  return drafted;
}

/** It joins the draft of the page that waits, or makes a new one. */
async function draftPost(needs: PostNeeds, page: StatusPage, incident: Incident): Promise<number> {
  const { posts } = needs.stores;
  const { accountId, id: pageId } = page;
  const drafts = await posts.list(accountId, {
    pageId,
    state: 'draft',
    limit: AT_ONCE_MAX,
    beforeId: null,
  });
  const waiting = drafts.items.find(takesIncidents);
  const joining = { id: wholeId(incident), itemId: incident.resourceId };
  if (waiting !== undefined) {
    const affected = [...new Set([...waiting.affected, joining.itemId])];
    const { words } = written(needs, page, affected);
    return replace(needs, waiting, withIncident(waiting, joining, words));
  }
  if ((await posts.countOf(accountId, pageId)) >= POSTS_MAX) return 0;
  const post = newDraft(needs, page, joining);
  if (!(await posts.createOnce(post))) return 0;
  await record(needs, 'create', null, post);
  return 1;
}

function newDraft(
  needs: PostNeeds,
  page: StatusPage,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Post {
  const draft = written(needs, page, [itemId]);
  const { autoPublishAfterMinutes: minutes } = page.posts;
  return {
    id: draftId(page.id, id),
    accountId: page.accountId,
    version: 1,
    pageId: page.id,
    type: 'incident',
    title: draft.words.title,
    affected: [itemId],
    state: 'draft',
    updates: [firstUpdate(draft)],
    postMortem: null,
    publishAtMs: minutes === null ? null : draft.atMs + minutes * 60_000,
    publishedAtMs: null,
    incidentIds: [id],
    isTouched: false,
    createdAtMs: draft.atMs,
    updatedAtMs: draft.atMs,
  };
}

/** The same for the same page and incident, so that two passes at a time make one. */
function draftId(pageId: string, incidentId: string): string {
  const hash = createHash('sha256').update(`${pageId} ${incidentId}`).digest();
  return idFrom('post', timeOfId(incidentId), hash.subarray(0, ID_BYTES));
}

function written({ clock, newId }: PostNeeds, page: StatusPage, affected: readonly string[]) {
  const items = page.groups.flatMap((group) => group.items);
  const names = affected.flatMap((id) => items.find((item) => item.id === id)?.name ?? []);
  return {
    atMs: clock.now(),
    updateId: newId('postUpdate'),
    words: draftWords(page.posts, names),
  };
}

/** Of the first episode, so that it stays. */
function wholeId({ id, earlier }: Incident): string {
  return earlier?.firstId ?? id;
}

/** False also when all of them are deleted. */
async function hasOpenIncident(
  { stores }: PostNeeds,
  { accountId, incidentIds }: Pick<Post, 'accountId' | 'incidentIds'>,
): Promise<boolean> {
  const last = await Promise.all(
    incidentIds.map((id) => stores.wholeIncidents.findLast(accountId, id)),
  );
  return last.some((incident) => incident !== null && incident.closedAtMs === null);
}

/** A person who changed it in between goes first; the next pass looks again. */
async function replace(needs: PostNeeds, before: Post, changed: Post): Promise<number> {
  const after = nextVersion(needs, before, changed);
  if (after === before) return 0;
  const { posts } = needs.stores;
  if (!(await posts.replace(before.accountId, after, before.version))) return 0;
  const isPublished = before.state === 'draft' && after.state === 'published';
  await record(needs, isPublished ? 'publish' : 'update', before, after);
  return 1;
}

async function record(
  needs: PostNeeds,
  verb: 'create' | 'update' | 'publish',
  before: Post | null,
  after: Post,
): Promise<void> {
  const change = {
    action: `status_page_post.${verb}`,
    resourceType: 'status_page_post',
    resourceId: after.id,
    before: before === null ? null : presentPost(before),
    after: presentPost(after),
  };
  const origin = { accountId: after.accountId, actor: ACTOR, requestId: 'housekeeping', ip: null };
  await recordChanges(needs, origin, [change]);
}

/** A deleted draft is remembered as long as it could be made again. */
async function sweepStub(
  needs: PostNeeds,
  stub: Pick<Post, 'id' | 'accountId' | 'incidentIds'>,
): Promise<number> {
  if (await hasOpenIncident(needs, stub)) return 0;
  await needs.stores.posts.removeStub(stub.id);
  return 1;
}

/** A crash while a page was being deleted has left its posts. */
async function sweepLeftovers({ stores }: PostNeeds): Promise<void> {
  const ids = await stores.posts.listPageIds();
  if (ids.length === 0) return;
  const known = await stores.statusPages.findIds(ids);
  for (const id of ids) if (!known.has(id)) await stores.posts.removeOfPage(id);
}
