/** Environments of accounts: values that complete definitions. They contain names of secrets, never values. */
import { type Model, trusted } from 'mongoose';
import type { Inherited } from '../../contracts/definitions/inherited';
import { defineCollection } from '../store/define-schema';
import { readOne, toEntity, toStored } from '../store/entities';
import { above } from '../store/filters';
import type { Batch } from '../store/pages';
import {
  createVersionedStore,
  uniqueKeyIndex,
  type VersionedStore,
} from '../store/versioned-store';

export interface Environment extends Inherited {
  /** `env_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** Identifies the environment in monitors, scenarios and runs. Never changes. */
  readonly key: string;
  /** The set with which `apply` created the environment. */
  readonly managedBy?: string;
  readonly name: string;
  /** The rollout of the last change of the values. Absent if there is none. */
  readonly rolloutId?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Stored after its rollout. */
export interface FollowedChange {
  /** Of the change. */
  readonly version: number;
  readonly rolloutId: string;
}

/** `fromMs` is inclusive, `toMs` exclusive. */
export interface ChangedSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface EnvironmentStore extends VersionedStore<Environment> {
  readonly findByKey: (accountId: string, key: string) => Promise<Environment | null>;
  /** Stores the rollout of a change, unless the environment has changed again. */
  readonly noteRollout: (accountId: string, id: string, change: FollowedChange) => Promise<void>;
  /** All environments of the account. There are only a few. */
  readonly listAll: (accountId: string) => Promise<readonly Environment[]>;
  /** Environments of all accounts that were last changed in the span, by id. */
  readonly listChanged: (span: ChangedSpan, batch: Batch) => Promise<readonly Environment[]>;
}

export type EnvironmentDocument = Omit<Environment, 'id'> & { readonly _id: string };

/** More than an account may have. */
const LISTED_MAX = 500;

export const environmentCollection = defineCollection<EnvironmentDocument>(
  'environments',
  {
    accountId: String,
    version: Number,
    key: String,
    managedBy: String,
    name: String,
    rolloutId: String,
    variables: [{ _id: false, name: String, value: String }],
    secrets: [{ _id: false, alias: String, name: String }],
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  { indexes: [{ key: { accountId: 1, _id: -1 } }, { key: { updatedAtMs: 1 } }, uniqueKeyIndex] },
);

export function createEnvironmentStore(environments: Model<EnvironmentDocument>): EnvironmentStore {
  return {
    ...createVersionedStore({
      model: environments,
      toDocument: toStored,
      fromDocument: toEntity,
    }),
    findByKey: (accountId, key) =>
      readOne(environments.findOne({ accountId, key }).lean<EnvironmentDocument>(), toEntity),
    async noteRollout(accountId, id, { version, rolloutId }) {
      await environments.updateOne({ _id: id, accountId, version }, { $set: { rolloutId } });
    },
    async listAll(accountId) {
      const query = environments.find({ accountId }).limit(LISTED_MAX);
      return (await query.lean<EnvironmentDocument[]>()).map(toEntity);
    },
    async listChanged({ fromMs, toMs }, { lastId, max }) {
      const changed = { updatedAtMs: trusted({ $gte: fromMs, $lt: toMs }) };
      const query = environments.find({
        ...changed,
        ...(lastId !== null && { _id: above(lastId) }),
      });
      const found = await query.sort({ _id: 1 }).limit(max).lean<EnvironmentDocument[]>();
      return found.map(toEntity);
    },
  };
}
