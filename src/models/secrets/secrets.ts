/** Secrets of accounts with encrypted values, and the definitions that use them. */
import type { Model } from 'mongoose';
import type { MonitorDocument } from '../resources/monitors';
import type { ScenarioDocument } from '../resources/scenarios';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readKeyIds } from '../store/derived-fields';
import { readAll } from '../store/entities';
import { above, matchAny } from '../store/filters';
import { cutPage } from '../store/pages';

/** A secret of an account. Only probes get its value. */
export interface Secret {
  readonly accountId: string;
  readonly name: string;
  /** Grows with every new value. */
  readonly version: number;
  /** The hosts to which the secret may be sent. null or absent means any host. */
  readonly hosts?: readonly string[] | null;
  readonly sealed: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A monitor or scenario, and the secrets to which its definition refers. */
export interface SecretUse {
  readonly id: string;
  readonly secretNames: readonly string[];
}

export interface SecretStore {
  /** Stores a new secret. Returns false if the name is already taken. */
  readonly create: (accountId: string, secret: Secret) => Promise<boolean>;
  /** Replaces the secret if its stored version is still `expectedVersion`. Returns false otherwise. */
  readonly replace: (
    accountId: string,
    secret: Secret,
    expectedVersion: number,
  ) => Promise<boolean>;
  readonly findMany: (accountId: string, names: readonly string[]) => Promise<readonly Secret[]>;
  /** Lists secrets in the order of names, after the given name. */
  readonly list: (
    accountId: string,
    query: { readonly limit: number; readonly afterName: string | null },
  ) => Promise<{ readonly items: readonly Secret[]; readonly hasMore: boolean }>;
  readonly count: (accountId: string) => Promise<number>;
  /** Returns a text that changes when a secret is created, replaced or removed, and otherwise stays the same. */
  readonly describeState: (accountId: string) => Promise<string>;
  /** Removes the secret if its stored version is still `expectedVersion`. Returns false otherwise. */
  readonly remove: (accountId: string, name: string, expectedVersion: number) => Promise<boolean>;
  /** Finds the monitors and scenarios whose current definition refers to one of these secrets. */
  readonly findUses: (accountId: string, names: readonly string[]) => Promise<readonly SecretUse[]>;
}

export type SecretDocument = Secret & {
  /** `<account id>:<name>` */
  readonly _id: string;
  readonly keyIds: readonly string[];
};

export const secretCollection = defineCollection<SecretDocument>(
  'secrets',
  {
    accountId: String,
    name: String,
    version: Number,
    hosts: { type: [String], default: undefined },
    sealed: String,
    keyIds: [String],
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  { indexes: [{ key: { accountId: 1, name: 1 }, unique: true }, { key: { keyIds: 1 } }] },
);

interface SecretModels {
  readonly secrets: Model<SecretDocument>;
  readonly monitors: Model<MonitorDocument>;
  readonly scenarios: Model<ScenarioDocument>;
}

export function createSecretStore({ secrets, monitors, scenarios }: SecretModels): SecretStore {
  return {
    create: (accountId, secret) =>
      writeUnlessPresent(() => secrets.create([toDocument({ ...secret, accountId })])),
    async replace(accountId, secret, expectedVersion) {
      const outcome = await secrets.replaceOne(
        { _id: secretId(accountId, secret.name), accountId, version: expectedVersion },
        toDocument({ ...secret, accountId }),
      );
      return outcome.matchedCount === 1;
    },
    findMany: (accountId, names) =>
      readAll(secrets.find({ accountId, name: matchAny(names) }).lean(), fromDocument),
    async list(accountId, { limit, afterName }) {
      const after = afterName === null ? {} : { name: above(afterName) };
      const found = await secrets
        .find({ accountId, ...after })
        .sort({ name: 1 })
        .limit(limit + 1)
        .lean();
      return cutPage(found.map(fromDocument), limit);
    },
    async count(accountId) {
      return secrets.countDocuments({ accountId });
    },
    async describeState(accountId) {
      const found = await secrets
        .find({ accountId }, { _id: 0, name: 1, version: 1, createdAtMs: 1 })
        .sort({ name: 1 })
        .lean();
      return JSON.stringify(
        found.map(({ name, version, createdAtMs }) => [name, version, createdAtMs]),
      );
    },
    async remove(accountId, name, version) {
      const _id = secretId(accountId, name);
      const outcome = await secrets.deleteOne({ _id, accountId, version });
      return outcome.deletedCount === 1;
    },
    async findUses(accountId, names) {
      const filter = { accountId, secretNames: matchAny(names) };
      const fields = { _id: 1, secretNames: 1 };
      const found = await Promise.all([
        monitors.find(filter, fields).sort({ _id: 1 }).lean(),
        scenarios.find(filter, fields).sort({ _id: 1 }).lean(),
      ]);
      return found.flat().map(toUse);
    },
  };
}

function secretId(accountId: string, name: string): string {
  return `${accountId}:${name}`;
}

function toDocument(secret: Secret): SecretDocument {
  const _id = secretId(secret.accountId, secret.name);
  return { ...secret, _id, keyIds: readKeyIds([secret.sealed]) };
}

function fromDocument({ _id, keyIds: _keys, ...secret }: SecretDocument): Secret {
  return secret;
}

function toUse({
  _id,
  secretNames = [],
}: {
  readonly _id: string;
  readonly secretNames?: readonly string[];
}): SecretUse {
  return { id: _id, secretNames };
}
