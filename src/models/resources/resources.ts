/**
 * What monitors and scenarios share in the database: fields, indexes and the store over them.
 * Definitions are versioned; a check never writes them.
 */

import type { Model } from 'mongoose';
import { AppError } from '../../platform/errors';
import { isDuplicateOf } from '../store/database-errors';
import type { IndexDefinition } from '../store/define-schema';
import {
  type DerivedFields,
  derivedFields,
  keyIdIndex,
  type SealedParts,
  secretNamesIndex,
} from '../store/derived-fields';
import { below, oneOf } from '../store/filters';
import { cutPage } from '../store/pages';
import type { Resource, ResourceStore } from './resource';
import { resourceConditions } from './resource-filters';

/** Everything of a resource that is the same for both kinds. */
export type ResourceDocument = Stored<Resource> & DerivedFields & Pick<SealedParts, 'pingSealed'>;

/** How a row is stored: under its id, and without a key or dependencies that it does not have. */
export type Stored<Row> = Omit<Row, 'id' | 'key' | 'dependsOn'> & {
  readonly _id: string;
  readonly key?: string;
  readonly dependsOn?: readonly string[];
};

export const resourceFields = {
  accountId: String,
  version: Number,
  revision: Number,
  state: String,
  pausedAtMs: Number,
  pausedUntilMs: Number,
  pauseReason: String,
  createdAtMs: Number,
  updatedAtMs: Number,
  anchorMs: Number,
  name: String,
  intervalSeconds: Number,
  regions: [String],
  group: String,
  groupKey: String,
  tags: [String],
  key: String,
  managedBy: String,
  alerts: {
    channels: [String],
    emails: [String],
    onFailure: Boolean,
    onRecovery: Boolean,
    onDegraded: Boolean,
    remindEveryMinutes: Number,
    policy: String,
  },
  alertTargets: [
    {
      _id: false,
      key: String,
      type: { type: String },
      channelId: String,
      masked: String,
      sealed: String,
      onlyKinds: { type: [String], default: undefined },
      fallback: {
        type: { _id: false, channelId: String, afterMinutes: Number },
        default: undefined,
      },
      isStandby: Boolean,
    },
  ],
  dependsOn: { type: [String], default: undefined },
  searchText: String,
  variables: [{ _id: false, name: String, value: String, secret: Boolean }],
  ...derivedFields,
};

/** One object of a kind per key and account; those without a key are left alone. */
export const uniqueKeyIndex: IndexDefinition = {
  key: { accountId: 1, key: 1 },
  unique: true,
  partialFilterExpression: { key: { $exists: true } },
};

/** Only what depends on something is in it. */
const dependsOnIndex: IndexDefinition = {
  key: { accountId: 1, dependsOn: 1 },
  partialFilterExpression: { dependsOn: { $exists: true } },
};

export const resourceIndexes: readonly IndexDefinition[] = [
  { key: { accountId: 1, _id: -1 } },
  { key: { accountId: 1, groupKey: 1, _id: -1 } },
  { key: { accountId: 1, updatedAtMs: 1 } },
  uniqueKeyIndex,
  dependsOnIndex,
  keyIdIndex,
  secretNamesIndex,
];

/** An absent key is not stored, so that the unique index leaves it alone. */
export function keyField(key: string | null): { key?: string } {
  return key === null ? {} : { key };
}

/** As keyField, for the index of what depends on something. */
export function dependsOnField(dependsOn: Resource['dependsOn']): {
  dependsOn?: readonly string[];
} {
  return dependsOn.length === 0 ? {} : { dependsOn };
}

export interface ResourceStoreParts<Row, Document> {
  readonly model: Model<Document>;
  readonly toDocument: (row: Row) => Document;
  readonly toRow: (document: Document) => Row;
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

/** The store of one kind of resource. */
export function createResourceStore<Row extends Resource, Document extends ResourceDocument>({
  model,
  toDocument,
  toRow,
  remove,
}: ResourceStoreParts<Row, Document>): ResourceStore<Row> {
  return {
    remove,
    async create(accountId, row) {
      await refuseTakenKey(() => model.create([toDocument({ ...row, accountId })]));
    },
    async find(accountId, id) {
      const found = await model.findOne({ _id: id, accountId }).lean<Document>();
      return found === null ? null : toRow(found);
    },
    async count(accountId) {
      return model.countDocuments({ accountId });
    },
    async list(accountId, { limit, beforeId, filter = {}, ids }) {
      const conditions = [
        ...(beforeId === null ? [] : [{ _id: below(beforeId) }]),
        ...(ids === undefined ? [] : [{ _id: oneOf(ids) }]),
        ...resourceConditions(filter),
      ];
      const found = await model
        .find({ accountId, ...(conditions.length > 0 && { $and: conditions }) })
        .sort({ _id: -1 })
        .limit(limit + 1)
        .lean<Document[]>();
      return cutPage(found.map(toRow), limit);
    },
    async replace(accountId, row, expectedVersion) {
      const document = toDocument({ ...row, accountId });
      const outcome = await refuseTakenKey(() =>
        model.replaceOne({ _id: row.id, accountId, version: expectedVersion }, document),
      );
      return outcome.matchedCount === 1;
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
