/** API keys, found by the hash of the whole key. The key itself is never stored. */
import type { Model } from 'mongoose';
import type { Scope } from '../../domain/accounts/roles';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';
import { below } from '../store/filters';
import { type ListQuery, type Page, readPage } from '../store/pages';

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 of the whole key, in hex. */
  readonly hash: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  /** True means that the key may manage all accounts, while its creator is an operator of the installation. */
  readonly isForOperator?: boolean;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly createdAtMs: number;
  /**
   * The user who created the key, directly or through another key, or who took it over. The key is revoked when the
   * user is removed.
   */
  readonly createdBy?: string | null;
  /** Set for the key of a pipeline run. */
  readonly pipelineId?: string | null;
  readonly lastUsedAtMs: number | null;
}

export interface ApiKeyStore {
  readonly create: (accountId: string, key: ApiKey) => Promise<void>;
  /** Finds a key by its hash. This is the only look-up that needs no account id. */
  readonly findByHash: (hash: string) => Promise<ApiKey | null>;
  /** Lists the keys, newest first, including revoked ones. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<ApiKey>>;
  readonly find: (accountId: string, keyId: string) => Promise<ApiKey | null>;
  /** Counts the keys that are not revoked. Keys of pipelines are left out. */
  readonly count: (accountId: string) => Promise<number>;
  /** Revokes the key. The next request with the key is refused. If the key was already revoked, the first time is kept. */
  readonly revoke: (accountId: string, keyId: string, atMs: number) => Promise<void>;
  /** Revokes all keys that a user created, directly or through other keys, or took over. */
  readonly revokeForUser: (accountId: string, userId: string, atMs: number) => Promise<void>;
  /** Lists a user's keys that are not revoked. Keys of pipelines are left out. */
  readonly listOfMaker: (accountId: string, userId: string) => Promise<readonly ApiKey[]>;
  /** Gives a key to another user, unless it was revoked in the meantime. The key can no longer manage all accounts. */
  readonly move: (
    accountId: string,
    keyId: string,
    to: { readonly createdBy: string; readonly scopes: readonly Scope[] },
  ) => Promise<void>;
  /** Counts the keys of the pipeline's runs, including expired keys that are not removed yet. */
  readonly countOfPipeline: (accountId: string, pipelineId: string) => Promise<number>;
  /** Removes keys of the pipeline's runs that expire before `beforeMs`. */
  readonly removeOfPipeline: (
    accountId: string,
    pipelineId: string,
    beforeMs: number,
  ) => Promise<void>;
  /** Records that the key was used. Writes at most once per key and minute. */
  readonly touch: (accountId: string, keyId: string, atMs: number) => Promise<void>;
}

const TOUCH_EVERY_MS = 60_000;
/**
 * Stored as the time of use if the key was never used. null is not stored, because a range filter never matches null.
 */
const NEVER = -1;

export type ApiKeyDocument = Omit<ApiKey, 'id' | 'lastUsedAtMs'> & {
  readonly _id: string;
  readonly lastUsedAtMs: number;
};

export const apiKeyCollection = defineCollection<ApiKeyDocument>(
  'apiKeys',
  {
    accountId: String,
    name: String,
    hash: String,
    prefix: String,
    last4: String,
    scopes: [String],
    isForOperator: Boolean,
    expiresAtMs: Number,
    revokedAtMs: Number,
    createdAtMs: Number,
    createdBy: String,
    pipelineId: String,
    lastUsedAtMs: Number,
  },
  { indexes: [{ key: { hash: 1 }, unique: true }, { key: { accountId: 1, _id: -1 } }] },
);

export function createApiKeyStore(apiKeys: Model<ApiKeyDocument>): ApiKeyStore {
  return {
    async create(accountId, { id, lastUsedAtMs, ...key }) {
      await apiKeys.create([{ ...key, _id: id, accountId, lastUsedAtMs: lastUsedAtMs ?? NEVER }]);
    },
    findByHash: (hash) => readOne(apiKeys.findOne({ hash }).lean(), fromDocument),
    list: (accountId, query) => readPage(apiKeys, { accountId }, { query, fromDocument }),
    find: (accountId, keyId) =>
      readOne(apiKeys.findOne({ _id: keyId, accountId }).lean(), fromDocument),
    async count(accountId) {
      return apiKeys.countDocuments({ accountId, revokedAtMs: null, pipelineId: null });
    },
    async revoke(accountId, keyId, atMs) {
      await apiKeys.updateOne(
        { _id: keyId, accountId, revokedAtMs: null },
        { $set: { revokedAtMs: atMs } },
      );
    },
    async revokeForUser(accountId, userId, atMs) {
      await apiKeys.updateMany(
        { accountId, createdBy: userId, revokedAtMs: null },
        { $set: { revokedAtMs: atMs } },
      );
    },
    listOfMaker: (accountId, userId) =>
      readAll(
        apiKeys.find({ accountId, createdBy: userId, revokedAtMs: null, pipelineId: null }).lean(),
        fromDocument,
      ),
    async move(accountId, keyId, { createdBy, scopes }) {
      await apiKeys.updateOne(
        { _id: keyId, accountId, revokedAtMs: null },
        { $set: { createdBy, scopes: [...scopes] }, $unset: { isForOperator: 1 } },
      );
    },
    async countOfPipeline(accountId, pipelineId) {
      return apiKeys.countDocuments({ accountId, pipelineId });
    },
    async removeOfPipeline(accountId, pipelineId, beforeMs) {
      await apiKeys.deleteMany({ accountId, pipelineId, expiresAtMs: below(beforeMs) });
    },
    async touch(accountId, keyId, atMs) {
      await apiKeys.updateOne(
        { _id: keyId, accountId, lastUsedAtMs: below(atMs - TOUCH_EVERY_MS) },
        { $set: { lastUsedAtMs: atMs } },
      );
    },
  };
}

function fromDocument({ _id, lastUsedAtMs, ...key }: ApiKeyDocument): ApiKey {
  return { id: _id, ...key, lastUsedAtMs: lastUsedAtMs === NEVER ? null : lastUsedAtMs };
}
