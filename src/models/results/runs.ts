/**
 * The current state of scenario runs. A save replaces an earlier state, but never a later state or the state of a
 * finished run.
 */
import type { Model } from 'mongoose';
import {
  isFinished,
  type RunFailure,
  type RunRecord,
  type RunSource,
} from '../../contracts/records';
import { buildUlid } from '../../domain/definitions/ids';
import type { Clock } from '../../platform/clock';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { below, between, justAfter, matchAny } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { cutPage } from '../store/pages';

export interface RunQuery {
  readonly limit: number;
  /** True means oldest first. The default is newest first. */
  readonly isOldestFirst?: boolean | undefined;
  /** The list continues after this id. null means the beginning. */
  readonly beforeId: string | null;
  readonly scenarioId: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly region: string | null;
  /** Selects runs with one of these statuses. null means any status. */
  readonly status: readonly RunRecord['status'][] | null;
  readonly trigger: RunRecord['trigger'] | null;
}

export interface RunStore {
  /**
   * Stores the run, unless the stored run has ended. A run that has not ended is stored only if its `sequence` is
   * higher than the stored `sequence`.
   */
  readonly save: (accountId: string, run: RunRecord) => Promise<void>;
  readonly find: (accountId: string, runId: string) => Promise<RunRecord | null>;
  /** Returns a page of runs, ordered by id. */
  readonly page: (
    accountId: string,
    query: RunQuery,
  ) => Promise<{ readonly items: readonly RunRecord[]; readonly hasMore: boolean }>;
  /** Returns which of the runs have ended. */
  readonly findEnded: (
    accountId: string,
    runIds: readonly string[],
  ) => Promise<ReadonlySet<string>>;
  /** Counts earlier runs that users have requested and that have not ended, up to the limit. */
  readonly countRequested: (
    accountId: string,
    query: { readonly scenarioId: string; readonly beforeId: string; readonly limit: number },
  ) => Promise<number>;
  /** True if a run of the scenario in the region has not ended. */
  readonly isUnderWay: (accountId: string, scenarioId: string, region: string) => Promise<boolean>;
  /** Deletes queued runs for which no workflow exists yet. A run that has started is kept. */
  readonly discard: (accountId: string, runIds: readonly string[]) => Promise<void>;
}

/**
 * Maximum difference in ms between the time in a run's id and its slot. Queueing and different clocks cause the
 * difference.
 */
const ID_SLACK_MS = 24 * 3600_000;
/** The triggers of runs that users request. */
const REQUESTED: readonly RunRecord['trigger'][] = ['manual', 'api'];
const UNFINISHED: readonly RunRecord['status'][] = ['queued', 'running', 'waiting'];
const RUN_PREFIX = 'run_';
/** An id that sorts after all ids of runs. */
const RUN_END = 'run`';

export type RunDocument = Omit<RunRecord, 'runId' | 'steps' | 'failure' | 'source'> & {
  readonly _id: string;
  readonly finished: boolean;
  /** The steps as JSON text. */
  readonly steps: string;
  readonly failure: string | null;
  /** RunRecord.source as JSON text. */
  readonly source: string | null;
  /** The time of the last write, by the writer's clock. */
  readonly changedAtMs: number;
};

export const runCollection = defineCollection<RunDocument>(
  'runs',
  {
    accountId: String,
    scenarioId: String,
    revision: Number,
    environment: String,
    region: String,
    trigger: String,
    label: String,
    status: String,
    sequence: Number,
    finished: Boolean,
    slotMs: Number,
    queuedAtMs: Number,
    startedAtMs: Number,
    finishedAtMs: Number,
    steps: String,
    failure: String,
    source: String,
    countedInUptime: Boolean,
    executionId: String,
    changedAtMs: Number,
  },
  {
    indexes: [
      { key: { accountId: 1, scenarioId: 1, _id: -1 } },
      { key: { accountId: 1, changedAtMs: 1 } },
      { key: { accountId: 1, scenarioId: 1, status: 1, _id: -1 } },
      { key: { finished: 1, _id: 1 }, partialFilterExpression: { finished: false } },
    ],
  },
);

export function createRunStore(runs: Model<RunDocument>, clock: Clock): RunStore {
  return {
    async save(accountId, run) {
      await saveRun(runs, { ...run, accountId }, clock.now());
    },
    find: (accountId, runId) =>
      readOne(runs.findOne({ _id: runId, accountId }).lean<RunDocument>(), toRunRecord),
    async page(accountId, query) {
      const { scenarioId, region, status, trigger } = query;
      const found = await runs
        .find({
          accountId,
          scenarioId,
          ...buildRanges(query),
          ...(region === null ? {} : { region }),
          ...(status === null ? {} : { status: matchAny(status) }),
          ...(trigger === null ? {} : { trigger }),
        })
        .sort({ _id: query.isOldestFirst === true ? 1 : -1 })
        .limit(query.limit + 1)
        .lean<RunDocument[]>();
      return cutPage(found.map(toRunRecord), query.limit);
    },
    async findEnded(accountId, runIds) {
      const ended = { _id: matchAny(runIds), accountId, finished: true };
      const found = await runs.find(ended, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    async countRequested(accountId, { scenarioId, beforeId, limit }) {
      const requested = {
        accountId,
        scenarioId,
        status: matchAny(UNFINISHED),
        trigger: matchAny(REQUESTED),
        _id: below(beforeId),
      };
      return (await runs.find(requested, { _id: 1 }).limit(limit).lean()).length;
    },
    async isUnderWay(accountId, scenarioId, region) {
      const status = matchAny(UNFINISHED);
      return (await runs.exists({ accountId, scenarioId, status, region })) !== null;
    },
    async discard(accountId, runIds) {
      await runs.deleteMany({ _id: matchAny(runIds), accountId, finished: false, sequence: 0 });
    },
  };
}

/**
 * Stores the run if its `sequence` is higher than the stored one. The end of a run is stored with any `sequence`, because
 * a lost orchestrator may have stored higher numbers than the next orchestrator knows. A run that has ended is never
 * overwritten: the function then returns false.
 */
export async function saveRun(
  runs: Model<RunDocument>,
  run: RunRecord,
  changedAtMs: number,
): Promise<boolean> {
  // The time is never before the end of the run. Readers of changes then miss nothing, even if the
  // clock of this process is behind.
  const notedAtMs = Math.max(changedAtMs, run.finishedAtMs ?? 0);
  const { _id, accountId, ...fields } = toDocument(run, notedAtMs);
  // Matches only an older state of a run that has not ended.
  const older = {
    _id,
    accountId,
    finished: false,
    ...(!fields.finished && { sequence: below(run.sequence) }),
  };
  const update = { $set: fields };
  if (await writeUnlessPresent(() => runs.updateOne(older, update, { upsert: true }))) return true;
  return (await runs.exists({ _id, accountId, finished: true })) === null;
}

/** Computes the ranges of ids to read. Ids sort by time, so a time range limits the ids. */
function buildRanges({ fromMs, toMs, beforeId, isOldestFirst }: RunQuery) {
  const first = fromMs === null ? RUN_PREFIX : firstRunId(fromMs - ID_SLACK_MS);
  const end = toMs === null ? RUN_END : firstRunId(toMs + ID_SLACK_MS);
  const ids =
    isOldestFirst === true
      ? between(beforeId === null || first > beforeId ? first : justAfter(beforeId), end)
      : between(first, beforeId === null || end < beforeId ? end : beforeId);
  if (fromMs === null && toMs === null) return { _id: ids };
  return { _id: ids, slotMs: between(fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER) };
}

function firstRunId(atMs: number): string {
  return RUN_PREFIX + buildUlid(atMs, new Uint8Array(10));
}

function toDocument(
  { runId, steps, failure, source, ...run }: RunRecord,
  changedAtMs: number,
): RunDocument {
  return {
    ...run,
    changedAtMs,
    _id: runId,
    finished: isFinished(run.status),
    steps: toJsonText(steps),
    failure: failure === null ? null : toJsonText(failure),
    source: source === null ? null : toJsonText(source),
  };
}

/** Restores the record from its document. */
export function toRunRecord(document: RunDocument): RunRecord {
  const {
    _id,
    finished: _finished,
    changedAtMs: _changed,
    steps,
    failure,
    source,
    ...run
  } = document;
  return {
    ...run,
    runId: _id,
    steps: fromJsonText<RunRecord['steps']>(steps),
    failure: failure === null ? null : fromJsonText<RunFailure>(failure),
    source: source === null ? null : fromJsonText<RunSource>(source),
  };
}
