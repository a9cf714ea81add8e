/** Variables of accounts: one document per account, which is always replaced as a whole. */
import { type Model, trusted } from 'mongoose';
import type { NamedValue } from '../../contracts/definition';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { above } from '../store/filters';
import type { Batch } from '../store/pages';
import type { ChangedSpan, FollowedChange } from './environments';

export interface AccountVariables {
  readonly accountId: string;
  /** The version. 0 if nothing is stored yet. */
  readonly version: number;
  /** The variables, sorted by name. None of them is secret. */
  readonly variables: readonly NamedValue[];
  /** The `apply` set (`set:` in the file) that created the variables. */
  readonly managedBy?: string;
  /** The rollout of the last change. Absent if the change started none. */
  readonly rolloutId?: string;
  readonly updatedAtMs: number;
}

export interface AccountVariablesStore {
  readonly find: (accountId: string) => Promise<AccountVariables | null>;
  /**
   * Replaces the variables if the stored version is `expectedVersion` (0 means that nothing is stored). Otherwise
   * returns false.
   */
  readonly replace: (
    accountId: string,
    next: AccountVariables,
    expectedVersion: number,
  ) => Promise<boolean>;
  /** Stores the rollout of a change, unless the variables have changed again. */
  readonly noteRollout: (accountId: string, change: FollowedChange) => Promise<void>;
  /** Lists the variables of all accounts that were last changed in the span, in the order of account ids. */
  readonly listChanged: (span: ChangedSpan, batch: Batch) => Promise<readonly AccountVariables[]>;
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
    rolloutId: String,
    updatedAtMs: Number,
  },
  { indexes: [{ key: { updatedAtMs: 1 } }] },
);

export function createAccountVariablesStore(
  stored: Model<AccountVariablesDocument>,
): AccountVariablesStore {
  return {
    find: (accountId) =>
      readOne(stored.findOne({ _id: accountId }).lean<AccountVariablesDocument>(), fromDocument),
    async noteRollout(accountId, { version, rolloutId }) {
      await stored.updateOne({ _id: accountId, version }, { $set: { rolloutId } });
    },
    async listChanged({ fromMs, toMs }, { lastId, max }) {
      const changed = { updatedAtMs: trusted({ $gte: fromMs, $lt: toMs }) };
      const query = stored.find({ ...changed, ...(lastId !== null && { _id: above(lastId) }) });
      const found = await query.sort({ _id: 1 }).limit(max).lean<AccountVariablesDocument[]>();
      return found.map(fromDocument);
    },
    async replace(accountId, { accountId: _given, ...fields }, expectedVersion) {
      const document = { ...fields, _id: accountId };
      if (expectedVersion === 0) return writeUnlessPresent(() => stored.create([document]));
      const own = { _id: accountId, version: expectedVersion };
      return (await stored.replaceOne(own, document)).matchedCount === 1;
    },
  };
}

function fromDocument({ _id, ...fields }: AccountVariablesDocument): AccountVariables {
  return { ...fields, accountId: _id };
}
