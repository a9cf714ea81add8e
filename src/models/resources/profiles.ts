/** Profiles of accounts: named values that monitors and scenarios inherit when they are saved. */
import type { Model } from 'mongoose';
import type { JsonValue } from '../../contracts/definition';
import { defineCollection } from '../store/define-schema';
import { fromJsonText, toJsonText } from '../store/json-text';
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
  /** Identifies the profile in monitors and scenarios. Unique in the account, and never changes. */
  readonly key: string;
  readonly name: string;
  /** Fields in the form of a request body. Never contains values of secrets, except in sensitive headers. */
  readonly set: Readonly<Record<string, JsonValue>>;
  /** The set with which `apply` created the profile. */
  readonly managedBy?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface ProfileStore extends VersionedStore<Profile> {
  readonly findByKey: (accountId: string, key: string) => Promise<Profile | null>;
  /** The stored version; null: there is no such profile. */
  readonly findVersion: (accountId: string, key: string) => Promise<number | null>;
  /** All profiles of the account. There are only a few. */
  readonly listAll: (accountId: string) => Promise<readonly Profile[]>;
}

export type ProfileDocument = Omit<Stored<Profile>, 'set'> & {
  /** Profile.set as JSON text. */
  readonly set: string;
};

/** More than an account may have. */
const LISTED_MAX = 500;

export const profileCollection = defineCollection<ProfileDocument>(
  'profiles',
  {
    accountId: String,
    version: Number,
    key: String,
    name: String,
    set: String,
    managedBy: String,
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  { indexes: [{ key: { accountId: 1, _id: -1 } }, uniqueKeyIndex] },
);

export function createProfileStore(profiles: Model<ProfileDocument>): ProfileStore {
  return {
    ...createVersionedStore({ model: profiles, toDocument, fromDocument }),
    async findByKey(accountId, key) {
      const found = await profiles.findOne({ accountId, key }).lean<ProfileDocument>();
      return found === null ? null : fromDocument(found);
    },
    async findVersion(accountId, key) {
      const found = await profiles
        .findOne({ accountId, key }, { version: 1 })
        .lean<Pick<ProfileDocument, 'version'>>();
      return found?.version ?? null;
    },
    async listAll(accountId) {
      const found = await profiles.find({ accountId }).limit(LISTED_MAX).lean<ProfileDocument[]>();
      return found.map(fromDocument);
    },
  };
}

function toDocument({ id, set, ...profile }: Profile): ProfileDocument {
  return { ...profile, _id: id, set: toJsonText(set) };
}

function fromDocument({ _id, set, key, ...profile }: ProfileDocument): Profile {
  return { ...profile, id: _id, key: key ?? '', set: fromJsonText<Profile['set']>(set) };
}
