/**
 * Definition revisions: what a probe reads. Immutable; a change of a monitor or scenario makes a
 * new one.
 */
import type { Model } from 'mongoose';
import type { Definition, ResourceKind } from '../contracts/definition';
import type { Clock } from '../platform/clock';
import type { Stores } from '../services/stores';
import { isDuplicateKey } from './database-errors';
import { defineCollection } from './define-schema';
import { above, between, oneOf } from './filters';
import { fromJsonText, toJsonText } from './json-text';

export interface RevisionDocument {
  /** `<resource id>:<rev>` */
  readonly _id: string;
  readonly accountId: string;
  readonly kind: ResourceKind;
  /** The definition as JSON text. */
  readonly definition: string;
  /** Of a test only. */
  readonly expiresAtMs?: number;
}

export const revisionCollection = defineCollection<RevisionDocument>(
  'revisions',
  {
    accountId: String,
    kind: String,
    definition: String,
    expiresAtMs: Number,
  },
  {
    indexes: [
      { key: { expiresAtMs: 1 }, partialFilterExpression: { expiresAtMs: { $exists: true } } },
    ],
  },
);

const SWEEP_EVERY_MS = 60_000;
const SWEEP_ROWS_MAX = 500;

/** Revisions that a crashed test left behind are deleted by a later test, a minute's worth at a time. */
export function createRevisionStore(
  revisions: Model<RevisionDocument>,
  clock: Clock,
): Stores['revisions'] {
  let sweptAtMs = 0;

  async function save(
    accountId: string,
    definition: Definition,
    end: Pick<RevisionDocument, 'expiresAtMs'> = {},
  ): Promise<void> {
    const { kind, id, rev } = definition;
    const text = toJsonText(definition);
    try {
      await revisions.create([
        { _id: revisionId(id, rev), accountId, kind, definition: text, ...end },
      ]);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async function sweep(nowMs: number): Promise<void> {
    if (nowMs - sweptAtMs < SWEEP_EVERY_MS) return;
    sweptAtMs = nowMs;
    const over = { expiresAtMs: between(0, nowMs) };
    const found = await revisions.find(over, { _id: 1 }).limit(SWEEP_ROWS_MAX).lean();
    if (found.length === 0) return;
    await revisions.deleteMany({ ...over, _id: oneOf(found.map(({ _id }) => _id)) });
  }

  return {
    save: (accountId, definition) => save(accountId, definition),
    async saveForTest(accountId, definition, expiresAtMs) {
      await sweep(clock.now());
      await save(accountId, definition, { expiresAtMs });
    },
    async removeTest(accountId, id, rev) {
      await revisions.deleteOne({ _id: revisionId(id, rev), accountId, expiresAtMs: above(0) });
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
