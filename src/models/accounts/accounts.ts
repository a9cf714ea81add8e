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
}

export interface AccountStore {
  /** Creates the first account, or returns the existing one. All callers get the same account. */
  readonly createFirst: (account: Account) => Promise<Account>;
  /** True for the account that the first setup created. */
  readonly isFirst: (accountId: string) => Promise<boolean>;
  readonly find: (accountId: string) => Promise<(Account & { readonly plan: Plan }) | null>;
  readonly rename: (accountId: string, name: string) => Promise<void>;
  /** null: new monitors and scenarios have no profile. */
  readonly setDefaultProfile: (accountId: string, key: string | null) => Promise<void>;
}

export interface AccountDocument {
  readonly _id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAtMs: number;
  readonly defaultProfile?: string;
  /** Set on the account that the first setup created. Unique, so that parallel setups share one account. */
  readonly first?: true;
}

export const accountCollection = defineCollection<AccountDocument>(
  'accounts',
  { name: String, plan: String, createdAtMs: Number, defaultProfile: String, first: Boolean },
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
  };
}

function fromDocument({ _id, name, plan, createdAtMs, defaultProfile }: AccountDocument): Account {
  return { id: _id, name, plan, createdAtMs, ...(defaultProfile != null && { defaultProfile }) };
}
