/** Users: who may sign in to an account. It stores password hashes and never a password. */
import type { Model } from 'mongoose';
import { AppError } from '../platform/errors';
import type { UserRow } from '../services/rows';
import type { UserStore } from '../services/stores';
import { isDuplicateOf } from './database-errors';
import { defineCollection } from './define-schema';

export type UserDocument = Omit<UserRow, 'id'> & { readonly _id: string };

export const userCollection = defineCollection<UserDocument>(
  'users',
  {
    accountId: String,
    email: String,
    passwordHash: String,
    role: String,
    createdAtMs: Number,
  },
  { indexes: [{ key: { email: 1 }, unique: true }] },
);

export function createUserStore(users: Model<UserDocument>): UserStore {
  return {
    async create(accountId, { id, ...user }) {
      try {
        await users.create([{ ...user, _id: id, accountId }]);
      } catch (error) {
        if (!isDuplicateOf(error, 'email')) throw error;
        throw new AppError('key_taken', 'Another user has this address.', { cause: error });
      }
    },
    async find(accountId, userId) {
      const found = await users.findOne({ _id: userId, accountId }).lean();
      return found === null ? null : toRow(found);
    },
    async findByEmail(email) {
      const found = await users.findOne({ email }).lean();
      return found === null ? null : toRow(found);
    },
  };
}

function toRow({ _id, ...user }: UserDocument): UserRow {
  return { id: _id, ...user };
}
