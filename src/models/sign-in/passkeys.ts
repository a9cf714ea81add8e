/** Passkeys of people. Only public keys are stored. */
import type { Model } from 'mongoose';
import { unlessThere } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne, toEntity } from '../store/entities';

export interface Passkey {
  /** Credential id in base64url, which the authenticator chose. Unique. */
  readonly id: string;
  readonly personId: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  /** How often the authenticator has signed, as far as it counts. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

export interface PasskeyStore {
  readonly find: (id: string) => Promise<Passkey | null>;
  /** Resolves to false if the credential is stored already. */
  readonly add: (passkey: Passkey) => Promise<boolean>;
  /** Oldest first. */
  readonly listForPerson: (personId: string) => Promise<readonly Passkey[]>;
  /**
   * Records a use. False means that the counter is no longer `from`, so this signature was used
   * before.
   */
  readonly use: (
    id: string,
    change: { readonly from: number; readonly to: number; readonly atMs: number },
  ) => Promise<boolean>;
  /** Resolves to false if the person has no such passkey. */
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
      return unlessThere(() => passkeys.create([{ ...passkey, _id: id }]));
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
