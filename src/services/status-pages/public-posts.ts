/** Renders published posts as HTML for outsiders. */
import { DAY_MS } from '../../domain/health/summary';
import {
  type Post,
  type PublicPost,
  toPublicPost,
  withPublication,
} from '../../domain/status-pages/post';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { mapAtMost } from '../../platform/map-at-most';
import type { StatusPagePostBody } from '../../schemas/status-pages/post';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';
import { newPost } from './posts';
import { type PublicOutage, readOutagesWithin, SHOWN_DAYS } from './public-outages';

const PAST_WITHIN_MS = 14 * DAY_MS;
/** Maximum number of open posts that are shown. Posts that ended recently have the same limit of their own. */
const POSTS_SHOWN_MAX = 50;
const POSTS_OF_MONTH_MAX = 200;

const RENDERED_AT_ONCE = 4;

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'runTextJob'>;

interface Rendered {
  /** The text in Markdown. */
  readonly text: string;
  /** null means that the text could not be rendered and is shown as written. */
  readonly html: string | null;
}

export interface ShownPost extends Omit<PublicPost, 'updates' | 'postMortem'> {
  readonly updates: readonly (PublicPost['updates'][number] & Rendered)[];
  readonly postMortem: Rendered | null;
}

/**
 * Returns open posts first, then posts of the last 14 days. In each part, the most recently changed posts come first.
 */
export async function readPublicPosts(
  needs: Needs,
  page: StatusPage,
): Promise<readonly ShownPost[]> {
  const { stores, clock } = needs;
  const query = { sinceMs: clock.now() - PAST_WITHIN_MS, max: POSTS_SHOWN_MAX };
  const posts = toPublicPosts(page, await stores.posts.listShown(page, query)).toSorted(
    (a, b) => Number(b.isOpen) - Number(a.isOpen) || b.changedAtMs - a.changedAtMs,
  );
  return renderPosts(needs, page.accountId, posts);
}

/** Returns the time at which the newest post was published. null means that no post was published. */
export async function readNewestPostAt(
  { stores, clock }: Pick<Needs, 'stores' | 'clock'>,
  page: StatusPage,
): Promise<number | null> {
  const query = { fromMs: 0, toMs: clock.now() + 1, max: 1 };
  const [newest] = await stores.posts.listPublished(page, query);
  return newest?.publishedAtMs ?? null;
}

export interface PublicMonth {
  /** The outages that began in the month, newest first. */
  readonly outages: readonly PublicOutage[];
  readonly posts: readonly ShownPost[];
  /** The first instant of the month in UTC. */
  readonly startMs: number;
  /** True if earlier months may have entries. */
  readonly hasEarlier: boolean;
  /** True if later months may have entries. */
  readonly hasLater: boolean;
}

/**
 * Returns the outages and the published posts of a month. Returns null for a month in the future, or one that ended
 * before the creation of the page and before the days that the page shows.
 */
export async function readPublicMonth(
  needs: Needs,
  page: StatusPage,
  startMs: number,
): Promise<PublicMonth | null> {
  const { stores, clock } = needs;
  const nextMs = startOfMonth(startMs, 1);
  const firstMs = Math.min(page.createdAtMs, clock.now() - SHOWN_DAYS * DAY_MS);
  if (startMs > clock.now() || nextMs <= firstMs) return null;
  const query = { fromMs: startMs, toMs: nextMs, max: POSTS_OF_MONTH_MAX };
  const posts = toPublicPosts(page, await stores.posts.listPublished(page, query)).toSorted(
    (a, b) => b.publishedAtMs - a.publishedAtMs,
  );
  return {
    outages: await readOutagesWithin(needs, page, { fromMs: startMs, toMs: nextMs }),
    posts: await renderPosts(needs, page.accountId, posts),
    startMs,
    hasEarlier: startMs > firstMs,
    hasLater: nextMs <= clock.now(),
  };
}

/** Returns the start of a UTC month: the month that contains `atMs`, plus `later` months. */
export function startOfMonth(atMs: number, later = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later);
}

/** Shows the posts with the current names of the items on the page. */
export function toPublicPosts(
  { groups }: Pick<StatusPage, 'groups'>,
  posts: readonly Post[],
): readonly PublicPost[] {
  const names = new Map(groups.flatMap(({ items }) => items.map(({ id, name }) => [id, name])));
  return posts.flatMap((post) => toPublicPost(post, (id) => names.get(id)) ?? []);
}

/** Renders the posts in worker threads, because text from users can be slow to render. */
function renderPosts(
  { runTextJob }: Pick<Needs, 'runTextJob'>,
  owner: string,
  posts: readonly PublicPost[],
): Promise<readonly ShownPost[]> {
  return mapAtMost(RENDERED_AT_ONCE, posts, async ({ updates, postMortem, ...post }) => {
    const texts = [
      ...updates.map(({ text }) => text),
      ...(postMortem === null ? [] : [postMortem]),
    ];
    const tasks = texts.map((subject) => ({ kind: 'markdown', subject }) as const);
    const results = await runTextJob({ text: '', tasks, owner });
    const html = results.map((result) => ('rendered' in result ? result.rendered : null));
    return {
      ...post,
      updates: updates.map((update, at) => ({ ...update, html: html[at] ?? null })),
      postMortem:
        postMortem === null ? null : { text: postMortem, html: html[updates.length] ?? null },
    };
  });
}

/** Returns an unsaved post with its page, as outsiders would see both. */
export async function previewPost(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes' | 'runTextJob'>,
  principal: Principal,
  body: StatusPagePostBody,
): Promise<{ readonly post: ShownPost; readonly page: StatusPage }> {
  const post = withPublication(await newPost(needs, principal, body), needs.clock.now());
  const page = await needs.stores.statusPages.find(principal.accountId, post.pageId);
  const posts = page === null ? [] : toPublicPosts(page, [post]);
  const [shown] = await renderPosts(needs, principal.accountId, posts);
  if (page === null || shown === undefined) throw new Error('a published post is shown');
  return { post: shown, page };
}
