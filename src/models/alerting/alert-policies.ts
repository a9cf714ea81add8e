/** Alert policies of accounts: who is notified when of what is down. It holds no address. */
import type { Model } from 'mongoose';
import type { EscalationTimes, QuietHours } from '../../contracts/escalation';
import { refuseTakenKey, type Stored, uniqueKeyIndex } from '../resources/resources';
import { defineCollection } from '../store/define-schema';
import { fromJsonText, toJsonText } from '../store/json-text';
import type { ListQuery, Page } from '../store/list-query';
import { readPage } from '../store/pages';

export interface PolicyStep extends EscalationTimes {
  /** Ids of channels and members. */
  readonly notify: readonly string[];
}

export interface AlertPolicy {
  /** `pol_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** What rules and apply go by; unique in the account, and it never changes. */
  readonly key: string;
  /** The set under which apply made it. */
  readonly managedBy?: string;
  readonly name: string;
  readonly steps: readonly PolicyStep[];
  readonly quietHours: (QuietHours & { readonly except: readonly string[] }) | null;
  /** Id of a channel. */
  readonly lastResort: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface AlertPolicyStore {
  /** Throws AppError `key_taken` when another policy of the account has the key. */
  readonly create: (accountId: string, row: AlertPolicy) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<AlertPolicy | null>;
  readonly findByKey: (accountId: string, key: string) => Promise<AlertPolicy | null>;
  /** Newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<AlertPolicy>>;
  readonly count: (accountId: string) => Promise<number>;
  /** Replaces the row when its stored version is still `expectedVersion`; false otherwise. */
  readonly replace: (
    accountId: string,
    row: AlertPolicy,
    expectedVersion: number,
  ) => Promise<boolean>;
  /** Removes it when the stored version is still `expectedVersion`; false when it is not, or gone. */
  readonly remove: (accountId: string, id: string, expectedVersion: number) => Promise<boolean>;
}

export type AlertPolicyDocument = Omit<Stored<AlertPolicy>, 'steps' | 'quietHours'> & {
  /** JSON text of AlertPolicy.steps. */
  readonly steps: string;
  /** JSON text of AlertPolicy.quietHours. */
  readonly quietHours: string | null;
};

export const alertPolicyCollection = defineCollection<AlertPolicyDocument>(
  'alertPolicies',
  {
    accountId: String,
    version: Number,
    key: String,
    managedBy: String,
    name: String,
    steps: String,
    quietHours: String,
    lastResort: String,
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  { indexes: [{ key: { accountId: 1, _id: -1 } }, uniqueKeyIndex] },
);

export function createAlertPolicyStore(policies: Model<AlertPolicyDocument>): AlertPolicyStore {
  return {
    async create(accountId, row) {
      await refuseTakenKey(() => policies.create([toDocument({ ...row, accountId })]));
    },
    async find(accountId, id) {
      const found = await policies.findOne({ _id: id, accountId }).lean<AlertPolicyDocument>();
      return found === null ? null : toRow(found);
    },
    async findByKey(accountId, key) {
      const found = await policies.findOne({ accountId, key }).lean<AlertPolicyDocument>();
      return found === null ? null : toRow(found);
    },
    list: (accountId, query) => readPage(policies, { accountId }, { query, toRow }),
    count: (accountId) => policies.countDocuments({ accountId }),
    async replace(accountId, row, expectedVersion) {
      const document = toDocument({ ...row, accountId });
      const outcome = await policies.replaceOne(
        { _id: row.id, accountId, version: expectedVersion },
        document,
      );
      return outcome.matchedCount === 1;
    },
    async remove(accountId, id, version) {
      return (await policies.deleteOne({ _id: id, accountId, version })).deletedCount === 1;
    },
  };
}

function toDocument({ id, steps, quietHours, ...row }: AlertPolicy): AlertPolicyDocument {
  const quiet = quietHours === null ? null : toJsonText(quietHours);
  return { ...row, _id: id, steps: toJsonText(steps), quietHours: quiet };
}

function toRow({ _id, steps, quietHours, key, ...row }: AlertPolicyDocument): AlertPolicy {
  return {
    ...row,
    id: _id,
    key: key ?? '',
    steps: fromJsonText(steps),
    quietHours: quietHours === null ? null : fromJsonText(quietHours),
  };
}
