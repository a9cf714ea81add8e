/**
 * Environments of accounts: values that complete definitions. They contain the names of secrets and never their values.
 */
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
  /** Identifies the environment in monitors, scenarios and runs. The key never changes. */
  readonly key: string;
  /** The `apply` set (`set:` in the file) that created the environment. */
  readonly managedBy?: string;
  readonly name: string;
  /** The rollout of the last change of the values. Absent if the change started none. */
  readonly rolloutId?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The link between a change and its rollout. It is stored after the rollout itself. */
export interface FollowedChange {
  /** The version that the change created. */
  readonly version: number;
  readonly rolloutId: string;
}

/** A span of time. `fromMs` is inclusive and `toMs` exclusive. */
export interface ChangedSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface EnvironmentStore extends VersionedStore<Environment> {
  readonly findByKey: (accountId: string, key: string) => Promise<Environment | null>;
  /** Stores the rollout of a change, unless the environment has changed again. */
  readonly noteRollout: (accountId: string, id: string, change: FollowedChange) => Promise<void>;
  /** Lists all environments of the account. There are only a few. */
  readonly listAll: (accountId: string) => Promise<readonly Environment[]>;
  /** Lists the environments of all accounts that were last changed in the span, in the order of ids. */
  readonly listChanged: (span: ChangedSpan, batch: Batch) => Promise<readonly Environment[]>;
}

export type EnvironmentDocument = Omit<Environment, 'id'> & { readonly _id: string };

/** Maximum number of environments that are read. An account may have fewer environments. */
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
