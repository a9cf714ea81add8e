/** Links for setting a password, requested by the person. Only the hash of the link's token is stored. */
import type { Model } from 'mongoose';

import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';

/** The right to set the password of a person once, through a link. */
export interface PasswordToken {
  /** SHA-256 of the token in the link, in hex. */
  readonly hash: string;
  readonly personId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface PasswordTokenStore {
  readonly create: (token: PasswordToken) => Promise<void>;
  readonly findByHash: (hash: string) => Promise<PasswordToken | null>;
  /** Uses up the token. Exactly one of several parallel callers gets true. */
  readonly consume: (hash: string) => Promise<boolean>;
  readonly removeForPerson: (personId: string) => Promise<void>;
}

export type PasswordTokenDocument = Omit<PasswordToken, 'hash'> & {
  readonly _id: string;
  /**
   * The account that added the person. Only links of earlier releases have this field, and they can no longer set a
   * password.
   */
  readonly accountId?: string | null;
};

export const passwordTokenCollection = defineCollection<PasswordTokenDocument>(
  'passwordTokens',
  { personId: String, accountId: String, createdAtMs: Number, expiresAtMs: Number },
  {
    indexes: [{ key: { personId: 1 } }, { key: { accountId: 1 } }, { key: { expiresAtMs: 1 } }],
    retiredIndexes: ['accountId_1_userId_1_createdAtMs_-1'],
  },
);

export function createPasswordTokenStore(tokens: Model<PasswordTokenDocument>): PasswordTokenStore {
  return {
    async create({ hash, ...token }) {
      await tokens.create([{ ...token, _id: hash }]);
    },
    findByHash: (hash) =>
      readOne(tokens.findOne({ _id: hash, accountId: null }).lean(), fromDocument),
    async consume(hash) {
      return (await tokens.deleteOne({ _id: hash })).deletedCount === 1;
    },
    async removeForPerson(personId) {
      await tokens.deleteMany({ personId });
    },
  };
}

function fromDocument({
  _id,
  accountId: _accountId,
  ...token
}: PasswordTokenDocument): PasswordToken {
  return { ...token, hash: _id };
}
