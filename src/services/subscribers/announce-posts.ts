/**
 * Creates a notice for each published change of a post that subscribers have not been notified of, and starts sending
 * it. Runs once a minute and works from what is stored, so that a crash loses nothing.
 */
import { createHash } from 'node:crypto';
import { idFrom } from '../../domain/definitions/ids';
import type { Post } from '../../domain/status-pages/post';
import { NEWS_WITHIN_MS, type News, newsOf } from '../../domain/status-pages/subscriber';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Stores } from '../../models/stores';
import type { Notice } from '../../models/subscribers/notices';
import type { Clock } from '../../platform/clock';

export interface NoticeNeeds {
  readonly stores: Pick<Stores, 'posts' | 'statusPages' | 'notices'>;
  readonly clock: Clock;
  /** Starts sending the notice unless that is already in progress. */
  readonly sendNotice: (notice: Pick<Notice, 'id' | 'accountId'>) => Promise<void>;
}

const AT_ONCE_MAX = 1_000;
const ID_BYTES = 10;

/** Returns how many notices were created. Throws when the database or Temporal is away or the signal is aborted. */
export async function announcePosts(needs: NoticeNeeds, signal: AbortSignal): Promise<number> {
  const { stores, clock } = needs;
  const nowMs = clock.now();
  const changed = await stores.posts.listChanged(nowMs - NEWS_WITHIN_MS, AT_ONCE_MAX);
  const found = changed.flatMap((post) =>
    newsOf(post, nowMs).map((news) => ({ post, news, id: noticeId(post, news) })),
  );
  const known = await stores.notices.findIds(found.map(({ id }) => id));
  const pages = new Map<string, StatusPage | null>();
  let made = 0;
  for (const { post, news, id } of found) {
    signal.throwIfAborted();
    if (known.has(id)) continue;
    const { accountId, pageId } = post;
    const page = pages.get(pageId) ?? (await stores.statusPages.find(accountId, pageId));
    pages.set(pageId, page);
    if (page === null || !isAnnounced(page)) continue;
    const notice = { ...newNotice(post, news, nowMs), id };
    made += Number(await stores.notices.createOnce(accountId, notice));
  }
  for (const notice of await stores.notices.listSending(AT_ONCE_MAX)) {
    signal.throwIfAborted();
    await needs.sendNotice(notice);
  }
  return made;
}

/** False for pages that are not public or that nobody can subscribe to: nothing is sent for them. */
export function isAnnounced({ isPublic, subscribers }: StatusPage): boolean {
  return isPublic && Object.values(subscribers).includes(true);
}

/** Same id for the same news, so that a notice is created only once. */
function noticeId({ id }: Post, { kind, updateId, atMs }: News): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([id, kind, updateId]))
    .digest();
  return idFrom('notice', atMs, hash.subarray(0, ID_BYTES));
}

function newNotice(post: Post, news: News, nowMs: number): Omit<Notice, 'id'> {
  return {
    ...news,
    accountId: post.accountId,
    pageId: post.pageId,
    postId: post.id,
    state: 'sending',
    createdAtMs: nowMs,
    endedAtMs: null,
  };
}
