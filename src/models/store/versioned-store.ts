/**
 * The store of what people make and change: found by account and id, and written only over the version
 * that was read. It knows nothing of what is stored.
 */
import type { Model } from 'mongoose';
import { AppError } from '../../platform/errors';
import { isDuplicateOf } from './database-errors';
import type { IndexDefinition } from './define-schema';
import { type ListQuery, type Page, readPage } from './pages';

/** How it is stored: under its id, and without a key, dependencies or hours that it does not have. */
export type Stored<Entity> = Omit<Entity, 'id' | 'key' | 'dependsOn' | 'hours'> & {
  readonly _id: string;
  readonly key?: string;
  readonly dependsOn?: readonly string[];
  readonly hours?: string;
};

export interface VersionedStore<Entity> {
  /** Throws AppError `key_taken` when another one of the account has the key. */
  readonly create: (accountId: string, entity: Entity) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<Entity | null>;
  /** Newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<Entity>>;
  readonly count: (accountId: string) => Promise<number>;
  /** Replaces it when the stored version is still `expectedVersion`; false when it is not, or gone. */
  readonly replace: (
    accountId: string,
    entity: Entity,
    expectedVersion: number,
  ) => Promise<boolean>;
  /** Removes it when the stored version is still `expectedVersion`; false when it is not, or gone. */
  readonly remove: (accountId: string, id: string, expectedVersion: number) => Promise<boolean>;
}

/** One object of a kind per key and account; those without a key are left alone. */
export const uniqueKeyIndex: IndexDefinition = {
  key: { accountId: 1, key: 1 },
  unique: true,
  partialFilterExpression: { key: { $exists: true } },
};

/** An absent key is not stored, so that the unique index leaves it alone. */
export function keyField(key: string | null): { key?: string } {
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
  /** Around each write: what the error of a unique index means. */
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
    async find(accountId, id) {
      const found = await model.findOne({ _id: id, accountId }).lean<Document>();
      return found === null ? null : fromDocument(found);
    },
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

/** Throws `key_taken` when the unique index of keys refuses the write. */
export async function refuseTakenKey<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateOf(error, 'key')) throw error;
    throw new AppError('key_taken', 'Another one of the account has this key.', { cause: error });
  }
}
