/** Pipelines that an account trusts. A run of a CI service that belongs to a trusted pipeline gets a key. */
import type { Model } from 'mongoose';
import type { Scope } from '../../domain/accounts/roles';
import { defineCollection } from '../store/define-schema';
import { readOne, toEntity } from '../store/entities';
import { type ListQuery, type Page, readPage } from '../store/pages';

export interface Pipeline {
  /** `pip_…` */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** URL of the issuer that signs the tokens. */
  readonly issuer: string;
  readonly repository: string;
  /** The trusted branch. null means all branches. */
  readonly branch: string | null;
  readonly scopes: readonly Scope[];
  readonly createdAtMs: number;
  /**
   * The user who created or last changed the pipeline, directly or through a key. The pipeline is removed together with
   * the user.
   */
  readonly createdBy: string | null;
}

export interface PipelineStore {
  readonly create: (accountId: string, pipeline: Pipeline) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<Pipeline | null>;
  /** Finds a pipeline for a run of a CI service. This is the only look-up that needs no account id. */
  readonly findById: (id: string) => Promise<Pipeline | null>;
  /** Lists the pipelines, newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<Pipeline>>;
  readonly count: (accountId: string) => Promise<number>;
  /** Replaces the pipeline. Resolves to false if it no longer exists. */
  readonly replace: (accountId: string, pipeline: Pipeline) => Promise<boolean>;
  /** Removes the pipeline. Resolves to true if it existed. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
  /** Removes all pipelines that a user created or last changed, directly or through keys. */
  readonly removeForUser: (accountId: string, userId: string) => Promise<void>;
}

export type PipelineDocument = Omit<Pipeline, 'id'> & { readonly _id: string };

export const pipelineCollection = defineCollection<PipelineDocument>(
  'pipelines',
  {
    accountId: String,
    name: String,
    issuer: String,
    repository: String,
    branch: String,
    scopes: [String],
    createdAtMs: Number,
    createdBy: String,
  },
  { indexes: [{ key: { accountId: 1, _id: -1 } }] },
);

export function createPipelineStore(pipelines: Model<PipelineDocument>): PipelineStore {
  return {
    async create(accountId, { id, ...pipeline }) {
      await pipelines.create([{ ...pipeline, _id: id, accountId }]);
    },
    find: (accountId, id) => readOne(pipelines.findOne({ _id: id, accountId }).lean(), toEntity),
    findById: (id) => readOne(pipelines.findOne({ _id: id }).lean(), toEntity),
    list: (accountId, query) =>
      readPage(pipelines, { accountId }, { query, fromDocument: toEntity }),
    async count(accountId) {
      return pipelines.countDocuments({ accountId });
    },
    async replace(accountId, { id, ...pipeline }) {
      const document = { ...pipeline, _id: id, accountId };
      return (await pipelines.replaceOne({ _id: id, accountId }, document)).matchedCount === 1;
    },
    async remove(accountId, id) {
      return (await pipelines.deleteOne({ _id: id, accountId })).deletedCount === 1;
    },
    async removeForUser(accountId, userId) {
      await pipelines.deleteMany({ accountId, createdBy: userId });
    },
  };
}
