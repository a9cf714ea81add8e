/**
 * A post of a status page: a series of updates about an incident or maintenance. Decides what is published, what is
 * over, and what outsiders see. Pure.
 */
import { POST_STATES, type PostState, type PostType } from '../../contracts/status-pages';

export const UPDATES_MAX = 100;

export interface PostUpdate {
  /** For example `upd_…`. */
  readonly id: string;
  readonly state: PostState;
  /** The text in Markdown. */
  readonly text: string;
  /** When the update was published. For a draft, when it was written. */
  readonly atMs: number;
  /** The author's name. null means that the service wrote the update. */
  readonly by: string | null;
  /** True means that only members of the account see the update. */
  readonly isDraft: boolean;
}

/** An occurrence of a maintenance window, in the form in which it was last announced. */
export interface PostWindow {
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Post {
  /** For example `pst_…`. */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** The id of its status page. */
  readonly pageId: string;
  readonly type: PostType;
  readonly title: string;
  /** Ids of items of the page. Items that are no longer on the page are not shown. */
  readonly affected: readonly string[];
  readonly state: 'draft' | 'published';
  /** The updates, oldest first, at least one. All updates of a draft are drafts. */
  readonly updates: readonly PostUpdate[];
  /** The text in Markdown. Present only for a post that is over. */
  readonly postMortem: string | null;
  /** When the post-mortem was first written. Absent if there is none, or if the time is unknown. */
  readonly postMortemAtMs?: number;
  /** When a draft is published automatically. null means never. */
  readonly publishAtMs: number | null;
  readonly publishedAtMs: number | null;
  /** The incidents that created the draft, each by the id of its first episode. */
  readonly incidentIds: readonly string[];
  /** The occurrence of a maintenance window that the post announces. null if there is none. */
  readonly window: PostWindow | null;
  /** True means that a person has changed the post, so the service no longer publishes in it automatically. */
  readonly isTouched: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The part of a post that outsiders may read. */
export interface PublicPost {
  /** The id of the post. Outsiders never see it. */
  readonly id: string;
  readonly type: PostType;
  readonly title: string;
  /** The names of the affected items, as the page shows them. */
  readonly names: readonly string[];
  readonly state: PostState;
  readonly isOpen: boolean;
  /** The published updates, newest first. */
  readonly updates: readonly Pick<PostUpdate, 'state' | 'text' | 'atMs'>[];
  readonly postMortem: string | null;
  readonly publishedAtMs: number;
  readonly changedAtMs: number;
}

const FINAL: ReadonlySet<PostState> = new Set(['resolved', 'completed', 'cancelled']);

export function isFinal(state: PostState): boolean {
  return FINAL.has(state);
}

export function hasState(type: PostType, state: PostState): boolean {
  const states: readonly PostState[] = POST_STATES[type];
  return states.includes(state);
}

/**
 * Returns the updates from which the state follows: in a draft all updates, in a published post only the published
 * updates.
 */
function countedUpdates({ state, updates }: Post): readonly PostUpdate[] {
  return state === 'draft' ? updates : updates.filter(({ isDraft }) => !isDraft);
}

export function findPostState(post: Post): PostState {
  return countedUpdates(post).at(-1)?.state ?? POST_STATES[post.type][0];
}

/** True if the last update has a final state. A draft update of a published post does not count. */
export function isOver(post: Post): boolean {
  return isFinal(findPostState(post));
}

/** True if the post is about incidents or maintenance whose end the service still has to write. */
export function isFollowing({ incidentIds, window, updates }: Post): boolean {
  const isOfSomething = incidentIds.length > 0 || window !== null;
  return isOfSomething && !updates.some(({ state }) => isFinal(state));
}

/** True if outsiders see the post and the post is not over. */
export function isOpenOutside(post: Post): boolean {
  return post.state === 'published' && !isOver(post);
}

/** When the public part of the post last changed. null means that the post is not public. */
export function findPublicChangeMs(post: Post): number | null {
  if (post.state === 'draft') return null;
  return countedUpdates(post).reduce<number | null>(
    (last, { atMs }) => Math.max(last ?? atMs, atMs),
    post.publishedAtMs,
  );
}

/** Publishes the post and all its draft updates. Returns the same post if nothing is a draft. */
export function withPublication(post: Post, nowMs: number): Post {
  if (post.state === 'published' && post.updates.every(({ isDraft }) => !isDraft)) return post;
  return {
    ...post,
    state: 'published',
    publishAtMs: null,
    publishedAtMs: post.publishedAtMs ?? nowMs,
    updates: post.updates.map((update) =>
      update.isDraft ? { ...update, isDraft: false, atMs: nowMs } : update,
    ),
  };
}

/**
 * Adds the update. In a draft, every update is a draft. In a published post, a published update is inserted before the
 * draft updates.
 */
export function withUpdate(post: Post, update: PostUpdate): Post {
  if (update.isDraft || post.state === 'draft')
    return { ...post, updates: [...post.updates, { ...update, isDraft: true }] };
  const counted = countedUpdates(post);
  const drafts = post.updates.filter(({ isDraft }) => isDraft);
  return { ...post, updates: [...counted, update, ...drafts] };
}

/**
 * Returns the part of the post that outsiders see. null means that no part of the post is public. `findName` returns
 * undefined for an item that is not on the page.
 */
export function toPublicPost(
  post: Post,
  findName: (itemId: string) => string | undefined,
): PublicPost | null {
  const { id, type, title, affected, publishedAtMs, postMortem } = post;
  const updates = countedUpdates(post);
  const changedAtMs = findPublicChangeMs(post);
  if (post.state === 'draft' || publishedAtMs === null || changedAtMs === null) return null;
  if (updates.length === 0) return null;
  return {
    id,
    type,
    title,
    names: affected.flatMap((itemId) => findName(itemId) ?? []),
    state: findPostState(post),
    isOpen: !isOver(post),
    updates: updates.map(({ state, text, atMs }) => ({ state, text, atMs })).toReversed(),
    postMortem: isOver(post) ? postMortem : null,
    publishedAtMs,
    changedAtMs,
  };
}
