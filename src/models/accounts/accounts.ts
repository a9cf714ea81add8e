/** Accounts, which own all other data. This module must not depend on users or keys. */
import type { Model } from 'mongoose';
import type { Plan } from '../../domain/accounts/plan';

import { isDuplicate } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAtMs: number;
  /** Key of the profile of new monitors and scenarios that name none. Absent: none. */
  readonly defaultProfile?: string;
  /** True: members must prove a second factor. Absent: they need none. */
  readonly requireSecondFactor?: boolean;
}

export interface AccountStore {
  /** Creates the first account, or returns the existing one. All callers get the same account. */
  readonly createFirst: (account: Account) => Promise<Account>;
  /** True for the account that the first setup created. */
  readonly isFirst: (accountId: string) => Promise<boolean>;
  /** The account that the first setup created. null: not set up yet. */
  readonly findFirst: () => Promise<Account | null>;
  readonly find: (accountId: string) => Promise<(Account & { readonly plan: Plan }) | null>;
  readonly rename: (accountId: string, name: string) => Promise<void>;
  /** null: new monitors and scenarios have no profile. */
  readonly setDefaultProfile: (accountId: string, key: string | null) => Promise<void>;
  readonly setRequireSecondFactor: (accountId: string, isRequired: boolean) => Promise<void>;
}

export interface AccountDocument {
  readonly _id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAtMs: number;
  readonly defaultProfile?: string;
  readonly requireSecondFactor?: boolean;
  /** Set on the account that the first setup created. Unique, so that parallel setups share one account. */
  readonly first?: true;
}

export const accountCollection = defineCollection<AccountDocument>(
  'accounts',
  {
    name: String,
    plan: String,
    createdAtMs: Number,
    defaultProfile: String,
    requireSecondFactor: Boolean,
    first: Boolean,
  },
  { indexes: [{ key: { first: 1 }, unique: true, partialFilterExpression: { first: true } }] },
);

export function createAccountStore(accounts: Model<AccountDocument>): AccountStore {
  return {
    async createFirst({ id, ...account }) {
      try {
        await accounts.create([{ _id: id, ...account, first: true }]);
        return { id, ...account };
      } catch (error) {
        if (!isDuplicate(error, 'first')) throw error;
        return fromDocument(await accounts.findOne({ first: true }).orFail().lean());
      }
    },
    async isFirst(accountId) {
      return (await accounts.exists({ _id: accountId, first: true })) !== null;
    },
    async findFirst() {
      const found = await accounts.findOne({ first: true }).lean();
      return found === null ? null : fromDocument(found);
    },
    async find(accountId) {
      const found = await accounts.findOne({ _id: accountId }).lean();
      return found === null ? null : fromDocument(found);
    },
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

function fromDocument(document: AccountDocument): Account {
  const { _id, name, plan, createdAtMs, defaultProfile, requireSecondFactor } = document;
  return {
    id: _id,
    name,
    plan,
    createdAtMs,
    ...(defaultProfile != null && { defaultProfile }),
    ...(requireSecondFactor === true && { requireSecondFactor }),
  };
}
