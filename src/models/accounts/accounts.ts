/** Accounts, which own all other data. */
import type { Model } from 'mongoose';
import type { Plan } from '../../domain/accounts/plan';

import { isDuplicate } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';
import { above } from '../store/filters';
import { type ListQuery, type Page, readPage } from '../store/pages';

/** The suspension of an account. While it lasts, nothing of the account is checked, and its members can only read. */
export interface Suspension {
  /** The reason, as the operator entered it. */
  readonly reason: string;
  readonly atMs: number;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAtMs: number;
  /** Key of the profile of new monitors and scenarios. Absent if there is none. */
  readonly defaultProfile?: string;
  /** If absent, the account is not suspended. */
  readonly suspended?: Suspension;
  /** When the deletion of the account began. If absent, it is not being deleted. */
  readonly deletedAtMs?: number;
  /** True means that members need a second factor. */
  readonly requireSecondFactor?: boolean;
}

export interface AccountStore {
  /** Creates the first account, or returns the existing one. All parallel callers get the same account. */
  readonly createFirst: (account: Account) => Promise<Account>;
  readonly create: (account: Account) => Promise<void>;
  /** True for the account that the first setup created. */
  readonly isFirst: (accountId: string) => Promise<boolean>;
  /** Returns the account that the first setup created. null if there was no setup yet. */
  readonly findFirst: () => Promise<Account | null>;
  /** Returns the account. null if it does not exist or is being deleted. */
  readonly find: (accountId: string) => Promise<Account | null>;
  readonly rename: (accountId: string, name: string) => Promise<void>;
  /** Sets the default profile. null means that new monitors and scenarios have no profile. */
  readonly setDefaultProfile: (accountId: string, key: string | null) => Promise<void>;
  readonly setRequireSecondFactor: (accountId: string, isRequired: boolean) => Promise<void>;
}

/** Reads and changes all accounts. Only for operators and housekeeping. */
export interface OperatedAccountStore {
  /** Lists all accounts, newest first, including those that are being deleted. */
  readonly list: (query: ListQuery) => Promise<Page<Account>>;
  /** Like `find`, but also finds an account that is being deleted. */
  readonly findAny: (accountId: string) => Promise<Account | null>;
  readonly setPlan: (accountId: string, plan: Plan) => Promise<void>;
  /**
   * Suspends the account. null for `suspended` lifts the suspension. Also stores that the workflows of the account must
   * be notified of the change at `atMs`.
   */
  readonly setSuspended: (
    accountId: string,
    suspended: Suspension | null,
    atMs: number,
  ) => Promise<void>;
  /** Lists accounts with workflows that must still be notified of a suspension or its end. */
  readonly listUnnotified: () => Promise<readonly Unnotified[]>;
  /** Stores that all workflows have been notified. Does nothing if the suspension has changed since. */
  readonly markNotified: (unnotified: Unnotified) => Promise<void>;
  /**
   * Marks the account as being deleted. From now on, `find` returns null. If the account was marked before, the first
   * time is kept.
   */
  readonly markDeleted: (accountId: string, atMs: number) => Promise<void>;
  /** Lists accounts whose deletion has begun, at most 100. */
  readonly listDeleted: () => Promise<readonly Account[]>;
  /** Removes the account itself, as the last step of a deletion. */
  readonly remove: (accountId: string) => Promise<void>;
}

export interface Unnotified {
  readonly id: string;
  /** When the suspension last changed. */
  readonly unnotifiedSinceMs: number;
}

export type AccountDocument = Omit<Account, 'id'> & {
  readonly _id: string;
  /** Set on the account of the first setup. The field is unique, so that parallel setups share one account. */
  readonly first?: true;
  /** Set while workflows have to be notified of a change of the suspension. */
  readonly unnotifiedSinceMs?: number;
};

export const accountCollection = defineCollection<AccountDocument>(
  'accounts',
  {
    name: String,
    plan: String,
    createdAtMs: Number,
    defaultProfile: String,
    requireSecondFactor: Boolean,
    suspended: { type: { _id: false, reason: String, atMs: Number }, default: undefined },
    deletedAtMs: Number,
    unnotifiedSinceMs: Number,
    first: Boolean,
  },
  {
    indexes: [
      { key: { first: 1 }, unique: true, partialFilterExpression: { first: true } },
      {
        key: { unnotifiedSinceMs: 1 },
        partialFilterExpression: { unnotifiedSinceMs: { $exists: true } },
      },
      { key: { deletedAtMs: 1 }, partialFilterExpression: { deletedAtMs: { $exists: true } } },
    ],
  },
);

const DELETED_MAX = 100;

export function createAccountStore(
  accounts: Model<AccountDocument>,
): AccountStore & OperatedAccountStore {
  return {
    ...createOperatedStore(accounts),
    async createFirst({ id, ...account }) {
      try {
        await accounts.create([{ _id: id, ...account, first: true }]);
        return { id, ...account };
      } catch (error) {
        if (!isDuplicate(error, 'first')) throw error;
        return fromDocument(await accounts.findOne({ first: true }).orFail().lean());
      }
    },
    async create({ id, ...account }) {
      await accounts.create([{ _id: id, ...account }]);
    },
    async isFirst(accountId) {
      return (await accounts.exists({ _id: accountId, first: true })) !== null;
    },
    findFirst: () => readOne(accounts.findOne({ first: true }).lean(), fromDocument),
    find: (accountId) =>
      readOne(accounts.findOne({ _id: accountId, deletedAtMs: null }).lean(), fromDocument),
    async rename(accountId, name) {
      await accounts.updateOne({ _id: accountId }, { $set: { name } });
    },
    async setDefaultProfile(accountId, key) {
      const change =
        key === null ? { $unset: { defaultProfile: 1 } } : { $set: { defaultProfile: key } };
      await accounts.updateOne({ _id: accountId }, change);
    },
    async setRequireSecondFactor(accountId, requireSecondFactor) {
      await accounts.updateOne({ _id: accountId }, { $set: { requireSecondFactor } });
    },
  };
}

function createOperatedStore(accounts: Model<AccountDocument>): OperatedAccountStore {
  return {
    list: (query) => readPage(accounts, {}, { query, fromDocument }),
    findAny: (accountId) => readOne(accounts.findOne({ _id: accountId }).lean(), fromDocument),
    async setPlan(accountId, plan) {
      await accounts.updateOne({ _id: accountId }, { $set: { plan } });
    },
    async setSuspended(accountId, suspended, unnotifiedSinceMs) {
      const change =
        suspended === null
          ? { $unset: { suspended: 1 }, $set: { unnotifiedSinceMs } }
          : { $set: { suspended, unnotifiedSinceMs } };
      await accounts.updateOne({ _id: accountId }, change);
    },
    async listUnnotified() {
      const found = await accounts.find({ unnotifiedSinceMs: above(0) }).lean();
      return found.flatMap(({ _id, unnotifiedSinceMs }) =>
        unnotifiedSinceMs == null ? [] : [{ id: _id, unnotifiedSinceMs }],
      );
    },
    async markNotified({ id, unnotifiedSinceMs }) {
      await accounts.updateOne(
        { _id: id, unnotifiedSinceMs },
        { $unset: { unnotifiedSinceMs: 1 } },
      );
    },
    async markDeleted(accountId, deletedAtMs) {
      await accounts.updateOne({ _id: accountId, deletedAtMs: null }, { $set: { deletedAtMs } });
    },
    listDeleted: () =>
      readAll(
        accounts
          .find({ deletedAtMs: above(0) })
          .limit(DELETED_MAX)
          .lean(),
        fromDocument,
      ),
    async remove(accountId) {
      await accounts.deleteOne({ _id: accountId, deletedAtMs: above(0) });
    },
  };
}

function fromDocument({
  _id,
  name,
  plan,
  createdAtMs,
  defaultProfile,
  requireSecondFactor,
  suspended,
  deletedAtMs,
}: AccountDocument): Account {
  return {
    id: _id,
    name,
    plan,
    createdAtMs,
    ...(defaultProfile != null && { defaultProfile }),
    ...(requireSecondFactor === true && { requireSecondFactor }),
    ...(suspended != null && { suspended }),
    ...(deletedAtMs != null && { deletedAtMs }),
  };
}
