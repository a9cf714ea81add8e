/** Alert policies of accounts: who is notified of an outage, and when. */
import type { Model } from 'mongoose';
import type { EscalationTimes, QuietHours } from '../../contracts/escalation';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { fromJsonText, toJsonText } from '../store/json-text';
import {
  createVersionedStore,
  type Stored,
  uniqueKeyIndex,
  type VersionedStore,
} from '../store/versioned-store';

export interface PolicyStep extends EscalationTimes {
  /** Ids of channels and members. */
  readonly notify: readonly string[];
}

export interface AlertPolicy {
  /** `pol_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** Identifies the policy in rules and in `apply`. Unique in the account, and never changes. */
  readonly key: string;
  /** The `apply` set (`set:` in the file) that created the policy. */
  readonly managedBy?: string;
  readonly name: string;
  readonly steps: readonly PolicyStep[];
  readonly quietHours: (QuietHours & { readonly except: readonly string[] }) | null;
  /** Id of a channel. */
  readonly lastResort: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface AlertPolicyStore extends VersionedStore<AlertPolicy> {
  readonly findByKey: (accountId: string, key: string) => Promise<AlertPolicy | null>;
}

export type AlertPolicyDocument = Omit<Stored<AlertPolicy>, 'steps' | 'quietHours'> & {
  /** AlertPolicy.steps as JSON text. */
  readonly steps: string;
  /** AlertPolicy.quietHours as JSON text. */
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
    ...createVersionedStore({ model: policies, toDocument, fromDocument }),
    findByKey: (accountId, key) =>
      readOne(policies.findOne({ accountId, key }).lean<AlertPolicyDocument>(), fromDocument),
  };
}

function toDocument({ id, steps, quietHours, ...policy }: AlertPolicy): AlertPolicyDocument {
  const quiet = quietHours === null ? null : toJsonText(quietHours);
  return { ...policy, _id: id, steps: toJsonText(steps), quietHours: quiet };
}

function fromDocument({
  _id,
  steps,
  quietHours,
  key,
  ...policy
}: AlertPolicyDocument): AlertPolicy {
  return {
    ...policy,
    id: _id,
    key: key ?? '',
    steps: fromJsonText(steps),
    quietHours: quietHours === null ? null : fromJsonText(quietHours),
  };
}
