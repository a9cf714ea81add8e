/** Profiles of accounts: named values that monitors and scenarios inherit when they are saved. */
import type { Model } from 'mongoose';
import type { JsonValue } from '../../contracts/definition';
import type { AuditActor } from '../accounts/audit';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';
import { above } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import type { Batch } from '../store/pages';
import {
  createVersionedStore,
  type Stored,
  uniqueKeyIndex,
  type VersionedStore,
} from '../store/versioned-store';

export interface Profile {
  /** `prf_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** Identifies the profile in monitors and scenarios. The key is unique in the account and never changes. */
  readonly key: string;
  readonly name: string;
  /** The fields as in a request body. They contain no secret values, except in sensitive headers. */
  readonly set: Readonly<Record<string, JsonValue>>;
  /** The version of the profile that introduced the current `set`. */
  readonly setVersion: number;
  /** The rollout of the current `set`. null means that nothing used the profile. */
  readonly rollout: ProfileRollout | null;
  /** The `apply` set (`set:` in the file) that created the profile. */
  readonly managedBy?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A rollout that is stored with the profile, so that a crash cannot lose it. */
export interface ProfileRollout {
  readonly id: string;
  /** True until the rollout itself is stored. */
  readonly isPending: boolean;
  readonly actor: AuditActor;
  /** The rollout that this rollout undoes. */
  readonly undoes?: string;
  /** The value of `set` before the change. */
  readonly before: Profile['set'];
}

export interface ProfileStore extends VersionedStore<Profile> {
  readonly findByKey: (accountId: string, key: string) => Promise<Profile | null>;
  /** Returns the stored `setVersion`. null means that there is no such profile. */
  readonly findVersion: (accountId: string, key: string) => Promise<number | null>;
  /** Lists the profiles of all accounts whose rollout is not stored yet, in the order of ids. */
  readonly listPending: (batch: Batch) => Promise<readonly Profile[]>;
  /** Marks the rollout as stored, unless the profile already has a newer rollout. */
  readonly noteStarted: (accountId: string, id: string, rolloutId: string) => Promise<void>;
  /** Lists all profiles of the account. There are only a few. */
  readonly listAll: (accountId: string) => Promise<readonly Profile[]>;
}

export type ProfileDocument = Omit<Stored<Profile>, 'set' | 'rollout'> & {
  /** Profile.set as JSON text. */
  readonly set: string;
  readonly rolloutId?: string;
  readonly isPending?: true;
  /** The other fields of the rollout as JSON text. */
  readonly rollout?: string;
};

/** Maximum number of profiles that are read. An account may have fewer. */
const LISTED_MAX = 500;

export const profileCollection = defineCollection<ProfileDocument>(
  'profiles',
  {
    accountId: String,
    version: Number,
    key: String,
    name: String,
    set: String,
    setVersion: Number,
    rolloutId: String,
    isPending: Boolean,
    rollout: String,
    managedBy: String,
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      uniqueKeyIndex,
      { key: { isPending: 1 }, partialFilterExpression: { isPending: true } },
    ],
  },
);

export function createProfileStore(profiles: Model<ProfileDocument>): ProfileStore {
  return {
    ...createVersionedStore({ model: profiles, toDocument, fromDocument }),
    findByKey: (accountId, key) =>
      readOne(profiles.findOne({ accountId, key }).lean<ProfileDocument>(), fromDocument),
    async findVersion(accountId, key) {
      const found = await profiles
        .findOne({ accountId, key }, { setVersion: 1 })
        .lean<Pick<ProfileDocument, 'setVersion'>>();
      return found?.setVersion ?? null;
    },
    listPending: ({ lastId, max }) =>
      readAll(
        profiles
          .find({ isPending: true, ...(lastId !== null && { _id: above(lastId) }) })
          .sort({ _id: 1 })
          .limit(max)
          .lean<ProfileDocument[]>(),
        fromDocument,
      ),
    async noteStarted(accountId, id, rolloutId) {
      await profiles.updateOne({ _id: id, accountId, rolloutId }, { $unset: { isPending: 1 } });
    },
    listAll: (accountId) =>
      readAll(
        profiles.find({ accountId }).limit(LISTED_MAX).lean<ProfileDocument[]>(),
        fromDocument,
      ),
  };
}

function toDocument({ id, set, rollout, ...profile }: Profile): ProfileDocument {
  const document = { ...profile, _id: id, set: toJsonText(set) };
  if (rollout === null) return document;
  const { id: rolloutId, isPending, ...others } = rollout;
  return {
    ...document,
    rolloutId,
    ...(isPending && { isPending }),
    rollout: toJsonText(others),
  };
}

function fromDocument({
  _id,
  set,
  key,
  rolloutId,
  isPending,
  rollout,
  ...profile
}: ProfileDocument): Profile {
  return {
    ...profile,
    id: _id,
    key: key ?? '',
    set: fromJsonText<Profile['set']>(set),
    rollout:
      rolloutId === undefined || rollout === undefined
        ? null
        : {
            ...fromJsonText<Omit<ProfileRollout, 'id' | 'isPending'>>(rollout),
            id: rolloutId,
            isPending: isPending === true,
          },
  };
}
