/** Notices of status pages: one per update or post-mortem that is sent to subscribers. Notices contain no text. */
import type { Model } from 'mongoose';
import type { NoticeKind, NoticeState } from '../../contracts/letters/letters';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne, toEntity } from '../store/entities';
import { above, below, matchAny } from '../store/filters';
import { type Batch, type ListQuery, type Page, readPage } from '../store/pages';

export interface Notice {
  /** `ntc_…`, derived from the update or post-mortem. */
  readonly id: string;
  readonly accountId: string;
  readonly pageId: string;
  readonly postId: string;
  readonly kind: NoticeKind;
  /** The update. null means that the notice is about a post-mortem. */
  readonly updateId: string | null;
  /** When the news was published. People who subscribe later do not get the notice. */
  readonly atMs: number;
  readonly state: NoticeState;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
}

export interface NoticeStore {
  /** Stores the notice. Returns false if it already exists. */
  readonly createOnce: (accountId: string, notice: Notice) => Promise<boolean>;
  readonly find: (accountId: string, id: string) => Promise<Notice | null>;
  /** Lists notices, newest first. */
  readonly list: (
    accountId: string,
    query: ListQuery & { readonly pageId: string; readonly postId?: string | undefined },
  ) => Promise<Page<Notice>>;
  readonly end: (
    accountId: string,
    id: string,
    end: { readonly state: 'sent' | 'stopped'; readonly atMs: number },
  ) => Promise<void>;
  /** Lists the notices of all accounts that are being sent, oldest first. */
  readonly listSending: (batch: Batch) => Promise<readonly Notice[]>;
  readonly listPageIds: () => Promise<readonly string[]>;
  /** Returns which of the ids belong to existing notices. */
  readonly findIds: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly removeOlder: (beforeMs: number) => Promise<void>;
  readonly removeOfPage: (pageId: string) => Promise<void>;
}

export type NoticeDocument = Omit<Notice, 'id'> & { readonly _id: string };

export const noticeCollection = defineCollection<NoticeDocument>(
  'statusPageNotices',
  {
    accountId: String,
    pageId: String,
    postId: String,
    kind: String,
    updateId: String,
    atMs: Number,
    state: String,
    createdAtMs: Number,
    endedAtMs: Number,
  },
  {
    indexes: [
      { key: { pageId: 1, _id: -1 } },
      { key: { state: 1 }, partialFilterExpression: { state: 'sending' } },
      { key: { createdAtMs: 1 } },
    ],
  },
);

export function createNoticeStore(notices: Model<NoticeDocument>): NoticeStore {
  return {
    createOnce: (accountId, { id, ...notice }) =>
      writeUnlessPresent(() => notices.create([{ ...notice, accountId, _id: id }])),
    find: (accountId, id) =>
      readOne(notices.findOne({ _id: id, accountId }).lean<NoticeDocument>(), toEntity),
    list: (accountId, { pageId, postId, ...query }) =>
      readPage(
        notices,
        { accountId, pageId, ...(postId !== undefined && { postId }) },
        { query, fromDocument: toEntity },
      ),
    async end(accountId, id, { state, atMs }) {
      await notices.updateOne(
        { _id: id, accountId, state: 'sending' },
        { $set: { state, endedAtMs: atMs } },
      );
    },
    listSending: ({ lastId, max }) =>
      readAll(
        notices
          .find({ state: 'sending', ...(lastId !== null && { _id: above(lastId) }) })
          .sort({ _id: 1 })
          .limit(max)
          .lean<NoticeDocument[]>(),
        toEntity,
      ),
    async listPageIds() {
      const found = await notices.find({}, { pageId: 1 }).lean<{ readonly pageId: string }[]>();
      return [...new Set(found.map(({ pageId }) => pageId))];
    },
    async findIds(ids) {
      const found = await notices
        .find({ _id: matchAny(ids) }, { _id: 1 })
        .lean<{ _id: string }[]>();
      return new Set(found.map(({ _id }) => _id));
    },
    async removeOlder(beforeMs) {
      await notices.deleteMany({ createdAtMs: below(beforeMs) });
    },
    async removeOfPage(pageId) {
      await notices.deleteMany({ pageId });
    },
  };
}
