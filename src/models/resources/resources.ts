/** The fields, indexes and store methods that monitors and scenarios share. */

import type { Model } from 'mongoose';
import type { Inherited } from '../../contracts/definitions/inherited';
import type { IndexDefinition } from '../store/define-schema';
import {
  type DerivedFields,
  derivedFields,
  keyIdIndex,
  type SealedParts,
  secretNamesIndex,
} from '../store/derived-fields';
import { below, matchAny } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { cutPage } from '../store/pages';
import { createVersionedStore, type Stored, uniqueKeyIndex } from '../store/versioned-store';
import { writeTogether } from '../store/write-together';
import type { Layers, Resource, ResourceStore } from './resource';
import { buildResourceConditions } from './resource-filters';

/** All fields of a resource that both kinds have. */
export type ResourceDocument = Stored<Resource> & DerivedFields & Pick<SealedParts, 'pingSealed'>;

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
  hours: String,
  profile: String,
  own: { type: [String], default: undefined },
  fromProfile: { type: [String], default: undefined },
  profileVersion: Number,
  environment: String,
  inherited: String,
  outside: String,
  runbookUrl: String,
  note: String,
  searchText: String,
  variables: [{ _id: false, name: String, value: String, secret: Boolean }],
  ...derivedFields,
};

/** The index of dependencies. It contains only resources with dependencies. */
const dependsOnIndex: IndexDefinition = {
  key: { accountId: 1, dependsOn: 1 },
  partialFilterExpression: { dependsOn: { $exists: true } },
};

/** The index of service hours. It contains only resources with service hours. */
const hoursIndex: IndexDefinition = {
  key: { accountId: 1, hours: 1 },
  partialFilterExpression: { hours: { $exists: true } },
};

/** The index of profiles. It contains only resources with a profile. */
const profileIndex: IndexDefinition = {
  key: { accountId: 1, profile: 1 },
  partialFilterExpression: { profile: { $exists: true } },
};

/** The index of environments. It contains only resources with an environment. */
const environmentIndex: IndexDefinition = {
  key: { accountId: 1, environment: 1 },
  partialFilterExpression: { environment: { $exists: true } },
};

export const resourceIndexes: readonly IndexDefinition[] = [
  { key: { accountId: 1, _id: -1 } },
  { key: { accountId: 1, groupKey: 1, _id: -1 } },
  { key: { accountId: 1, updatedAtMs: 1 } },
  uniqueKeyIndex,
  dependsOnIndex,
  hoursIndex,
  profileIndex,
  environmentIndex,
  keyIdIndex,
  secretNamesIndex,
];

type SparseFields = Pick<Resource, 'dependsOn' | 'hours' | 'environment' | 'inherited'> & Layers;

/**
 * Leaves out empty fields, like `toKeyField`, so that the partial indexes of dependencies, service hours, environments and
 * profiles ignore the document.
 */
export function toSparseFields({
  dependsOn,
  hours,
  environment,
  inherited,
  ...layers
}: SparseFields): {
  dependsOn?: readonly string[];
  hours?: string;
  environment?: string;
  inherited?: string;
} & Layers {
  return {
    ...(dependsOn.length > 0 && { dependsOn }),
    ...(hours !== null && { hours }),
    ...(environment !== undefined && { environment }),
    ...(inherited !== undefined && { inherited: toJsonText(inherited) }),
    ...readLayers(layers),
  };
}

/**
 * Reads the layers of a definition. Returns an empty object without a profile, because the other fields then have no
 * meaning.
 */
function readLayers({ profile, own, fromProfile, profileVersion }: Layers): Layers {
  return profile == null ? {} : { profile, own, fromProfile, profileVersion };
}

/**
 * Converts a document. The fields are copied one by one: a rest spread of such a large object is a hundred times
 * slower, and a list reads hundreds of objects.
 */
export function toResource(document: ResourceDocument): Resource {
  return {
    id: document._id,
    accountId: document.accountId,
    version: document.version,
    revision: document.revision,
    state: document.state,
    pausedAtMs: document.pausedAtMs,
    pausedUntilMs: document.pausedUntilMs,
    pauseReason: document.pauseReason,
    createdAtMs: document.createdAtMs,
    updatedAtMs: document.updatedAtMs,
    anchorMs: document.anchorMs,
    name: document.name,
    intervalSeconds: document.intervalSeconds,
    regions: document.regions,
    group: document.group,
    groupKey: document.groupKey,
    tags: document.tags,
    key: document.key ?? null,
    alerts: document.alerts,
    alertTargets: document.alertTargets,
    dependsOn: document.dependsOn ?? [],
    hours: document.hours ?? null,
    outside: document.outside ?? 'quiet',
    runbookUrl: document.runbookUrl ?? null,
    note: document.note ?? null,
    searchText: document.searchText,
    variables: document.variables,
    ...readLayers(document),
    ...(document.managedBy !== undefined && { managedBy: document.managedBy }),
    ...(document.environment != null && { environment: document.environment }),
    ...(document.inherited != null && { inherited: fromJsonText<Inherited>(document.inherited) }),
  };
}

export interface ResourceStoreParts<Entity, Document> {
  readonly model: Model<Document>;
  readonly toDocument: (resource: Entity) => Document;
  readonly fromDocument: (document: Document) => Entity;
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

interface Created<Entity> {
  readonly accountId: string;
  readonly entity: Entity;
}

export function createResourceStore<Entity extends Resource, Document extends ResourceDocument>({
  model,
  toDocument,
  fromDocument,
  remove,
}: ResourceStoreParts<Entity, Document>): ResourceStore<Entity> {
  const {
    create: createOne,
    find,
    count,
    replace,
  } = createVersionedStore({
    model,
    toDocument,
    fromDocument,
  });
  const create = writeTogether<Created<Entity>>({
    one: ({ accountId, entity }) => createOne(accountId, entity),
    many: (created) =>
      model.insertMany(
        created.map(({ accountId, entity }) => toDocument({ ...entity, accountId })),
        { ordered: false, throwOnValidationError: true },
      ),
  });
  return {
    create: (accountId, entity) => create({ accountId, entity }),
    find,
    count,
    replace,
    remove,
    async list(accountId, { limit, beforeId, filter = {}, ids }) {
      const conditions = [
        ...(beforeId === null ? [] : [{ _id: below(beforeId) }]),
        ...(ids === undefined ? [] : [{ _id: matchAny(ids) }]),
        ...buildResourceConditions(filter),
      ];
      const found = await model
        .find({ accountId, ...(conditions.length > 0 && { $and: conditions }) })
        .sort({ _id: -1 })
        .limit(limit + 1)
        .lean<Document[]>();
      return cutPage(found.map(fromDocument), limit);
    },
  };
}
