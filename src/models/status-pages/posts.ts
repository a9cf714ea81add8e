/**
 * Posts of status pages. A deleted post stays as an empty stub for a minute, so that live events report the deletion.
 * The stub of an automatic post stays until its incident or maintenance is over. Otherwise, the service would create
 * the post again.
 */
import type { Model, QueryFilter } from 'mongoose';
import {
  findPublicChangeMs,
  isFollowing,
  isOpenOutside,
  type Post,
} from '../../domain/status-pages/post';
import type { Clock } from '../../platform/clock';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll } from '../store/entities';
import { atLeast, atMost, below, between, matchAny } from '../store/filters';
import { type Batch, type ListQuery, type Page, readPage } from '../store/pages';
import type { VersionedStore } from '../store/versioned-store';

export interface PostListQuery extends ListQuery {
  readonly pageId?: string | undefined;
  readonly state?: Post['state'] | undefined;
  readonly incidentId?: string | undefined;
}

/** The fields that are kept of a deleted post. */
export type PostStub = Pick<Post, 'id' | 'accountId' | 'incidentIds' | 'window'>;

interface HousekeepingReads {
  /** Lists the drafts of all accounts that are due for publication. */
  readonly listDue: (nowMs: number, max: number) => Promise<readonly Post[]>;
  /**
   * Lists the posts of all accounts that have no final update and are about an incident or a maintenance window, newest
   * first.
   */
  readonly listFollowing: (batch: Batch) => Promise<readonly Post[]>;
  /** Lists the page's posts for these incidents, including stubs. */
  readonly listMadeBy: (
    page: { readonly accountId: string; readonly id: string },
    incidentIds: readonly string[],
  ) => Promise<readonly (Post & { readonly isDeleted: boolean })[]>;
  /** Lists the page's posts that announce this window, including stubs. */
  readonly listAnnouncing: (
    page: { readonly accountId: string; readonly id: string },
    windowId: string,
  ) => Promise<readonly Post[]>;
  /** Lists stubs of posts that were deleted by `untilMs`, in all accounts. */
  readonly listStubs: (untilMs: number, max: number) => Promise<readonly PostStub[]>;
  readonly removeStub: (id: string) => Promise<void>;
  /** Removes unedited drafts of ended incidents that last changed before the instant, in all accounts. */
  readonly removeStale: (beforeMs: number) => Promise<void>;
  /** Lists the ids of the pages that have posts, in all accounts. */
  readonly listPageIds: () => Promise<readonly string[]>;
  /** Lists the published posts of all accounts that changed at or after the instant, newest first. */
  readonly listChanged: (sinceMs: number, batch: Batch) => Promise<readonly Post[]>;
  readonly removeOfPage: (pageId: string) => Promise<void>;
}

export interface PostStore extends VersionedStore<Post>, HousekeepingReads {
  /** Lists posts, newest first. */
  readonly list: (accountId: string, query: PostListQuery) => Promise<Page<Post>>;
  readonly countForPage: (accountId: string, pageId: string) => Promise<number>;
  /** Stores the post. Returns false if a post with this id exists or existed. */
  readonly createOnce: (post: Post) => Promise<boolean>;
  /**
   * Lists published posts: those that are open, and those that changed at or after the instant. Returns at most `max`
   * posts of each kind.
   */
  readonly listShown: (
    page: { readonly accountId: string; readonly id: string },
    query: { readonly sinceMs: number; readonly max: number },
  ) => Promise<readonly Post[]>;
  /** Lists posts that were published within the time span, newest first, at most `max`. */
  readonly listPublished: (
    page: { readonly accountId: string; readonly id: string },
    query: { readonly fromMs: number; readonly toMs: number; readonly max: number },
  ) => Promise<readonly Post[]>;
}

export type PostDocument = Omit<Post, 'id'> & {
  readonly _id: string;
  readonly isOpen: boolean;
  readonly changedAtMs: number | null;
  readonly isFollowing: boolean;
  readonly isDeleted: boolean;
};

export const postCollection = defineCollection<PostDocument>(
  'statusPagePosts',
  {
    accountId: String,
    version: Number,
    pageId: String,
    type: String,
    title: String,
    affected: [String],
    state: String,
    updates: [
      {
        _id: false,
        id: String,
        state: String,
        text: String,
        atMs: Number,
        by: String,
        isDraft: Boolean,
      },
    ],
    postMortem: String,
    postMortemAtMs: Number,
    publishAtMs: Number,
    publishedAtMs: Number,
    incidentIds: [String],
    window: {
      type: { _id: false, id: String, fromMs: Number, toMs: Number },
      default: null,
    },
    isTouched: Boolean,
    createdAtMs: Number,
    updatedAtMs: Number,
    isOpen: Boolean,
    changedAtMs: Number,
    isFollowing: Boolean,
    isDeleted: Boolean,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { accountId: 1, updatedAtMs: 1 } },
      { key: { pageId: 1, _id: -1 } },
      { key: { publishAtMs: 1 } },
      { key: { state: 1, updatedAtMs: 1 } },
      { key: { isFollowing: 1 }, partialFilterExpression: { isFollowing: true } },
      { key: { isTouched: 1 }, partialFilterExpression: { isTouched: false } },
      { key: { isDeleted: 1 }, partialFilterExpression: { isDeleted: true } },
    ],
  },
);

type Posts = Model<PostDocument>;
type Read = (filter: QueryFilter<PostDocument>, max: number) => Promise<readonly Post[]>;

const NEWEST_FIRST = { _id: -1 } as const;

export function createPostStore(posts: Posts, clock: Clock): PostStore {
  const read: Read = async (
    filter: QueryFilter<PostDocument>,
    max: number,
  ): Promise<readonly Post[]> => {
    const found = await posts
      .find({ ...filter, isDeleted: false })
      .sort(NEWEST_FIRST)
      .limit(max)
      .lean<PostDocument[]>();
    return found.map(fromDocument);
  };
  return {
    async create(_accountId, post) {
      await posts.create([toDocument(post)]);
    },
    createOnce: (post) => writeUnlessPresent(() => posts.create([toDocument(post)])),
    async find(accountId, id) {
      const [found] = await read({ _id: id, accountId }, 1);
      return found ?? null;
    },
    list: (accountId, { pageId, state, incidentId, ...query }) =>
      readPage(
        posts,
        {
          accountId,
          isDeleted: false,
          ...(pageId !== undefined && { pageId }),
          ...(state !== undefined && { state }),
          ...(incidentId !== undefined && { incidentIds: incidentId }),
        },
        { query, fromDocument },
      ),
    count: (accountId) => posts.countDocuments({ accountId, isDeleted: false }),
    countForPage: (accountId, pageId) =>
      posts.countDocuments({ accountId, pageId, isDeleted: false }),
    async replace(accountId, post, version) {
      const stored = { _id: post.id, accountId, version, isDeleted: false };
      return (await posts.replaceOne(stored, toDocument(post))).matchedCount === 1;
    },
    async remove(accountId, id, version) {
      const stored = { _id: id, accountId, version, isDeleted: false };
      const stub = { ...STUB, updatedAtMs: clock.now() };
      return (await posts.updateOne(stored, { $set: stub })).matchedCount === 1;
    },
    async listShown({ accountId, id: pageId }, { sinceMs, max }) {
      const shown = { accountId, pageId, state: 'published' } as const;
      const parts = await Promise.all([
        read({ ...shown, isOpen: true }, max),
        read({ ...shown, isOpen: false, changedAtMs: atLeast(sinceMs) }, max),
      ]);
      return parts.flat();
    },
    listPublished: ({ accountId, id: pageId }, { fromMs, toMs, max }) =>
      read({ accountId, pageId, state: 'published', publishedAtMs: between(fromMs, toMs) }, max),
    ...housekeepingReads(posts, read),
  };
}

/** Creates the reads and deletions for housekeeping. Most of them cover all accounts. */
function housekeepingReads(posts: Posts, read: Read): HousekeepingReads {
  return {
    listDue: (nowMs, max) => read({ publishAtMs: atMost(nowMs), state: 'draft' }, max),
    listFollowing: (batch) => read({ isFollowing: true, ...before(batch) }, batch.max),
    async listMadeBy({ accountId, id: pageId }, incidentIds) {
      const made = { accountId, pageId, incidentIds: matchAny(incidentIds) };
      const found = await posts.find(made).lean<PostDocument[]>();
      return found.map((post) => ({ ...fromDocument(post), isDeleted: post.isDeleted }));
    },
    listAnnouncing: ({ accountId, id: pageId }, windowId) =>
      readAll(
        posts.find({ accountId, pageId, 'window.id': windowId }).lean<PostDocument[]>(),
        fromDocument,
      ),
    async listStubs(untilMs, max) {
      const deleted = { isDeleted: true, updatedAtMs: atMost(untilMs) } as const;
      const found = await posts.find(deleted).limit(max).lean<PostDocument[]>();
      return found.map(({ _id: id, accountId, incidentIds, window }) => ({
        id,
        accountId,
        incidentIds,
        window,
      }));
    },
    async removeStub(id) {
      await posts.deleteOne({ _id: id, isDeleted: true });
    },
    async removeStale(beforeMs) {
      const untouched = { isTouched: false, state: 'draft', isFollowing: false } as const;
      await posts.deleteMany({ ...untouched, isDeleted: false, updatedAtMs: below(beforeMs) });
    },
    listChanged: (sinceMs, batch) =>
      read({ state: 'published', updatedAtMs: atLeast(sinceMs), ...before(batch) }, batch.max),
    async listPageIds() {
      const found = await posts.find({}, { pageId: 1 }).lean<Pick<PostDocument, 'pageId'>[]>();
      return [...new Set(found.map(({ pageId }) => pageId))];
    },
    async removeOfPage(pageId) {
      await posts.deleteMany({ pageId });
    },
  };
}

function before({ lastId }: Batch): QueryFilter<PostDocument> {
  return lastId === null ? {} : { _id: below(lastId) };
}

const STUB = {
  isDeleted: true,
  isOpen: false,
  isFollowing: false,
  publishAtMs: null,
  title: '',
  updates: [],
  postMortem: null,
};

function toDocument({ id, ...post }: Post): PostDocument {
  const whole = { id, ...post };
  return {
    ...post,
    _id: id,
    isOpen: isOpenOutside(whole),
    changedAtMs: findPublicChangeMs(whole),
    isFollowing: isFollowing(whole),
    isDeleted: false,
  };
}

function fromDocument(document: PostDocument): Post {
  const { _id: id, isOpen: _open, changedAtMs: _changed, ...stored } = document;
  const { isFollowing: _following, isDeleted: _deleted, ...post } = stored;
  return { ...post, id };
}
