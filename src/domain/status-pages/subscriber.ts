/**
 * Decides which news each subscriber of a status page gets, and which subscribers become `resting`, because several
 * notifications in a row were refused. Pure.
 */
import type { NoticeKind } from '../../contracts/letters/letters';
import { isOver, type Post, type PostUpdate } from './post';

/** Maximum number of confirmed subscribers of one page. The same number of subscribers may wait for confirmation. */
export const SUBSCRIBERS_MAX = 5_000;
/**
 * Maximum number of webhooks per host and page, so that no host is flooded. Subscribers that the account adds do not
 * count.
 */
export const WEBHOOKS_PER_HOST_MAX = 5;
/** After this many refusals in a row, a subscriber is set to `resting`. */
export const BOUNCES_MAX = 3;
/** Maximum age of news when it is sent, in ms. */
export const NEWS_WITHIN_MS = 86_400_000;

/** News of a post. Each subscriber gets it once. */
export interface News {
  readonly kind: NoticeKind;
  /** The id of the update that is the news. null means that the news is a post-mortem. */
  readonly updateId: string | null;
  /** When the news was published. */
  readonly atMs: number;
}

/** Returns the recent public news of a post, oldest first. */
export function listNews(post: Post, nowMs: number): readonly News[] {
  if (post.state === 'draft' || post.publishedAtMs === null) return [];
  const { publishedAtMs } = post;
  const updates = post.updates
    .filter(({ isDraft }) => !isDraft)
    .map(
      ({ id, atMs }): News => ({
        kind: 'update',
        updateId: id,
        atMs: Math.max(atMs, publishedAtMs),
      }),
    );
  const isLearned = post.postMortem !== null && isOver(post);
  const learned: readonly News[] =
    isLearned && post.postMortemAtMs !== undefined
      ? [{ kind: 'post_mortem', updateId: null, atMs: post.postMortemAtMs }]
      : [];
  // If several updates were published at the same time, only the last one is news.
  const lasts = updates.filter(({ atMs }, at) => updates[at + 1]?.atMs !== atMs);
  return [...lasts, ...learned].filter(({ atMs }) => atMs > nowMs - NEWS_WITHIN_MS);
}

/** Returns the current text of the news. null means that the news is no longer public, so no more letters are sent. */
export function findNews(
  post: Post,
  { kind, updateId }: Pick<News, 'kind' | 'updateId'>,
): { readonly text: string; readonly update: PostUpdate | null } | null {
  if (post.state === 'draft') return null;
  if (kind === 'post_mortem')
    return post.postMortem === null || !isOver(post)
      ? null
      : { text: post.postMortem, update: null };
  const update = post.updates.find(({ id, isDraft }) => id === updateId && !isDraft);
  return update === undefined ? null : { text: update.text, update };
}

/**
 * True if the subscriber gets the news. Subscribers of the whole page get all news. Subscribers of certain items get
 * news about these items, and news without items.
 */
export function receivesNews(
  { items }: { readonly items: readonly string[] | null },
  {
    affected,
    shown,
  }: { readonly affected: readonly string[]; readonly shown: ReadonlySet<string> },
): boolean {
  if (items === null || affected.length === 0) return true;
  return affected.some((id) => shown.has(id) && items.includes(id));
}
