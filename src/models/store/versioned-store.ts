/**
 * A store for entities that users create and change. An entity is replaced only if its version has not changed since it
 * was read.
 */
import type { Model } from 'mongoose';
import { AppError } from '../../platform/errors';
import { isDuplicate } from './database-errors';
import type { IndexDefinition } from './define-schema';
import { readOne } from './entities';
import { type ListQuery, type Page, readPage } from './pages';

/** The stored form of an entity. Its id is `_id`. Empty fields, such as the key, may be absent. */
export type Stored<Entity> = Omit<
  Entity,
  'id' | 'key' | 'dependsOn' | 'hours' | 'environment' | 'inherited'
> & {
  readonly _id: string;
  readonly key?: string;
  readonly dependsOn?: readonly string[];
  readonly hours?: string;
  readonly environment?: string;
  /** Resource.inherited as JSON text. */
  readonly inherited?: string;
};

export interface VersionedStore<Entity> {
  /** Creates the entity. Throws AppError `key_taken` if another entity of the account has the key. */
  readonly create: (accountId: string, entity: Entity) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<Entity | null>;
  /** Lists entities, newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<Entity>>;
  readonly count: (accountId: string) => Promise<number>;
  /**
   * Replaces the entity if its version is `expectedVersion`. Returns false if it has another version or was deleted.
   */
  readonly replace: (
    accountId: string,
    entity: Entity,
    expectedVersion: number,
  ) => Promise<boolean>;
  /** Removes the entity if its version is `expectedVersion`. Returns false if it has another version or was deleted. */
  readonly remove: (accountId: string, id: string, expectedVersion: number) => Promise<boolean>;
}

/** The index that makes keys unique per account and collection. Documents without a key are not in it. */
export const uniqueKeyIndex: IndexDefinition = {
  key: { accountId: 1, key: 1 },
  unique: true,
  partialFilterExpression: { key: { $exists: true } },
};

/** Returns the field for the key. A missing key is not stored, so that the unique index ignores the document. */
export function toKeyField(key: string | null): { key?: string } {
  return key === null ? {} : { key };
}

interface VersionedDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly version: number;
}

interface Parts<Entity, Document> {
  readonly model: Model<Document>;
  readonly toDocument: (entity: Entity) => Document;
  readonly fromDocument: (document: Document) => Entity;
  /** Wraps each write and translates the error of a unique index. */
  readonly refuseTaken?: <Result>(write: () => Promise<Result>) => Promise<Result>;
}

export function createVersionedStore<
  Entity extends { readonly id: string },
  Document extends VersionedDocument,
>({
  model,
  toDocument,
  fromDocument,
  refuseTaken = refuseTakenKey,
}: Parts<Entity, Document>): VersionedStore<Entity> {
  return {
    async create(accountId, entity) {
      await refuseTaken(() => model.create([toDocument({ ...entity, accountId })]));
    },
    find: (accountId, id) =>
      readOne(model.findOne({ _id: id, accountId }).lean<Document>(), fromDocument),
    list: (accountId, query) => readPage(model, { accountId }, { query, fromDocument }),
    count: (accountId) => model.countDocuments({ accountId }),
    async replace(accountId, entity, version) {
      const document = toDocument({ ...entity, accountId });
      const outcome = await refuseTaken(() =>
        model.replaceOne({ _id: entity.id, accountId, version }, document),
      );
      return outcome.matchedCount === 1;
    },
    async remove(accountId, id, version) {
      return (await model.deleteOne({ _id: id, accountId, version })).deletedCount === 1;
    },
  };
}

/** Runs the write. Throws `key_taken` if the unique index of keys refuses it. */
export async function refuseTakenKey<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicate(error, 'key')) throw error;
    throw new AppError('key_taken', 'This key is already used in the account.', { cause: error });
  }
}
