/** Links for setting a password. Only the hash of the link's token is stored. */
import type { Model } from 'mongoose';

import { defineCollection } from '../store/define-schema';

/** The right to set a user's password once, through a link. */
export interface PasswordToken {
  /** SHA-256 of the token in the link, in hex. */
  readonly hash: string;
  readonly accountId: string;
  readonly userId: string;
  /** The user who added the member. null: the member requested the link. */
  readonly createdBy?: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface PasswordTokenStore {
  readonly create: (accountId: string, token: PasswordToken) => Promise<void>;
  /** Finds a token by hash, for any caller that has the link. This is the only lookup without an account. */
  readonly findByHash: (hash: string) => Promise<PasswordToken | null>;
  /** Exactly one of several parallel callers gets true. */
  readonly consume: (accountId: string, hash: string) => Promise<boolean>;
  readonly removeAllOf: (accountId: string, userId: string) => Promise<void>;
}

export type PasswordTokenDocument = Omit<PasswordToken, 'hash'> & { readonly _id: string };

export const passwordTokenCollection = defineCollection<PasswordTokenDocument>(
  'passwordTokens',
  {
    accountId: String,
    userId: String,
    createdBy: String,
    createdAtMs: Number,
    expiresAtMs: Number,
  },
  { indexes: [{ key: { accountId: 1, userId: 1, createdAtMs: -1 } }, { key: { expiresAtMs: 1 } }] },
);

export function createPasswordTokenStore(tokens: Model<PasswordTokenDocument>): PasswordTokenStore {
  return {
    async create(accountId, { hash, ...token }) {
      await tokens.create([{ ...token, _id: hash, accountId }]);
    },
    async findByHash(hash) {
      const found = await tokens.findOne({ _id: hash }).lean();
      return found === null ? null : fromDocument(found);
    },
    async consume(accountId, hash) {
      return (await tokens.deleteOne({ _id: hash, accountId })).deletedCount === 1;
    },
    async removeAllOf(accountId, userId) {
      await tokens.deleteMany({ accountId, userId });
    },
  };
}

function fromDocument({ _id, ...token }: PasswordTokenDocument): PasswordToken {
  return { ...token, hash: _id };
}
