/**
 * A post of a status page: what people write about an incident or maintenance, update by update. Pure rules of
 * its life: what is published, what is over, and what outsiders may read.
 */
import { POST_STATES, type PostState, type PostType } from '../../contracts/status-pages';

export const UPDATES_MAX = 100;

export interface PostUpdate {
  /** `upd_…` */
  readonly id: string;
  readonly state: PostState;
  /** Markdown. */
  readonly text: string;
  /** When it was published; of a draft, when it was written. */
  readonly atMs: number;
  /** The author's name; null: the service. */
  readonly by: string | null;
  /** Nobody outside sees it. */
  readonly isDraft: boolean;
}

/** A time of a maintenance window, as it was announced last. */
export interface PostWindow {
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Post {
  /** `pst_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** The id of its status page. */
  readonly pageId: string;
  readonly type: PostType;
  readonly title: string;
  /** Ids of items of the page; what is no longer on the page is not shown. */
  readonly affected: readonly string[];
  readonly state: 'draft' | 'published';
  /** Oldest first, at least one. All are drafts while the post is one. */
  readonly updates: readonly PostUpdate[];
  /** Markdown; only of a post that is over. */
  readonly postMortem: string | null;
  /** When the post-mortem was first written; absent: never, or before this was stored. */
  readonly postMortemAtMs?: number;
  /** When a draft is published automatically; null: never. */
  readonly publishAtMs: number | null;
  readonly publishedAtMs: number | null;
  /** The incidents, by their first episodes, that created the draft. */
  readonly incidentIds: readonly string[];
  /** The time of a maintenance window that it announces; null: none. */
  readonly window: PostWindow | null;
  /** A person has changed it: the service publishes nothing more in it automatically. */
  readonly isTouched: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The part of a post that outsiders may read. */
export interface PublicPost {
  /** Identifies the post; never shown to outsiders. */
  readonly id: string;
  readonly type: PostType;
  readonly title: string;
  /** The names of the affected items, as the page shows them. */
  readonly names: readonly string[];
  readonly state: PostState;
  readonly isOpen: boolean;
  /** Newest first. */
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

/** The updates that count: for a published post the published ones, for a draft all. */
function countedUpdates({ state, updates }: Post): readonly PostUpdate[] {
  return state === 'draft' ? updates : updates.filter(({ isDraft }) => !isDraft);
}

export function findPostState(post: Post): PostState {
  return countedUpdates(post).at(-1)?.state ?? POST_STATES[post.type][0];
}

/** Its last update says so; a draft of an update on a published post does not count. */
export function isOver(post: Post): boolean {
  return isFinal(findPostState(post));
}

/** True if the service still has to write how the incidents or the maintenance of the post end. */
export function isFollowing({ incidentIds, window, updates }: Post): boolean {
  const isOfSomething = incidentIds.length > 0 || window !== null;
  return isOfSomething && !updates.some(({ state }) => isFinal(state));
}

/** Outsiders see it, and it is not over. */
export function isOpenOutside(post: Post): boolean {
  return post.state === 'published' && !isOver(post);
}

/** When outsiders last saw it change; null: they see nothing of it. */
export function changedOutsideAtMs(post: Post): number | null {
  if (post.state === 'draft') return null;
  return countedUpdates(post).reduce<number | null>(
    (last, { atMs }) => Math.max(last ?? atMs, atMs),
    post.publishedAtMs,
  );
}

/** Publishes everything in it that is a draft; returns the same post if nothing is. */
export function published(post: Post, nowMs: number): Post {
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

/** A published update precedes those that are drafts. */
export function withUpdate(post: Post, update: PostUpdate): Post {
  if (update.isDraft || post.state === 'draft')
    return { ...post, updates: [...post.updates, { ...update, isDraft: true }] };
  const counted = countedUpdates(post);
  const drafts = post.updates.filter(({ isDraft }) => isDraft);
  return { ...post, updates: [...counted, update, ...drafts] };
}

/** null while there is nothing that outsiders may read. `nameOf`: undefined for what is not on the page. */
export function toPublicPost(
  post: Post,
  nameOf: (itemId: string) => string | undefined,
): PublicPost | null {
  const { id, type, title, affected, publishedAtMs, postMortem } = post;
  const updates = countedUpdates(post);
  const changedAtMs = changedOutsideAtMs(post);
  if (post.state === 'draft' || publishedAtMs === null || changedAtMs === null) return null;
  if (updates.length === 0) return null;
  return {
    id,
    type,
    title,
    names: affected.flatMap((itemId) => nameOf(itemId) ?? []),
    state: findPostState(post),
    isOpen: !isOver(post),
    updates: updates.map(({ state, text, atMs }) => ({ state, text, atMs })).toReversed(),
    postMortem: isOver(post) ? postMortem : null,
    publishedAtMs,
    changedAtMs,
  };
}
