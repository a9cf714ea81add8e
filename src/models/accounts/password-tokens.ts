/** Links for setting a password. Only the hash of the link's token is stored. */
import type { Model } from 'mongoose';

import { defineCollection } from '../store/define-schema';

/** The right to set a person's password once, through a link. */
export interface PasswordToken {
  /** SHA-256 of the token in the link, in hex. */
  readonly hash: string;
  readonly personId: string;
  /** The account that the person was added to, and the membership there. null: the person requested the link. */
  readonly accountId: string | null;
  readonly userId: string | null;
  /** The user who added the member. null: not known, or the person requested the link. */
  readonly createdBy?: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface PasswordTokenStore {
  readonly create: (token: PasswordToken) => Promise<void>;
  /** Finds a token by hash, for any caller that has the link. */
  readonly findByHash: (hash: string) => Promise<PasswordToken | null>;
  /** The newest link from an account that has added the person. */
  readonly findIn: (accountId: string, userId: string) => Promise<PasswordToken | null>;
  /** Exactly one of several parallel callers gets true. */
  readonly consume: (hash: string) => Promise<boolean>;
  readonly removeRequested: (personId: string) => Promise<void>;
  /** Links to one account. */
  readonly removeAllIn: (accountId: string, userId: string) => Promise<void>;
}

export type PasswordTokenDocument = Omit<PasswordToken, 'hash'> & { readonly _id: string };

export const passwordTokenCollection = defineCollection<PasswordTokenDocument>(
  'passwordTokens',
  {
    personId: String,
    accountId: String,
    userId: String,
    createdBy: String,
    createdAtMs: Number,
    expiresAtMs: Number,
  },
  {
    indexes: [
      { key: { personId: 1 } },
      { key: { accountId: 1, userId: 1, createdAtMs: -1 } },
      { key: { expiresAtMs: 1 } },
    ],
  },
);

export function createPasswordTokenStore(tokens: Model<PasswordTokenDocument>): PasswordTokenStore {
  return {
    async create({ hash, ...token }) {
      await tokens.create([{ ...token, _id: hash }]);
    },
    async findByHash(hash) {
      const found = await tokens.findOne({ _id: hash }).lean();
      return found === null ? null : fromDocument(found);
    },
    async findIn(accountId, userId) {
      const found = await tokens.findOne({ accountId, userId }).sort({ createdAtMs: -1 }).lean();
      return found === null ? null : fromDocument(found);
    },
    async consume(hash) {
      return (await tokens.deleteOne({ _id: hash })).deletedCount === 1;
    },
    async removeRequested(personId) {
      await tokens.deleteMany({ personId, accountId: null });
    },
    async removeAllIn(accountId, userId) {
      await tokens.deleteMany({ accountId, userId });
    },
  };
}

function fromDocument({ _id, ...token }: PasswordTokenDocument): PasswordToken {
  return { ...token, hash: _id };
}
