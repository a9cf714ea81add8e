/** Passkeys of people. Only public keys are stored. */
import type { Model } from 'mongoose';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne, toEntity } from '../store/entities';

export interface Passkey {
  /** The credential id in base64url. The authenticator chose it, and it is unique. */
  readonly id: string;
  readonly personId: string;
  /** The public key as a COSE key in base64url. */
  readonly publicKey: string;
  /** The number of signatures that the authenticator has created. Some authenticators do not count their signatures. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

export interface PasskeyStore {
  readonly find: (id: string) => Promise<Passkey | null>;
  /** Stores the passkey. Resolves to false if the credential is already stored. */
  readonly add: (passkey: Passkey) => Promise<boolean>;
  /** Lists the person's passkeys, oldest first. */
  readonly listForPerson: (personId: string) => Promise<readonly Passkey[]>;
  /**
   * Records a use. Returns false if the counter is no longer `from`, which means that this signature was used before.
   */
  readonly use: (
    id: string,
    change: { readonly from: number; readonly to: number; readonly atMs: number },
  ) => Promise<boolean>;
  /** Renames the passkey. Resolves to false if the person has no such passkey. */
  readonly rename: (personId: string, id: string, name: string) => Promise<boolean>;
  readonly remove: (personId: string, id: string) => Promise<boolean>;
  readonly removeForPerson: (personId: string) => Promise<void>;
}

export type PasskeyDocument = Omit<Passkey, 'id'> & { readonly _id: string };

export const passkeyCollection = defineCollection<PasskeyDocument>(
  'passkeys',
  {
    personId: String,
    publicKey: String,
    counter: Number,
    transports: [String],
    name: String,
    createdAtMs: Number,
    lastUsedAtMs: Number,
  },
  { indexes: [{ key: { personId: 1, createdAtMs: 1 } }] },
);

export function createPasskeyStore(passkeys: Model<PasskeyDocument>): PasskeyStore {
  return {
    find: (id) => readOne(passkeys.findOne({ _id: id }).lean(), toEntity),
    async add({ id, ...passkey }) {
      return writeUnlessPresent(() => passkeys.create([{ ...passkey, _id: id }]));
    },
    listForPerson: (personId) =>
      readAll(passkeys.find({ personId }).sort({ createdAtMs: 1 }).lean(), toEntity),
    async use(id, { from, to, atMs }) {
      const outcome = await passkeys.updateOne(
        { _id: id, counter: from },
        { $set: { counter: to, lastUsedAtMs: atMs } },
      );
      return outcome.matchedCount === 1;
    },
    async rename(personId, id, name) {
      return (
        (await passkeys.updateOne({ _id: id, personId }, { $set: { name } })).matchedCount === 1
      );
    },
    async remove(personId, id) {
      return (await passkeys.deleteOne({ _id: id, personId })).deletedCount === 1;
    },
    async removeForPerson(personId) {
      await passkeys.deleteMany({ personId });
    },
  };
}
