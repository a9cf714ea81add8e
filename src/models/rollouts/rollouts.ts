/** Rollouts of accounts. */
import type { Model } from 'mongoose';
import type {
  JsonObject,
  RolloutCause,
  RolloutChange,
  RolloutCounts,
  RolloutState,
} from '../../contracts/operations/rollouts';
import type { AuditActor } from '../accounts/audit';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';
import { above, matchAny } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { type Batch, type ListQuery, type Page, readPage } from '../store/pages';

export interface Rollout {
  /** `rol_…`. An account's rollouts run in the order of their ids. */
  readonly id: string;
  readonly accountId: string;
  readonly state: RolloutState;
  readonly cause: RolloutCause;
  /** The change. Secret values are masked after the rollout has ended. */
  readonly change: RolloutChange;
  readonly actor: AuditActor;
  /** The data that an undo needs, without secret values. null means that the rollout was caused by an edit. */
  readonly undo: JsonObject | null;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** The time until which the rollout can be undone. null means that the rollout has not ended, or cannot be undone. */
  readonly undoUntilMs: number | null;
  /** The final counts. null means that the rollout has not ended. */
  readonly counts: RolloutCounts | null;
  /** The id of the rollout that undoes this rollout. The undoing rollout may not be stored yet. */
  readonly undoneBy: string | null;
}

export interface RolloutEnd
  extends Pick<Rollout, 'endedAtMs' | 'undoUntilMs' | 'counts' | 'change'> {
  readonly id: string;
}

export interface RolloutStore {
  /** Stores the rollout. Returns false if it already exists. */
  readonly createOnce: (accountId: string, rollout: Rollout) => Promise<boolean>;
  readonly find: (accountId: string, id: string) => Promise<Rollout | null>;
  /** Lists rollouts, newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<Rollout>>;
  /** Lists the account's rollouts that have not ended, in the order in which they run. */
  readonly listOpen: (accountId: string) => Promise<readonly Rollout[]>;
  /** Lists the rollouts of all accounts that have not ended, in the order of ids. */
  readonly listAllOpen: (batch: Batch) => Promise<readonly Rollout[]>;
  /** Stores the start. Returns false if the rollout has begun already. */
  readonly begin: (accountId: string, id: string, atMs: number) => Promise<boolean>;
  /** Stores the end. If an end is already stored, changes nothing. The rollout stays open until `close`. */
  readonly end: (accountId: string, end: RolloutEnd) => Promise<void>;
  readonly close: (accountId: string, id: string) => Promise<void>;
  /**
   * Stores the id of the rollout that undoes this rollout, unless an id is already stored. Returns the stored id, or
   * null if the rollout does not exist.
   */
  readonly claimUndo: (accountId: string, id: string, undoneBy: string) => Promise<string | null>;
}

export type RolloutDocument = Omit<
  Rollout,
  'id' | 'cause' | 'change' | 'actor' | 'undo' | 'counts' | 'undoneBy'
> & {
  readonly _id: string;
  readonly actorType: AuditActor['type'];
  readonly actorId: string;
  readonly actorName: string;
  /** The fields `cause`, `change`, `undo` and `counts` are JSON text. */
  readonly cause: string;
  readonly change: string;
  readonly undo?: string;
  readonly counts?: string;
  readonly undoneBy?: string;
};

/** Milliseconds for which rollouts are kept. */
export const ROLLOUTS_KEPT_MS = 30 * 24 * 3_600_000;

export const rolloutCollection = defineCollection<RolloutDocument>(
  'rollouts',
  {
    accountId: String,
    state: String,
    cause: String,
    change: String,
    actorType: String,
    actorId: String,
    actorName: String,
    undo: String,
    createdAtMs: Number,
    startedAtMs: Number,
    endedAtMs: Number,
    undoUntilMs: Number,
    counts: String,
    undoneBy: String,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { state: 1, _id: 1 } },
      { key: { createdAtMs: 1 } },
    ],
  },
);

const OPEN: readonly RolloutState[] = ['waiting', 'running'];
/** Maximum number of open rollouts that are read. An account never has that many open rollouts. */
const OPEN_MAX = 1_000;

export function createRolloutStore(rollouts: Model<RolloutDocument>): RolloutStore {
  return {
    createOnce: (accountId, rollout) =>
      writeUnlessPresent(() => rollouts.create([toDocument({ ...rollout, accountId })])),
    find: (accountId, id) =>
      readOne(rollouts.findOne({ _id: id, accountId }).lean<RolloutDocument>(), fromDocument),
    list: (accountId, query) => readPage(rollouts, { accountId }, { query, fromDocument }),
    async listOpen(accountId) {
      const found = await rollouts
        .find({ accountId, state: matchAny(OPEN) })
        .sort({ _id: 1 })
        .limit(OPEN_MAX)
        .lean<RolloutDocument[]>();
      const open = found.map(fromDocument);
      const running = open.filter(({ state }) => state === 'running');
      return [...running, ...open.filter(({ state }) => state === 'waiting')];
    },
    listAllOpen: ({ lastId, max }) =>
      readAll(
        rollouts
          .find({ state: matchAny(OPEN), ...(lastId !== null && { _id: above(lastId) }) })
          .sort({ _id: 1 })
          .limit(max)
          .lean<RolloutDocument[]>(),
        fromDocument,
      ),
    async begin(accountId, id, atMs) {
      const { matchedCount } = await rollouts.updateOne(
        { _id: id, accountId, state: 'waiting' },
        { $set: { state: 'running', startedAtMs: atMs } },
      );
      return matchedCount === 1;
    },
    async end(accountId, { id, endedAtMs, undoUntilMs, counts, change }) {
      const set = { endedAtMs, undoUntilMs, ...buildTexts({ counts }), change: toJsonText(change) };
      await rollouts.updateOne({ _id: id, accountId, endedAtMs: null }, { $set: set });
    },
    async close(accountId, id) {
      await rollouts.updateOne({ _id: id, accountId }, { $set: { state: 'ended' } });
    },
    async claimUndo(accountId, id, undoneBy) {
      await rollouts.updateOne({ _id: id, accountId, undoneBy: null }, { $set: { undoneBy } });
      const found = await rollouts.findOne({ _id: id, accountId }).lean<RolloutDocument>();
      return found?.undoneBy ?? null;
    },
  };
}

/** Converts fields to texts. Fields that are null are not stored. */
function buildTexts({ undo = null, counts }: Partial<Pick<Rollout, 'undo' | 'counts'>>) {
  return {
    ...(undo !== null && { undo: toJsonText(undo) }),
    ...(counts != null && { counts: toJsonText(counts) }),
  };
}

function toDocument({
  id,
  actor,
  cause,
  change,
  undo,
  counts,
  undoneBy,
  ...rollout
}: Rollout): RolloutDocument {
  return {
    ...rollout,
    _id: id,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    cause: toJsonText(cause),
    change: toJsonText(change),
    ...buildTexts({ undo, counts }),
    ...(undoneBy !== null && { undoneBy }),
  };
}

function fromDocument({
  _id,
  actorType,
  actorId,
  actorName,
  cause,
  change,
  undo,
  counts,
  undoneBy,
  ...rollout
}: RolloutDocument): Rollout {
  return {
    ...rollout,
    id: _id,
    actor: { type: actorType, id: actorId, name: actorName },
    cause: fromJsonText<RolloutCause>(cause),
    change: fromJsonText<RolloutChange>(change),
    undo: undo === undefined ? null : fromJsonText<JsonObject>(undo),
    counts: counts === undefined ? null : fromJsonText<RolloutCounts>(counts),
    undoneBy: undoneBy ?? null,
  };
}
