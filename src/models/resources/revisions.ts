/** Definition revisions, which probes read. Each change of a definition creates a new revision. */
import type { Model } from 'mongoose';
import type { Definition, ResourceKind } from '../../contracts/definition';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { keyIdField, keyIdIndex, listVariableKeys } from '../store/derived-fields';
import { above } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { writeTogether } from '../store/write-together';

export interface RevisionStore {
  /** Stores an immutable revision. Storing the same revision again changes nothing. */
  readonly save: (accountId: string, definition: Definition) => Promise<void>;
  readonly find: (
    accountId: string,
    kind: ResourceKind,
    id: string,
    revision: number,
  ) => Promise<Definition | null>;
}

/** Stores revisions for tests of unsaved definitions. */
export interface TestRevisionStore {
  /** Like save, but the revision is deleted some time after `expiresAtMs`. */
  readonly saveForTest: (
    accountId: string,
    definition: Definition,
    test: { readonly region: string; readonly expiresAtMs: number },
  ) => Promise<void>;
  /** Returns the region of the test. null means that the test does not exist. */
  readonly regionOfTest: (
    accountId: string,
    id: string,
    revision: number,
  ) => Promise<string | null>;
  /** Deletes a revision only if it belongs to a test. */
  readonly removeTest: (accountId: string, id: string, revision: number) => Promise<void>;
}

export interface RevisionDocument {
  /** `<resource id>:<revision>` */
  readonly _id: string;
  readonly accountId: string;
  readonly kind: ResourceKind;
  /** The definition as JSON text. */
  readonly definition: string;
  /** Present only in revisions for tests. The same applies to `region`. */
  readonly expiresAtMs?: number;
  readonly region?: string;
  readonly keyIds?: readonly string[];
}

export const revisionCollection = defineCollection<RevisionDocument>(
  'revisions',
  {
    accountId: String,
    kind: String,
    definition: String,
    expiresAtMs: Number,
    region: String,
    keyIds: keyIdField,
  },
  {
    indexes: [
      { key: { expiresAtMs: 1 }, partialFilterExpression: { expiresAtMs: { $exists: true } } },
      keyIdIndex,
    ],
  },
);

export function createRevisionStore(
  revisions: Model<RevisionDocument>,
): RevisionStore & TestRevisionStore {
  const write = writeTogether<RevisionDocument>({
    one: (document) => writeUnlessPresent(() => revisions.create([document])),
    many: (documents) =>
      writeUnlessPresent(() =>
        revisions.insertMany([...documents], { ordered: false, throwOnValidationError: true }),
      ),
  });
  async function save(
    accountId: string,
    definition: Definition,
    end: Pick<RevisionDocument, 'expiresAtMs' | 'region'> = {},
  ): Promise<void> {
    const { kind, id, revision } = definition;
    const text = toJsonText(definition);
    const keys = listVariableKeys(definition.variables);
    const sealedBy = keys.length === 0 ? {} : { keyIds: keys };
    const _id = revisionId(id, revision);
    await write({ _id, accountId, kind, definition: text, ...sealedBy, ...end });
  }

  return {
    save: (accountId, definition) => save(accountId, definition),
    saveForTest: save,
    async regionOfTest(accountId, id, revision) {
      const _id = revisionId(id, revision);
      const found = await revisions
        .findOne({ _id, accountId, expiresAtMs: above(0) }, { region: 1 })
        .lean();
      return found?.region ?? null;
    },
    async removeTest(accountId, id, revision) {
      await revisions.deleteOne({
        _id: revisionId(id, revision),
        accountId,
        expiresAtMs: above(0),
      });
    },
    async find(accountId, kind, id, revision) {
      const found = await revisions
        .findOne({ _id: revisionId(id, revision), accountId, kind })
        .lean();
      return found === null ? null : fromJsonText<Definition>(found.definition);
    },
  };
}

function revisionId(id: string, revision: number): string {
  return `${id}:${revision}`;
}
