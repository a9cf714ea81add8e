/** Identities at identity providers with which people sign in. No tokens are stored. */
import { createHash } from 'node:crypto';
import type { Model } from 'mongoose';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';

/** A person at an identity provider. An issuer never gives the same subject to another person. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly personId: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
}

/** Stores identities. They belong to people, who belong to no account. */
export interface IdentityStore {
  readonly find: (issuer: string, subject: string) => Promise<Identity | null>;
  /**
   * Stores the identity. Returns false if the identity already belongs to a person. Of several parallel callers, one
   * succeeds.
   */
  readonly add: (identity: Identity) => Promise<boolean>;
  readonly touch: (issuer: string, subject: string, atMs: number) => Promise<void>;
  /** Lists the person's identities, oldest first. */
  readonly listForPerson: (personId: string) => Promise<readonly Identity[]>;
  readonly remove: (personId: string, issuer: string) => Promise<void>;
  readonly removeForPerson: (personId: string) => Promise<void>;
}

export type IdentityDocument = Identity & { readonly _id: string };

export const identityCollection = defineCollection<IdentityDocument>(
  'identities',
  {
    issuer: String,
    subject: String,
    personId: String,
    createdAtMs: Number,
    lastUsedAtMs: Number,
  },
  { indexes: [{ key: { personId: 1, createdAtMs: 1 } }] },
);

export function createIdentityStore(identities: Model<IdentityDocument>): IdentityStore {
  return {
    find: (issuer, subject) =>
      readOne(identities.findOne({ _id: buildId(issuer, subject) }).lean(), fromDocument),
    async add(identity) {
      const _id = buildId(identity.issuer, identity.subject);
      return writeUnlessPresent(() => identities.create([{ ...identity, _id }]));
    },
    async touch(issuer, subject, atMs) {
      await identities.updateOne(
        { _id: buildId(issuer, subject) },
        { $set: { lastUsedAtMs: atMs } },
      );
    },
    listForPerson: (personId) =>
      readAll(identities.find({ personId }).sort({ createdAtMs: 1 }).lean(), fromDocument),
    async remove(personId, issuer) {
      await identities.deleteMany({ personId, issuer });
    },
    async removeForPerson(personId) {
      await identities.deleteMany({ personId });
    },
  };
}

/** Builds the id as a hash, because subjects can be long. */
function buildId(issuer: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
}

function fromDocument({ _id, ...identity }: IdentityDocument): Identity {
  return identity;
}
