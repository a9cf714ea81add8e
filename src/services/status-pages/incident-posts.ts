/** Drafts posts about incidents of items on status pages. Ends a post when its incidents are over. */
import { readIdTime } from '../../domain/definitions/ids';
import {
  acceptsIncidents,
  createFirstUpdate,
  draftWords,
  withEnd,
  withIncident,
  withReturn,
} from '../../domain/status-pages/incident-post';
import type { Post } from '../../domain/status-pages/post';
import type { Incident } from '../../models/alerting/incidents';
import type { StatusPage } from '../../models/status-pages/status-pages';
import {
  derivePostId,
  listItemNames,
  type PostNeeds,
  replaceOwnPost,
  storeOwnPost,
} from './post-writes';

const DRAFTS_MAX = 1_000;

/** Ends the post if none of its incidents is open. Returns true if the post was ended. */
export async function endPost(needs: PostNeeds, post: Post): Promise<boolean> {
  if (await hasOpenIncident(needs, post)) return false;
  const page = await needs.stores.statusPages.find(post.accountId, post.pageId);
  if (page === null) return false;
  return replaceOwnPost(needs, post, withEnd(post, written(needs, page, post.affected)));
}

/**
 * Drafts posts for open incidents without a post, and updates the posts of incidents that have opened again. Returns
 * the number of incidents that were added to drafts.
 */
export async function draftPosts(needs: PostNeeds, page: StatusPage): Promise<number> {
  const { wholeIncidents, posts } = needs.stores;
  const itemIds = page.groups.flatMap(({ items }) => items.map(({ id }) => id));
  if (itemIds.length === 0) return 0;
  const open = await wholeIncidents.listOpen(page.accountId, itemIds);
  if (open.length === 0) return 0;
  const made = await posts.listMadeBy(page, open.map(wholeId));
  let drafted = 0;
  for (const incident of open) {
    const own = made.find(({ incidentIds }) => incidentIds.includes(wholeId(incident)));
    if (own === undefined) drafted += Number(await draftPost(needs, page, incident));
    else if (!own.isDeleted) {
      const { isDeleted: _deleted, ...post } = own;
      await replaceOwnPost(needs, post, withReturn(post, written(needs, page, post.affected)));
    }
  }
  return drafted;
}

/**
 * Adds the incident to a draft of the page that still accepts incidents, or creates a new draft. Returns true if the
 * draft was stored.
 */
async function draftPost(needs: PostNeeds, page: StatusPage, incident: Incident): Promise<boolean> {
  const query = { pageId: page.id, state: 'draft', limit: DRAFTS_MAX, beforeId: null } as const;
  const drafts = await needs.stores.posts.list(page.accountId, query);
  const waiting = drafts.items.find(acceptsIncidents);
  const joining = { id: wholeId(incident), itemId: incident.resourceId };
  if (waiting === undefined) return storeOwnPost(needs, newDraft(needs, page, joining));
  const { words } = written(needs, page, [...new Set([...waiting.affected, joining.itemId])]);
  return replaceOwnPost(needs, waiting, withIncident(waiting, joining, words));
}

function newDraft(
  needs: PostNeeds,
  page: StatusPage,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Post {
  const draft = written(needs, page, [itemId]);
  const { autoPublishAfterMinutes: minutes } = page.posts;
  return {
    id: derivePostId(page.id, id, readIdTime(id)),
    accountId: page.accountId,
    version: 1,
    pageId: page.id,
    type: 'incident',
    title: draft.words.title,
    affected: [itemId],
    state: 'draft',
    updates: [createFirstUpdate(draft)],
    postMortem: null,
    publishAtMs: minutes === null ? null : draft.atMs + minutes * 60_000,
    publishedAtMs: null,
    incidentIds: [id],
    window: null,
    isTouched: false,
    createdAtMs: draft.atMs,
    updatedAtMs: draft.atMs,
  };
}

function written({ clock, newId }: PostNeeds, page: StatusPage, affected: readonly string[]) {
  return {
    atMs: clock.now(),
    updateId: newId('postUpdate'),
    words: draftWords(page.posts, listItemNames(page, affected), page.language),
  };
}

/** Returns the id of the first episode, which stays the same when more episodes follow. */
function wholeId({ id, earlier }: Incident): string {
  return earlier?.firstId ?? id;
}

/** True if an incident of the post is open. False if all its incidents were deleted. */
export async function hasOpenIncident(
  { stores }: PostNeeds,
  { accountId, incidentIds }: Pick<Post, 'accountId' | 'incidentIds'>,
): Promise<boolean> {
  const last = await Promise.all(
    incidentIds.map((id) => stores.wholeIncidents.findLast(accountId, id)),
  );
  return last.some((incident) => incident !== null && incident.closedAtMs === null);
}
