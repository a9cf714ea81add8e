/**
 * Definition revisions: what a probe reads. Immutable; a change of a monitor or scenario makes a
 * new one.
 */
import type { Model } from 'mongoose';
import type { Definition, ResourceKind } from '../contracts/definition';
import type { RevisionStore } from '../services/stores';
import { isDuplicateKey } from './database-errors';
import { defineCollection } from './define-schema';
import { fromJsonText, toJsonText } from './json-text';

export interface RevisionDocument {
  /** `<resource id>:<rev>` */
  readonly _id: string;
  readonly accountId: string;
  readonly kind: ResourceKind;
  /** The definition as JSON text. */
  readonly definition: string;
}

export const revisionCollection = defineCollection<RevisionDocument>('revisions', {
  accountId: String,
  kind: String,
  definition: String,
});

export function createRevisionStore(revisions: Model<RevisionDocument>): RevisionStore {
  return {
    async save(accountId, definition) {
      const { kind, id, rev } = definition;
      try {
        await revisions.create([
          { _id: revisionId(id, rev), accountId, kind, definition: toJsonText(definition) },
        ]);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async find(accountId, kind, id, rev) {
      const found = await revisions.findOne({ _id: revisionId(id, rev), accountId, kind }).lean();
      return found === null ? null : fromJsonText<Definition>(found.definition);
    },
  };
}

function revisionId(id: string, rev: number): string {
  return `${id}:${rev}`;
}
