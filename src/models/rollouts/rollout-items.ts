/**
 * The resources of rollouts. Each item stores the definition from before the change. An interrupted change can
 * therefore be finished, and a finished change can be undone for a day.
 */
import type { Model } from 'mongoose';
import type { Variable } from '../../contracts/definition';
import {
  ROLLOUT_ITEM_STATES,
  type RolloutCounts,
  type RolloutItemState,
  type RolloutName,
} from '../../contracts/operations/rollouts';
import type { FieldChange } from '../../domain/definitions/field-changes';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { keyIdField, keyIdIndex, listKeyIds, type SealedParts } from '../store/derived-fields';
import { readAll } from '../store/entities';
import { atMost, matchAny } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { type ListQuery, type Page, readPage } from '../store/pages';

/** A write that a rollout was about to make. */
export interface RolloutAttempt {
  /** The version that the resource has after the write. */
  readonly version: number;
  /** The definition before the write, as JSON text. Secret values in it are encrypted. */
  readonly before: string;
  /** A hash of the definition after the write. */
  readonly afterHash: string;
  readonly atMs: number;
}

export interface RolloutItem {
  /** Built from the rollout and the resource, so that each resource occurs once in a rollout. */
  readonly id: string;
  readonly accountId: string;
  readonly rolloutId: string;
  readonly resourceId: string;
  readonly name: string;
  readonly state: RolloutItemState;
  /** The changes in a form for people. Secret values are masked. */
  readonly changes: readonly FieldChange[];
  /** The reason for a failed or skipped item. */
  readonly reason: { readonly code: string; readonly detail: string } | null;
  /** The write. null means that nothing was written, or that it can no longer be undone. */
  readonly attempt: RolloutAttempt | null;
  readonly createdAtMs: number;
}

export type ItemAttempt = Pick<RolloutItem, 'id' | 'name' | 'changes'> & {
  readonly attempt: RolloutAttempt;
};
export type ItemOutcome = Pick<RolloutItem, 'id' | 'state' | 'reason'>;

export interface RolloutItemStore {
  /** Stores the items. Existing items stay unchanged. */
  readonly createAll: (accountId: string, items: readonly RolloutItem[]) => Promise<void>;
  readonly find: (name: RolloutName, resourceId: string) => Promise<RolloutItem | null>;
  /** Lists some items that are pending. */
  readonly listPending: (name: RolloutName, limit: number) => Promise<readonly RolloutItem[]>;
  /** Lists items by the ids of their resources, in descending order. */
  readonly list: (
    name: RolloutName,
    query: ListQuery & { readonly state?: RolloutItemState | undefined },
  ) => Promise<Page<RolloutItem>>;
  readonly countStates: (name: RolloutName) => Promise<RolloutCounts>;
  readonly noteAttempts: (name: RolloutName, attempts: readonly ItemAttempt[]) => Promise<void>;
  readonly noteOutcomes: (name: RolloutName, outcomes: readonly ItemOutcome[]) => Promise<void>;
  /** Stores missing items. Makes existing items pending again. Failed items stay failed. */
  readonly reopen: (name: RolloutName, items: readonly RolloutItem[]) => Promise<void>;
  /**
   * Sets the time until which the rollout can be undone. After that time, housekeeping deletes the definitions from
   * before the rollout.
   */
  readonly setUndoUntil: (name: RolloutName, undoUntilMs: number) => Promise<void>;
}

export type RolloutItemDocument = Omit<RolloutItem, 'id' | 'changes' | 'reason' | 'attempt'> & {
  readonly _id: string;
  /** The fields `changes`, `reason`, `before` and `attempt` are JSON text. */
  readonly changes: string;
  readonly reason?: string;
  readonly before?: string;
  readonly attempt?: string;
  /** The keys that encrypted values of `before`. */
  readonly keyIds?: readonly string[];
  /** When `before` is deleted. Absent while the rollout runs. */
  readonly undoUntilMs?: number;
};

export const rolloutItemCollection = defineCollection<RolloutItemDocument>(
  'rolloutItems',
  {
    accountId: String,
    rolloutId: String,
    resourceId: String,
    name: String,
    state: String,
    changes: String,
    reason: String,
    before: String,
    attempt: String,
    keyIds: keyIdField,
    undoUntilMs: Number,
    createdAtMs: Number,
  },
  {
    indexes: [
      { key: { rolloutId: 1, _id: -1 } },
      { key: { rolloutId: 1, state: 1, _id: -1 } },
      {
        key: { undoUntilMs: 1 },
        partialFilterExpression: { undoUntilMs: { $exists: true } },
      },
      { key: { createdAtMs: 1 } },
      keyIdIndex,
    ],
  },
);

const REOPENED = matchAny(ROLLOUT_ITEM_STATES.filter((state) => state !== 'failed'));

type Reads = 'find' | 'listPending' | 'list' | 'countStates';

export function createRolloutItemStore(items: Model<RolloutItemDocument>): RolloutItemStore {
  return { ...createReads(items), ...createWrites(items) };
}

function createReads(items: Model<RolloutItemDocument>): Pick<RolloutItemStore, Reads> {
  return {
    async find({ accountId, rolloutId }, resourceId) {
      const _id = `${rolloutId}:${resourceId}`;
      const found = await items.findOne({ _id, accountId }).lean<RolloutItemDocument>();
      return found === null ? null : fromDocument(found);
    },
    listPending: ({ accountId, rolloutId }, limit) =>
      readAll(
        items
          .find({ accountId, rolloutId, state: 'pending' })
          .sort({ _id: -1 })
          .limit(limit)
          .lean<RolloutItemDocument[]>(),
        fromDocument,
      ),
    list: ({ accountId, rolloutId }, { state, ...query }) =>
      readPage(
        items,
        { accountId, rolloutId, ...(state !== undefined && { state }) },
        { query, fromDocument },
      ),
    async countStates({ accountId, rolloutId }) {
      const found = await items.aggregate<{ readonly _id: string; readonly count: number }>([
        { $match: { accountId, rolloutId } },
        { $group: { _id: '$state', count: { $sum: 1 } } },
      ]);
      return countsFrom((state) => found.find(({ _id }) => _id === state)?.count ?? 0);
    },
  };
}

function createWrites(items: Model<RolloutItemDocument>): Omit<RolloutItemStore, Reads> {
  const setById = async (
    { accountId, rolloutId }: RolloutName,
    changes: readonly { readonly id: string; readonly set: Partial<RolloutItemDocument> }[],
    state: RolloutItemState | typeof REOPENED = 'pending',
  ): Promise<void> => {
    if (changes.length === 0) return;
    await items.bulkWrite(
      changes.map(({ id, set }) => ({
        updateOne: { filter: { _id: id, accountId, rolloutId, state }, update: { $set: set } },
      })),
      { ordered: false },
    );
  };
  const createAll = async (accountId: string, given: readonly RolloutItem[]): Promise<void> => {
    if (given.length === 0) return;
    const documents = given.map((item) => toDocument({ ...item, accountId }));
    await writeUnlessPresent(() => items.insertMany(documents, { ordered: false }));
  };
  return {
    createAll,
    noteAttempts: (name, attempts) =>
      setById(
        name,
        attempts.map(({ id, name: shown, changes, attempt }) => ({
          id,
          set: { name: shown, changes: toJsonText(changes), ...attemptFields(attempt) },
        })),
      ),
    noteOutcomes: (name, outcomes) =>
      setById(
        name,
        outcomes.map(({ id, state, reason }) => ({
          id,
          set: { state, ...(reason !== null && { reason: toJsonText(reason) }) },
        })),
      ),
    async reopen(name, given) {
      await createAll(name.accountId, given);
      const changes = given.map(({ id }) => ({ id, set: { state: 'pending' } as const }));
      await setById(name, changes, REOPENED);
    },
    async setUndoUntil({ accountId, rolloutId }, undoUntilMs) {
      await items.updateMany({ accountId, rolloutId }, { $set: { undoUntilMs } });
    },
  };
}

/**
 * Deletes the definitions from before a rollout when they can no longer be restored. Returns the number of changed
 * items.
 */
export async function forgetReplaced(
  items: Model<RolloutItemDocument>,
  nowMs: number,
): Promise<number> {
  const { modifiedCount } = await items.updateMany(
    { undoUntilMs: atMost(nowMs) },
    { $unset: { before: 1, keyIds: 1, undoUntilMs: 1 } },
  );
  return modifiedCount;
}

function countsFrom(count: (state: RolloutItemState) => number): RolloutCounts {
  const [pending, changed, unchanged, failed, skipped] = ROLLOUT_ITEM_STATES.map(count);
  return {
    pending: pending ?? 0,
    changed: changed ?? 0,
    unchanged: unchanged ?? 0,
    failed: failed ?? 0,
    skipped: skipped ?? 0,
  };
}

/** The parts of a stored definition that contain encrypted values. */
export interface SealedDefinition extends SealedParts {
  readonly variables: readonly Variable[];
}

function attemptFields({ before, ...attempt }: RolloutAttempt) {
  const keyIds = listKeyIds(fromJsonText<SealedDefinition>(before));
  return { before, attempt: toJsonText(attempt), ...(keyIds.length > 0 && { keyIds }) };
}

function toDocument({ id, changes, reason, attempt, ...item }: RolloutItem): RolloutItemDocument {
  return {
    ...item,
    _id: id,
    changes: toJsonText(changes),
    ...(reason !== null && { reason: toJsonText(reason) }),
    ...(attempt !== null && attemptFields(attempt)),
  };
}

type Attempted = Omit<RolloutAttempt, 'before'>;

function fromDocument({
  _id,
  changes,
  reason,
  before,
  attempt,
  keyIds: _keys,
  undoUntilMs: _until,
  ...item
}: RolloutItemDocument): RolloutItem {
  const isKept = before !== undefined && attempt !== undefined;
  return {
    ...item,
    id: _id,
    changes: fromJsonText<readonly FieldChange[]>(changes),
    reason: reason === undefined ? null : fromJsonText<NonNullable<RolloutItem['reason']>>(reason),
    attempt: isKept ? { ...fromJsonText<Attempted>(attempt), before } : null,
  };
}
