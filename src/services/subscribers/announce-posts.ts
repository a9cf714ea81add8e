/**
 * Creates a notice for each published change that subscribers have not received, and starts sending the notice. Runs
 * once a minute. It reads stored data, so a crash loses nothing.
 */
import { createHash } from 'node:crypto';
import { buildId } from '../../domain/definitions/ids';
import type { Post } from '../../domain/status-pages/post';
import { listNews, NEWS_WITHIN_MS, type News } from '../../domain/status-pages/subscriber';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Stores } from '../../models/stores';
import type { Notice } from '../../models/subscribers/notices';
import type { Clock } from '../../platform/clock';
import { interleave } from '../../platform/paced';
import { readBatches } from '../lists/read-batches';

export interface NoticeNeeds {
  readonly stores: Pick<Stores, 'posts' | 'statusPages' | 'notices'>;
  readonly clock: Clock;
  /** Starts sending the notice. Does nothing if the notice is already being sent. */
  readonly sendNotice: (notice: Pick<Notice, 'id' | 'accountId'>) => Promise<void>;
}

const ID_BYTES = 10;

/**
 * Creates missing notices and starts sending them. Returns their number. Throws if the database or Temporal is
 * unavailable, or if the signal is aborted.
 */
export async function announcePosts(needs: NoticeNeeds, signal: AbortSignal): Promise<number> {
  const { posts, notices } = needs.stores;
  const nowMs = needs.clock.now();
  const pages = new Map<string, StatusPage | null>();
  const started = new Set<string>();
  const start = async (notice: Notice): Promise<void> => {
    signal.throwIfAborted();
    if (started.has(notice.id)) return;
    started.add(notice.id);
    await needs.sendNotice(notice);
  };
  let made = 0;
  await readBatches(
    (batch) => posts.listChanged(nowMs - NEWS_WITHIN_MS, batch),
    async (changed) => {
      for (const notice of takeTurns(await findNew(needs, changed, nowMs))) {
        signal.throwIfAborted();
        const { accountId, pageId } = notice;
        const page = pages.get(pageId) ?? (await needs.stores.statusPages.find(accountId, pageId));
        pages.set(pageId, page);
        if (page === null || !isAnnounced(page)) continue;
        if (!(await notices.createOnce(accountId, notice))) continue;
        made += 1;
        await start(notice);
      }
    },
  );
  await readBatches(
    (batch) => notices.listSending(batch),
    async (sending) => {
      for (const notice of takeTurns(sending)) await start(notice);
    },
  );
  return made;
}

const takeTurns = (notices: readonly Notice[]) => interleave(notices, ({ accountId }) => accountId);

/** Returns a notice for each published change that has no notice yet. */
async function findNew(
  { stores }: NoticeNeeds,
  changed: readonly Post[],
  nowMs: number,
): Promise<readonly Notice[]> {
  const found = changed.flatMap((post) =>
    listNews(post, nowMs).map((news) => newNotice(post, news, nowMs)),
  );
  const known = await stores.notices.findIds(found.map(({ id }) => id));
  return found.filter(({ id }) => !known.has(id));
}

/** Returns false if no notices are sent, because the page is not public or offers no subscriptions. */
export function isAnnounced({ isPublic, subscribers }: StatusPage): boolean {
  return isPublic && Object.values(subscribers).includes(true);
}

/** Returns the id of a notice. The same change always gives the same id, so that a notice is created only once. */
function noticeId({ id }: Post, { kind, updateId, atMs }: News): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([id, kind, updateId]))
    .digest();
  return buildId('notice', atMs, hash.subarray(0, ID_BYTES));
}

function newNotice(post: Post, news: News, nowMs: number): Notice {
  return {
    id: noticeId(post, news),
    ...news,
    accountId: post.accountId,
    pageId: post.pageId,
    postId: post.id,
    state: 'sending',
    createdAtMs: nowMs,
    endedAtMs: null,
  };
}
