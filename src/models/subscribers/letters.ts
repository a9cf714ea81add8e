/**
 * Letters to subscribers: one record per notice and subscriber, with a masked recipient. A process claims a letter
 * before it sends the letter, so that two processes never send the same letter at the same time.
 */
import type { Model, QueryFilter } from 'mongoose';
import {
  LETTER_STATUSES,
  type LetterStatus,
  type SubscriberType,
} from '../../contracts/letters/letters';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, toEntity } from '../store/entities';
import { atMost, below, matchAny } from '../store/filters';
import { type ListQuery, type Page, readPage } from '../store/pages';

export interface Letter {
  /** `ltr_…`, derived from notice and subscriber. */
  readonly id: string;
  readonly accountId: string;
  readonly pageId: string;
  readonly noticeId: string;
  readonly subscriberId: string;
  readonly type: SubscriberType;
  readonly masked: string;
  readonly status: LetterStatus;
  readonly tries: number;
  /** When the letter is due. While the letter is being sent, this is the time at which the attempt counts as lost. */
  readonly nextTryAtMs: number;
  /** The outcome of the last try. */
  readonly detail: string | null;
  readonly createdAtMs: number;
  readonly sentAtMs: number | null;
}

export interface LetterQuery extends ListQuery {
  readonly pageId: string;
  readonly noticeId?: string | undefined;
  readonly subscriberId?: string | undefined;
  readonly status?: LetterStatus | undefined;
}

interface NoticeName {
  readonly accountId: string;
  readonly noticeId: string;
}

export type LetterCounts = Readonly<Record<LetterStatus, number>>;

export interface LetterStore {
  /** Stores the letters. Existing letters stay unchanged. */
  readonly createAll: (accountId: string, letters: readonly Letter[]) => Promise<void>;
  /** Lists pending letters that are due, oldest first. */
  readonly listDue: (
    notice: NoticeName,
    query: { readonly nowMs: number; readonly max: number },
  ) => Promise<readonly Letter[]>;
  /** Returns when the next pending letter is due. null means that no letter is pending. */
  readonly findNextAt: (notice: NoticeName) => Promise<number | null>;
  /** Claims the letter. Returns false if another process has claimed it, or if it is no longer pending. */
  readonly claim: (letter: Letter, untilMs: number) => Promise<boolean>;
  /** Stores the outcome of a try. */
  readonly note: (
    letter: Pick<Letter, 'id' | 'accountId'>,
    change: Partial<Pick<Letter, 'status' | 'nextTryAtMs' | 'detail' | 'sentAtMs'>>,
  ) => Promise<void>;
  readonly stopPending: (notice: NoticeName, detail: string) => Promise<void>;
  /** Lists letters, newest first. */
  readonly list: (accountId: string, query: LetterQuery) => Promise<Page<Letter>>;
  /** Counts letters by the id of their notice. */
  readonly countForNotices: (
    accountId: string,
    noticeIds: readonly string[],
  ) => Promise<ReadonlyMap<string, LetterCounts>>;
  readonly removeOlder: (beforeMs: number) => Promise<void>;
  readonly removeOfPage: (pageId: string) => Promise<void>;
}

export type LetterDocument = Omit<Letter, 'id'> & { readonly _id: string };

export const letterCollection = defineCollection<LetterDocument>(
  'statusPageLetters',
  {
    accountId: String,
    pageId: String,
    noticeId: String,
    subscriberId: String,
    type: String,
    masked: String,
    status: String,
    tries: Number,
    nextTryAtMs: Number,
    detail: String,
    createdAtMs: Number,
    sentAtMs: Number,
  },
  {
    indexes: [
      { key: { pageId: 1, _id: -1 } },
      { key: { noticeId: 1, status: 1, nextTryAtMs: 1 } },
      { key: { subscriberId: 1, _id: -1 } },
      { key: { createdAtMs: 1 } },
    ],
  },
);

export function createLetterStore(letters: Model<LetterDocument>): LetterStore {
  return {
    async createAll(accountId, given) {
      if (given.length === 0) return;
      const documents = given.map(({ id, ...letter }) => ({ ...letter, accountId, _id: id }));
      await writeUnlessPresent(() => letters.insertMany(documents, { ordered: false }));
    },
    listDue: (notice, { nowMs, max }) =>
      readAll(
        letters
          .find({ ...notice, status: 'pending', nextTryAtMs: atMost(nowMs) })
          .sort({ nextTryAtMs: 1 })
          .limit(max)
          .lean<LetterDocument[]>(),
        toEntity,
      ),
    async findNextAt(notice) {
      const found = await letters
        .findOne({ ...notice, status: 'pending' })
        .sort({ nextTryAtMs: 1 })
        .lean<LetterDocument>();
      return found?.nextTryAtMs ?? null;
    },
    async claim({ id, accountId, nextTryAtMs, tries }, untilMs) {
      const { matchedCount } = await letters.updateOne(
        { _id: id, accountId, status: 'pending', nextTryAtMs, tries },
        { $set: { nextTryAtMs: untilMs, tries: tries + 1 } },
      );
      return matchedCount === 1;
    },
    async note({ id, accountId }, change) {
      await letters.updateOne({ _id: id, accountId, status: 'pending' }, { $set: change });
    },
    async stopPending(notice, detail) {
      await letters.updateMany(
        { ...notice, status: 'pending' },
        { $set: { status: 'stopped', detail } },
      );
    },
    list: (accountId, { limit, beforeId, pageId, ...filter }) =>
      readPage(letters, buildFilter({ accountId, pageId }, filter), {
        query: { limit, beforeId },
        fromDocument: toEntity,
      }),
    async countForNotices(accountId, noticeIds) {
      const counts = await Promise.all(
        LETTER_STATUSES.map((status) => countByNotice(letters, { accountId, noticeIds, status })),
      );
      const found = counts.flat();
      return new Map(noticeIds.map((id) => [id, countsIn(found, id)]));
    },
    async removeOlder(beforeMs) {
      await letters.deleteMany({ createdAtMs: below(beforeMs) });
    },
    async removeOfPage(pageId) {
      await letters.deleteMany({ pageId });
    },
  };
}

interface NoticeCount {
  readonly noticeId: string;
  readonly status: LetterStatus;
  readonly count: number;
}

/**
 * Counts each notice's letters that have this status. Each status needs its own query, because the embedded database
 * can group by only one field.
 */
async function countByNotice(
  letters: Model<LetterDocument>,
  {
    accountId,
    noticeIds,
    status,
  }: Pick<NoticeCount, 'status'> & {
    readonly accountId: string;
    readonly noticeIds: readonly string[];
  },
): Promise<readonly NoticeCount[]> {
  const found = await letters.aggregate<{ readonly _id: string; readonly count: number }>([
    { $match: { accountId, noticeId: matchAny(noticeIds), status } },
    { $group: { _id: '$noticeId', count: { $sum: 1 } } },
  ]);
  return found.map(({ _id: noticeId, count }) => ({ noticeId, status, count }));
}

function countsIn(found: readonly NoticeCount[], noticeId: string): LetterCounts {
  const count = (status: LetterStatus): number =>
    found.find((each) => each.noticeId === noticeId && each.status === status)?.count ?? 0;
  return {
    pending: count('pending'),
    sent: count('sent'),
    failed: count('failed'),
    resting: count('resting'),
    stopped: count('stopped'),
  };
}

function buildFilter(
  page: { readonly accountId: string; readonly pageId: string },
  { noticeId, subscriberId, status }: Omit<LetterQuery, keyof ListQuery | 'pageId'>,
): QueryFilter<LetterDocument> {
  return {
    ...page,
    ...(noticeId !== undefined && { noticeId }),
    ...(subscriberId !== undefined && { subscriberId }),
    ...(status !== undefined && { status }),
  };
}
