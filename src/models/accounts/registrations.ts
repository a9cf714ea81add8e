/** Open registrations: the right to create an account once, through a link that was sent to an email address. */
import type { Model } from 'mongoose';

import { defineCollection } from '../store/define-schema';

export interface Registration {
  /** SHA-256 of the token in the link, in hex. */
  readonly hash: string;
  /** The email address in lower case. */
  readonly email: string;
  /** The name of the new account. null means that an operator sent the link, and that the person chooses the name. */
  readonly accountName: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Stores registrations. They belong to no account, because the account does not exist yet. */
export interface RegistrationStore {
  /** Creates the registration. Replaces open registrations of the same address. */
  readonly create: (registration: Registration) => Promise<void>;
  readonly findByHash: (hash: string) => Promise<Registration | null>;
  /** Uses up the registration. Exactly one of several parallel callers gets true. */
  readonly consume: (hash: string) => Promise<boolean>;
}

export type RegistrationDocument = Omit<Registration, 'hash'> & { readonly _id: string };

export const registrationCollection = defineCollection<RegistrationDocument>(
  'registrations',
  { email: String, accountName: String, createdAtMs: Number, expiresAtMs: Number },
  { indexes: [{ key: { email: 1 } }, { key: { expiresAtMs: 1 } }] },
);

export function createRegistrationStore(
  registrations: Model<RegistrationDocument>,
): RegistrationStore {
  return {
    async create({ hash, ...registration }) {
      await registrations.deleteMany({ email: registration.email });
      await registrations.create([{ ...registration, _id: hash }]);
    },
    async findByHash(hash) {
      const found = await registrations.findOne({ _id: hash }).lean();
      if (found === null) return null;
      const { _id, ...registration } = found;
      return { hash: _id, ...registration };
    },
    async consume(hash) {
      return (await registrations.deleteOne({ _id: hash })).deletedCount === 1;
    },
  };
}
