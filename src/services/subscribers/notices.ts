/** Lists the notices of a status page and the letters sent for each of them. */
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Letter, LetterCounts } from '../../models/subscribers/letters';
import type { Notice } from '../../models/subscribers/notices';
import type { LetterResponse, NoticeResponse } from '../../schemas/responses/subscribers';
import type { LetterQuery, NoticeQuery } from '../../schemas/status-pages/subscriber';
import { toInstant, toInstantOrNull } from '../lists/instants';
import { type ListPage, readItems, readList } from '../lists/read-list';
import { findTypedObject } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import { STATUS_PAGES } from '../status-pages/status-pages';

type Needs = Pick<Dependencies, 'stores' | 'publicUrl'>;

interface PageName {
  readonly accountId: string;
  readonly pageId: string;
}

/** Lists notices, the newest first, with the number of letters by status. */
export async function listNotices(
  needs: Needs,
  name: PageName,
  { limit, cursor, ...filter }: NoticeQuery,
): Promise<ListPage<NoticeResponse>> {
  const { accountId } = name;
  const { id: pageId } = await findPage(needs, name);
  const { stores } = needs;
  const { items, nextCursor } = await readItems(
    { accountId, list: 'notices', pageId, ...filter },
    { limit, cursor },
    {
      read: (query) => stores.notices.list(accountId, { pageId, ...filter, ...query }),
      readId: ({ id }) => id,
    },
  );
  const counts = await stores.letters.countForNotices(
    accountId,
    items.map(({ id }) => id),
  );
  const titles = await readTitles(needs, accountId, items);
  const data = items.map((notice) => presentNotice(notice, { counts, titles }));
  return { data, nextCursor };
}

/** Lists letters, the newest first. */
export async function listLetters(
  needs: Needs,
  name: PageName,
  { limit, cursor, ...filters }: LetterQuery,
): Promise<ListPage<LetterResponse>> {
  const { accountId } = name;
  const { id: pageId } = await findPage(needs, name);
  return readList(
    { accountId, list: 'letters', pageId, ...filters },
    { limit, cursor },
    {
      read: (query) => needs.stores.letters.list(accountId, { pageId, ...filters, ...query }),
      present: presentLetter,
    },
  );
}

function findPage(needs: Needs, { accountId, pageId }: PageName): Promise<StatusPage> {
  return findTypedObject(needs, STATUS_PAGES, { accountId, id: pageId });
}

/** Reads the titles by post id. Deleted posts are missing. */
async function readTitles(
  { stores }: Needs,
  accountId: string,
  notices: readonly Notice[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(notices.map(({ postId }) => postId))];
  const posts = await Promise.all(ids.map((id) => stores.posts.find(accountId, id)));
  return new Map(posts.flatMap((post) => (post === null ? [] : [[post.id, post.title]])));
}

interface Known {
  readonly counts: ReadonlyMap<string, LetterCounts>;
  readonly titles: ReadonlyMap<string, string>;
}

const NONE: LetterCounts = { pending: 0, sent: 0, failed: 0, resting: 0, stopped: 0 };

function presentNotice(notice: Notice, { counts, titles }: Known): NoticeResponse {
  const { id, postId, kind, updateId, state } = notice;
  return {
    id,
    postId,
    title: titles.get(postId) ?? null,
    kind,
    updateId,
    state,
    publishedAt: toInstant(notice.atMs),
    endedAt: toInstantOrNull(notice.endedAtMs),
    letters: counts.get(id) ?? NONE,
  };
}

function presentLetter(letter: Letter): LetterResponse {
  const { id, noticeId, subscriberId, type, masked, status, tries, detail } = letter;
  return {
    id,
    noticeId,
    subscriberId,
    type,
    to: masked,
    status,
    tries,
    detail,
    createdAt: toInstant(letter.createdAtMs),
    sentAt: toInstantOrNull(letter.sentAtMs),
  };
}
