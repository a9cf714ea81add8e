/** Members: each links one person to one account. */
import type { Model } from 'mongoose';
import type { MemberRole } from '../../domain/accounts/roles';
import { AppError } from '../../platform/errors';
import { isDuplicate } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';
import { type ListQuery, type Page, readPage } from '../store/pages';

export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly personId: string;
  /** The person's email address in lower case, as a copy. It is unique within the account. */
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAtMs: number;
  readonly joinedAtMs: number;
}

export interface UserStore {
  /**
   * Creates the owner of the first setup. Returns false if there already is one. Exactly one of several parallel
   * callers gets true.
   */
  readonly createFirst: (accountId: string, user: User) => Promise<boolean>;
  /** True if any user exists. */
  readonly isFirstPresent: () => Promise<boolean>;
  readonly create: (accountId: string, user: User) => Promise<void>;
  readonly find: (accountId: string, userId: string) => Promise<User | null>;
  readonly findByEmail: (accountId: string, email: string) => Promise<User | null>;
  /** Lists the person's memberships in all accounts, oldest first. */
  readonly listOfPerson: (personId: string) => Promise<readonly User[]>;
  /** Lists the members, newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<User>>;
  readonly count: (accountId: string) => Promise<number>;
  readonly countOwners: (accountId: string) => Promise<number>;
  /** Lists the owners, oldest first. */
  readonly listOwners: (accountId: string) => Promise<readonly User[]>;
  readonly setRole: (accountId: string, userId: string, role: MemberRole) => Promise<void>;
  /** Returns the removed user, or null. */
  readonly remove: (accountId: string, userId: string) => Promise<User | null>;
}

/** Maximum number of owners that are read. An account has far fewer owners. */
const OWNERS_MAX = 1_000;

export type UserDocument = Omit<User, 'id'> & {
  readonly _id: string;
  /** Set on the owner of the first setup. The field is unique, so only one of several parallel setups succeeds. */
  readonly first?: true;
};

export const userCollection = defineCollection<UserDocument>(
  'users',
  {
    accountId: String,
    personId: String,
    email: String,
    role: String,
    createdAtMs: Number,
    joinedAtMs: Number,
    first: Boolean,
  },
  {
    indexes: [
      { key: { accountId: 1, email: 1 }, unique: true },
      {
        // The index leaves out users of earlier releases, who have no person until they are
        // migrated.
        key: { accountId: 1, personId: 1 },
        unique: true,
        partialFilterExpression: { personId: { $exists: true } },
      },
      { key: { personId: 1 } },
      { key: { accountId: 1, _id: -1 } },
      { key: { first: 1 }, unique: true, partialFilterExpression: { first: true } },
    ],
    retiredIndexes: ['email_1'],
  },
);

export function createUserStore(users: Model<UserDocument>): UserStore {
  return {
    async createFirst(accountId, { id, ...user }) {
      try {
        await users.create([{ ...user, _id: id, accountId, first: true }]);
        return true;
      } catch (error) {
        if (isDuplicate(error, 'first') || isDuplicate(error, 'accountId')) return false;
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
        // An invitation may determine the id, so a parallel request may have used it.
        if (!isDuplicate(error, 'accountId') && !isDuplicate(error, '_id')) throw error;
        throw memberPresent(error);
      }
    },
    find: (accountId, userId) =>
      readOne(users.findOne({ _id: userId, accountId }).lean(), fromDocument),
    findByEmail: (accountId, email) =>
      readOne(users.findOne({ accountId, email }).lean(), fromDocument),
    listOfPerson: (personId) =>
      readAll(users.find({ personId }).sort({ _id: 1 }).lean(), fromDocument),
    list: (accountId, query) => readPage(users, { accountId }, { query, fromDocument }),
    count: async (accountId) => users.countDocuments({ accountId }),
    async countOwners(accountId) {
      return users.countDocuments({ accountId, role: 'owner' });
    },
    listOwners: (accountId) =>
      readAll(
        users.find({ accountId, role: 'owner' }).sort({ _id: 1 }).limit(OWNERS_MAX).lean(),
        fromDocument,
      ),
    async setRole(accountId, userId, role) {
      await users.updateOne({ _id: userId, accountId }, { $set: { role } });
    },
    remove: (accountId, userId) =>
      readOne(users.findOneAndDelete({ _id: userId, accountId }).lean(), fromDocument),
  };
}

function memberPresent(cause: unknown): AppError {
  return new AppError('key_taken', 'This account already has a member with this email address.', {
    cause,
  });
}

function fromDocument({ _id, first: _first, ...user }: UserDocument): User {
  return { id: _id, ...user };
}
