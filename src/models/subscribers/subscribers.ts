/**
 * Subscribers of status pages, who receive a page's posts. Destinations are stored in encrypted form and are found by a
 * hash.
 */
import type { Model, QueryFilter } from 'mongoose';
import type { SubscriberState, SubscriberType } from '../../contracts/letters/letters';
import { BOUNCES_MAX } from '../../domain/status-pages/subscriber';
import { readKeyId } from '../../platform/sealing';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';
import { above, atLeast, atMost, below, between, matchAny } from '../store/filters';
import { type ListQuery, type Page, readPage } from '../store/pages';

export interface Subscriber {
  /** `sub_…` */
  readonly id: string;
  readonly accountId: string;
  readonly pageId: string;
  readonly type: SubscriberType;
  /** The email address or URL, encrypted for the page. */
  readonly sealed: string;
  /** A hash of the destination, which is unique per page. */
  readonly hash: string;
  /** The masked recipient, which every member of the account may see: `m***@example.com`. */
  readonly masked: string;
  /** Ids of the items that were subscribed to. null means the whole page. */
  readonly items: readonly string[] | null;
  /**
   * Items that a subscriber has chosen while it was `resting` (after too many refusals). They take effect after a
   * confirmation. null means the whole page.
   */
  readonly wantedItems?: readonly string[] | null;
  readonly state: SubscriberState;
  /** The number of letters in a row that were refused because of the recipient. */
  readonly bounces: number;
  /** Name of the user who added the subscriber. null means that the subscriber signed up. */
  readonly addedBy: string | null;
  /** When the subscriber was created. For an unconfirmed subscriber, this is the time of the last sign-up. */
  readonly createdAtMs: number;
  readonly confirmedAtMs: number | null;
}

export interface SubscriberFilter {
  readonly state?: SubscriberState | undefined;
  readonly type?: SubscriberType | undefined;
  readonly hash?: string | undefined;
  /** The host of the webhook, at any port. Selects only webhooks that no user of the account has added. */
  readonly webhookHost?: string | undefined;
}

interface PageName {
  readonly accountId: string;
  readonly pageId: string;
}

interface SubscriberName extends PageName {
  readonly id: string;
}

interface Renewal {
  readonly items: readonly string[] | null;
  readonly atMs: number;
}

export interface SubscriberStore {
  /** Stores the subscriber. Returns false if the page already has a subscriber with this hash. */
  readonly create: (accountId: string, subscriber: Subscriber) => Promise<boolean>;
  readonly find: (
    accountId: string,
    name: Omit<SubscriberName, 'accountId'>,
  ) => Promise<Subscriber | null>;
  readonly findByHash: (
    accountId: string,
    pageId: string,
    hash: string,
  ) => Promise<Subscriber | null>;
  /** Lists subscribers, newest first. */
  readonly list: (
    accountId: string,
    pageId: string,
    query: ListQuery & SubscriberFilter,
  ) => Promise<Page<Subscriber>>;
  /** Lists subscribers that were confirmed by `beforeMs`, after the given id, oldest first. */
  readonly listConfirmed: (
    page: PageName,
    query: { readonly afterId: string | null; readonly beforeMs: number; readonly max: number },
  ) => Promise<readonly Subscriber[]>;
  readonly findMany: (page: PageName, ids: readonly string[]) => Promise<readonly Subscriber[]>;
  readonly count: (accountId: string, pageId: string, filter?: SubscriberFilter) => Promise<number>;
  /** Makes the subscriber active and sets `bounces` to 0. Returns false if the subscriber no longer exists. */
  readonly wake: (name: SubscriberName, confirmedAtMs: number) => Promise<boolean>;
  readonly setItems: (name: SubscriberName, items: readonly string[] | null) => Promise<boolean>;
  /**
   * Handles a repeated sign-up. The time limit of an unconfirmed subscriber starts again. A resting subscriber keeps
   * the old items until confirmation. Returns false if the subscriber is active or missing.
   */
  readonly renew: (name: SubscriberName, wish: Renewal) => Promise<boolean>;
  readonly noteTaken: (name: SubscriberName) => Promise<void>;
  /**
   * Counts a letter that was refused because of the recipient. After too many in a row, the subscriber becomes
   * `resting`.
   */
  readonly noteRefused: (name: SubscriberName) => Promise<void>;
  /** Removes the subscriber. Returns true if it existed. */
  readonly remove: (name: SubscriberName) => Promise<boolean>;
  /**
   * Removes the unconfirmed subscribers of all accounts that last signed up before the instant. Returns the number of
   * removed subscribers.
   */
  readonly removeUnconfirmed: (beforeMs: number) => Promise<number>;
  readonly listPageIds: () => Promise<readonly string[]>;
  readonly removeOfPage: (pageId: string) => Promise<void>;
}

export type SubscriberDocument = Omit<Subscriber, 'id'> & {
  readonly _id: string;
  /** Id of the key that encrypted the destination. */
  readonly keyIds: readonly string[];
};

export const subscriberCollection = defineCollection<SubscriberDocument>(
  'statusPageSubscribers',
  {
    accountId: String,
    pageId: String,
    type: String,
    sealed: String,
    hash: String,
    masked: String,
    items: { type: [String], default: null },
    wantedItems: { type: [String], default: undefined },
    state: String,
    bounces: Number,
    addedBy: String,
    createdAtMs: Number,
    confirmedAtMs: Number,
    keyIds: [String],
  },
  {
    indexes: [
      { key: { pageId: 1, hash: 1 }, unique: true },
      { key: { pageId: 1, state: 1, _id: 1 } },
      { key: { state: 1, createdAtMs: 1 }, partialFilterExpression: { state: 'unconfirmed' } },
      { key: { keyIds: 1 } },
    ],
  },
);

type Subscribers = Model<SubscriberDocument>;

const CONFIRMED = ['active', 'resting'] as const;

type Changes = Pick<
  SubscriberStore,
  'wake' | 'setItems' | 'renew' | 'noteTaken' | 'noteRefused' | 'remove'
>;

function createChanges(subscribers: Subscribers): Changes {
  const update = async (
    { id: _id, accountId, pageId }: SubscriberName,
    filter: QueryFilter<SubscriberDocument>,
    change: Parameters<Subscribers['updateOne']>[1],
  ): Promise<boolean> =>
    (await subscribers.updateOne({ ...filter, _id, accountId, pageId }, change)).matchedCount === 1;
  return {
    async wake(name, confirmedAtMs) {
      const isFirst = await update(
        name,
        { state: 'unconfirmed' },
        { $set: { state: 'active', bounces: 0, confirmedAtMs } },
      );
      return isFirst || update(name, {}, { $set: { state: 'active', bounces: 0 } });
    },
    setItems: (name, items) =>
      update(name, {}, { $set: { items: copyItems(items) }, $unset: { wantedItems: 1 } }),
    async renew(name, { items, atMs }) {
      const again = { $set: { items: copyItems(items), createdAtMs: atMs } };
      if (await update(name, { state: 'unconfirmed' }, again)) return true;
      return update(name, { state: 'resting' }, { $set: { wantedItems: copyItems(items) } });
    },
    async noteTaken(name) {
      await update(name, { bounces: above(0) }, { $set: { bounces: 0 } });
    },
    async noteRefused(name) {
      await update(name, {}, { $inc: { bounces: 1 } });
      await update(
        name,
        { state: 'active', bounces: atLeast(BOUNCES_MAX) },
        { $set: { state: 'resting' } },
      );
    },
    async remove({ id: _id, accountId, pageId }) {
      return (await subscribers.deleteOne({ _id, accountId, pageId })).deletedCount === 1;
    },
  };
}

function copyItems(items: readonly string[] | null): string[] | null {
  return items === null ? null : [...items];
}

export function createSubscriberStore(subscribers: Subscribers): SubscriberStore {
  return {
    create: (accountId, { id, ...subscriber }) => {
      const keyIds = [readKeyId(subscriber.sealed)];
      return writeUnlessPresent(() =>
        subscribers.create([{ ...subscriber, accountId, _id: id, keyIds }]),
      );
    },
    find: (accountId, { pageId, id }) =>
      readOne(
        subscribers.findOne({ _id: id, accountId, pageId }).lean<SubscriberDocument>(),
        fromDocument,
      ),
    findByHash: (accountId, pageId, hash) =>
      readOne(
        subscribers.findOne({ accountId, pageId, hash }).lean<SubscriberDocument>(),
        fromDocument,
      ),
    list: (accountId, pageId, { limit, beforeId, ...filter }) =>
      readPage(subscribers, buildFilter({ accountId, pageId }, filter), {
        query: { limit, beforeId },
        fromDocument,
      }),
    listConfirmed: ({ accountId, pageId }, { afterId, beforeMs, max }) =>
      readAll(
        subscribers
          .find({
            accountId,
            pageId,
            state: matchAny(CONFIRMED),
            confirmedAtMs: atMost(beforeMs),
            ...(afterId !== null && { _id: above(afterId) }),
          })
          .sort({ _id: 1 })
          .limit(max)
          .lean<SubscriberDocument[]>(),
        fromDocument,
      ),
    findMany: ({ accountId, pageId }, ids) =>
      readAll(
        subscribers.find({ accountId, pageId, _id: matchAny(ids) }).lean<SubscriberDocument[]>(),
        fromDocument,
      ),
    count: (accountId, pageId, filter = {}) =>
      subscribers.countDocuments(buildFilter({ accountId, pageId }, filter)),
    ...createChanges(subscribers),
    ...createHousekeeping(subscribers),
  };
}

function createHousekeeping(
  subscribers: Subscribers,
): Pick<SubscriberStore, 'removeUnconfirmed' | 'listPageIds' | 'removeOfPage'> {
  return {
    async removeUnconfirmed(beforeMs) {
      const old = { state: 'unconfirmed', createdAtMs: below(beforeMs) } as const;
      return (await subscribers.deleteMany(old)).deletedCount;
    },
    async listPageIds() {
      const found = await subscribers.find({}, { pageId: 1 }).lean<{ readonly pageId: string }[]>();
      return [...new Set(found.map(({ pageId }) => pageId))];
    },
    async removeOfPage(pageId) {
      await subscribers.deleteMany({ pageId });
    },
  };
}

function buildFilter(
  page: PageName,
  { state, type, hash, webhookHost: host }: SubscriberFilter,
): QueryFilter<SubscriberDocument> {
  return {
    ...page,
    ...(state !== undefined && { state }),
    ...(type !== undefined && { type }),
    ...(hash !== undefined && { hash }),
    ...(host !== undefined && {
      type: 'webhook' as const,
      addedBy: null,
      // Matches both forms of a masked URL: `https://host/…` and `https://host:8443/…`.
      $or: [
        { masked: between(`https://${host}/`, `https://${host}0`) },
        { masked: between(`https://${host}:`, `https://${host};`) },
      ],
    }),
  };
}

function fromDocument({ _id: id, keyIds: _keys, ...subscriber }: SubscriberDocument): Subscriber {
  return { ...subscriber, items: subscriber.items ?? null, id };
}
