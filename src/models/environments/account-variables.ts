/** Variables of accounts. Each account has one document, which is replaced as a whole. */
import type { Model } from 'mongoose';
import type { NamedValue } from '../../contracts/definition';
import { unlessThere } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';

export interface AccountVariables {
  readonly accountId: string;
  /** 0: not stored yet. */
  readonly version: number;
  /** Sorted by name. None of them is secret. */
  readonly variables: readonly NamedValue[];
  /** The set with which `apply` created the variables. */
  readonly managedBy?: string;
  readonly updatedAtMs: number;
}

export interface AccountVariablesStore {
  readonly find: (accountId: string) => Promise<AccountVariables | null>;
  /**
   * Replaces the variables if the stored version is `expectedVersion` (0: nothing is stored). Returns false otherwise.
   */
  readonly replace: (
    accountId: string,
    next: AccountVariables,
    expectedVersion: number,
  ) => Promise<boolean>;
}

export interface AccountVariablesDocument extends Omit<AccountVariables, 'accountId'> {
  /** Id of the account. */
  readonly _id: string;
}

export const accountVariablesCollection = defineCollection<AccountVariablesDocument>(
  'accountVariables',
  {
    version: Number,
    variables: [{ _id: false, name: String, value: String }],
    managedBy: String,
    updatedAtMs: Number,
  },
);

export function createAccountVariablesStore(
  stored: Model<AccountVariablesDocument>,
): AccountVariablesStore {
  return {
    async find(accountId) {
      const found = await stored.findOne({ _id: accountId }).lean<AccountVariablesDocument>();
      if (found === null) return null;
      const { _id, ...fields } = found;
      return { ...fields, accountId: _id };
    },
    async replace(accountId, { accountId: _given, ...fields }, expectedVersion) {
      const document = { ...fields, _id: accountId };
      if (expectedVersion === 0) return unlessThere(() => stored.create([document]));
      const own = { _id: accountId, version: expectedVersion };
      return (await stored.replaceOne(own, document)).matchedCount === 1;
    },
  };
}
