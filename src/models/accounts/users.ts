/** Users, who may sign in to an account. Password hashes are stored, passwords never. */
import type { Model } from 'mongoose';
import type { MemberRole } from '../../domain/accounts/roles';
import { AppError } from '../../platform/errors';
import { isDuplicate } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { type ListQuery, type Page, readPage } from '../store/pages';

export interface User {
  readonly id: string;
  readonly accountId: string;
  /** In lower case. Unique over all accounts. */
  readonly email: string;
  /** argon2id as a PHC string. null until the user has set a password. */
  readonly passwordHash: string | null;
  readonly role: MemberRole;
  readonly createdAtMs: number;
}

export interface UserStore {
  /** Creates the very first user. Returns false if a user already exists; exactly one caller gets true. */
  readonly createFirst: (accountId: string, user: User) => Promise<boolean>;
  /** True if any user exists. */
  readonly isFirstPresent: () => Promise<boolean>;
  readonly create: (accountId: string, user: User) => Promise<void>;
  readonly find: (accountId: string, userId: string) => Promise<User | null>;
  /** Finds a user by email address for sign-in. This is the only lookup that does not need the account. */
  readonly findByEmail: (email: string) => Promise<User | null>;
  /** Newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<User>>;
  readonly count: (accountId: string, role?: MemberRole) => Promise<number>;
  readonly setRole: (accountId: string, userId: string, role: MemberRole) => Promise<void>;
  readonly setPassword: (accountId: string, userId: string, phc: string) => Promise<void>;
  /** Returns the removed user, or null. */
  readonly remove: (accountId: string, userId: string) => Promise<User | null>;
}

export type UserDocument = Omit<User, 'id'> & {
  readonly _id: string;
  /** Set on the owner that the first setup created. Unique, so that only one of several parallel setups succeeds. */
  readonly first?: true;
};

export const userCollection = defineCollection<UserDocument>(
  'users',
  {
    accountId: String,
    email: String,
    passwordHash: String,
    role: String,
    createdAtMs: Number,
    first: Boolean,
  },
  {
    indexes: [
      { key: { email: 1 }, unique: true },
      { key: { accountId: 1, _id: -1 } },
      { key: { first: 1 }, unique: true, partialFilterExpression: { first: true } },
    ],
  },
);

export function createUserStore(users: Model<UserDocument>): UserStore {
  return {
    async createFirst(accountId, { id, ...user }) {
      try {
        await users.create([{ ...user, _id: id, accountId, first: true }]);
        return true;
      } catch (error) {
        if (isDuplicate(error, 'first') || isDuplicate(error, 'email')) return false;
        throw error;
      }
    },
    async isFirstPresent() {
      return (await users.exists({})) !== null;
    },
    async create(accountId, { id, ...user }) {
      try {
        await users.create([{ ...user, _id: id, accountId }]);
      } catch (error) {
        if (!isDuplicate(error, 'email')) throw error;
        throw new AppError('key_taken', 'Another user has this email address.', { cause: error });
      }
    },
    async find(accountId, userId) {
      const found = await users.findOne({ _id: userId, accountId }).lean();
      return found === null ? null : fromDocument(found);
    },
    async findByEmail(email) {
      const found = await users.findOne({ email }).lean();
      return found === null ? null : fromDocument(found);
    },
    list: (accountId, query) => readPage(users, { accountId }, { query, fromDocument }),
    async count(accountId, role) {
      return users.countDocuments({ accountId, ...(role === undefined ? {} : { role }) });
    },
    async setRole(accountId, userId, role) {
      await users.updateOne({ _id: userId, accountId }, { $set: { role } });
    },
    async setPassword(accountId, userId, passwordHash) {
      await users.updateOne({ _id: userId, accountId }, { $set: { passwordHash } });
    },
    async remove(accountId, userId) {
      const removed = await users.findOneAndDelete({ _id: userId, accountId }).lean();
      return removed === null ? null : fromDocument(removed);
    },
  };
}

function fromDocument({ _id, first: _first, ...user }: UserDocument): User {
  return { id: _id, ...user };
}
