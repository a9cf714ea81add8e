/** The people of the installation, one per email address, with the hashes of their passwords. */
import type { Model } from 'mongoose';

import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readOne, toEntity } from '../store/entities';

export interface Person {
  readonly id: string;
  /** The email address in lower case, which is unique in the installation. */
  readonly email: string;
  /** The argon2id hash as a PHC string. null until the person has set a password. */
  readonly passwordHash: string | null;
  readonly createdAtMs: number;
  /** When the person first used a link that was mailed to the address. Absent if they never did. */
  readonly emailConfirmedAtMs?: number;
  /** The account to which the person switched last. The next session starts in it. */
  readonly lastAccountId?: string;
}

/** Stores people. They belong to no account. Members link people to accounts. */
export interface PersonStore {
  /** Creates the person, or returns the person with the same email address. All parallel callers get the same person. */
  readonly ensure: (person: Person) => Promise<Person>;
  readonly find: (personId: string) => Promise<Person | null>;
  readonly findByEmail: (email: string) => Promise<Person | null>;
  readonly setPassword: (personId: string, phc: string) => Promise<void>;
  /** Confirms the email address. Resolves to true for the first confirmation, whose time is kept. */
  readonly confirmEmail: (personId: string, atMs: number) => Promise<boolean>;
  readonly setLastAccount: (personId: string, accountId: string) => Promise<void>;
  /** Returns the removed person, or null. */
  readonly remove: (personId: string) => Promise<Person | null>;
}

export type PersonDocument = Omit<Person, 'id'> & { readonly _id: string };

export const personCollection = defineCollection<PersonDocument>(
  'people',
  {
    email: String,
    passwordHash: String,
    createdAtMs: Number,
    emailConfirmedAtMs: Number,
    lastAccountId: String,
  },
  { indexes: [{ key: { email: 1 }, unique: true }] },
);

export function createPersonStore(people: Model<PersonDocument>): PersonStore {
  return {
    async ensure(person) {
      const { id, ...fields } = person;
      for (;;) {
        if (await writeUnlessPresent(() => people.create([{ ...fields, _id: id }]))) return person;
        const found = await people.findOne({ email: person.email }).lean();
        // The person may have been removed between the two calls. In that case, the loop tries
        // again.
        if (found !== null) return toEntity(found);
      }
    },
    find: (personId) => readOne(people.findOne({ _id: personId }).lean(), toEntity),
    findByEmail: (email) => readOne(people.findOne({ email }).lean(), toEntity),
    async setPassword(personId, passwordHash) {
      await people.updateOne({ _id: personId }, { $set: { passwordHash } });
    },
    async confirmEmail(personId, atMs) {
      const { modifiedCount } = await people.updateOne(
        { _id: personId, emailConfirmedAtMs: null },
        { $set: { emailConfirmedAtMs: atMs } },
      );
      return modifiedCount === 1;
    },
    async setLastAccount(personId, lastAccountId) {
      await people.updateOne({ _id: personId }, { $set: { lastAccountId } });
    },
    remove: (personId) => readOne(people.findOneAndDelete({ _id: personId }).lean(), toEntity),
  };
}
