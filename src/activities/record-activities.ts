/**
 * The activities that write to the database. A failure says whether the database is unavailable or has refused the
 * write.
 */

import type { RecordActivities, RecordOutcome } from '../contracts/activities';
import type {
  BacklogActivities,
  InFlightRecords,
  PendingRecord,
  RefusedRecords,
} from '../contracts/backlog';
import { isFinished, type RunRecord } from '../contracts/records';
import type { StoredOutcome, StoredOutcomesQuestion } from '../contracts/watches';
import { cutText } from '../domain/text/cut-text';
import type { RefusedRecord, RefusedRecordStore } from '../models/operations/refused-records';
import type { Stores } from '../models/stores';
import type { Clock } from '../platform/clock';
import { isUnavailable } from '../platform/errors';
import type { Logger } from '../platform/logger';
import { takeOverPause } from '../services/resources/take-over-pause';
import type { CheckRecorder } from '../services/results/record-check';
import { nameDatabaseFailure } from './name-database-failure';

/** One attempt stores records for at most this long: half of the activity's timeout. */
const HAND_OVER_FOR_MS = 10_000;
/** A refused record is retried for this long, because the refusal may be a temporary fault of the database. */
const REFUSED_FINAL_AFTER_MS = 24 * 3_600_000;
/**
 * The same limit for a record of a run. It is shorter, because the scenario waits until the end of its run is stored.
 */
const RUN_REFUSED_FINAL_AFTER_MS = 15 * 60_000;

const REASON_LENGTH_MAX = 1_000;
const RECORD_LENGTH_MAX = 64 * 1024;

export interface RecordDependencies {
  readonly recorder: CheckRecorder;
  readonly stores: Pick<Stores, 'monitors' | 'scenarios' | 'results'>;
  readonly refusedRecords: RefusedRecordStore;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  /** True if probes may check steady monitors by themselves (watches). */
  readonly mayBeWatched: boolean;
}

/**
 * Each activity may be repeated, because storing a record twice has no effect. The workflow retries an activity after a
 * failure.
 */
export function createRecordActivities(
  needs: RecordDependencies,
): RecordActivities & BacklogActivities {
  const { recorder, stores } = needs;
  return {
    recordMonitorCheck: (record) =>
      nameDatabaseFailure(async () => {
        const result = await recorder.recordMonitorCheck(record);
        return needs.mayBeWatched ? { ...result, mayBeWatched: true } : result;
      }),
    recordScenarioSlot: (record) => nameDatabaseFailure(() => recorder.recordScenarioSlot(record)),
    saveRun: (run) => nameDatabaseFailure(() => saveRun(needs, run)),
    saveDecisions: (record) => nameDatabaseFailure(() => recorder.saveDecisions(record)),
    saveOperatorChange: (record) => nameDatabaseFailure(() => takeOverPause(stores, record)),
    readStoredOutcomes: (question) =>
      nameDatabaseFailure(() => readStoredOutcomes(stores, question)),
    recordWaiting: (pendingRecords) =>
      nameDatabaseFailure(async () => {
        const { gone, done, refusals } = await storeAll(needs, pendingRecords);
        return { gone, done, refused: [...refusals.keys()] };
      }),
    retryRefused: (refused) => nameDatabaseFailure(() => storeRefused(needs, refused)),
  };
}

async function readStoredOutcomes(
  { results }: RecordDependencies['stores'],
  { accountId, monitorId, regions, fromSlotMs, toSlotMs }: StoredOutcomesQuestion,
): Promise<readonly StoredOutcome[]> {
  const span = { monitorId, fromMs: fromSlotMs, toMs: toSlotMs + 1, status: null, after: null };
  const pages = await Promise.all(
    regions.map((region) => results.page(accountId, { ...span, regions: [region], limit: 1 })),
  );
  return pages.flatMap(({ items }) =>
    items.flatMap(({ region, slotMs, outcome }) =>
      outcome === null ? [] : [{ region, slotMs, outcome }],
    ),
  );
}

interface Stored extends Pick<InFlightRecords, 'gone' | 'done'> {
  /** The errors of the refused records, by the index of the record. */
  readonly refusals: ReadonlyMap<number, unknown>;
}

/** Stores the records one after the other until the time limit. Throws if the database is unavailable. */
async function storeAll(
  { recorder, clock }: RecordDependencies,
  pendingRecords: readonly PendingRecord[],
): Promise<Stored> {
  const untilMs = clock.now() + HAND_OVER_FOR_MS;
  const refusals = new Map<number, unknown>();
  for (const [index, { kind, record }] of pendingRecords.entries()) {
    if (clock.now() >= untilMs) return { gone: false, done: index, refusals };
    try {
      const storing =
        kind === 'monitor'
          ? recorder.recordMonitorCheck(record)
          : recorder.recordScenarioSlot(record);
      if ((await storing).gone) return { gone: true, done: pendingRecords.length, refusals };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      refusals.set(index, error);
    }
  }
  return { gone: false, done: pendingRecords.length, refusals };
}

async function storeRefused(
  needs: RecordDependencies,
  { records: pendingRecords, sinceMs }: RefusedRecords,
): Promise<InFlightRecords> {
  const { gone, done, refusals } = await storeAll(needs, pendingRecords);
  const isFinal = needs.clock.now() - sinceMs >= REFUSED_FINAL_AFTER_MS;
  if (!isFinal && refusals.size > 0 && !gone)
    throw new Error(`The database refuses ${refusals.size} of ${pendingRecords.length} records.`);
  for (const [index, reason] of gone ? [] : refusals) {
    const pending = pendingRecords[index];
    if (pending !== undefined) await giveUp(needs, listed(pending), reason);
  }
  return { gone, done, refused: [] };
}

async function saveRun(needs: RecordDependencies, run: RunRecord): Promise<RecordOutcome> {
  const { recorder, clock } = needs;
  try {
    return await recorder.saveRun(run);
  } catch (error) {
    const endedMs = isFinished(run.status) ? (run.finishedAtMs ?? run.queuedAtMs) : null;
    const isFinal = endedMs !== null && clock.now() - endedMs >= RUN_REFUSED_FINAL_AFTER_MS;
    if (isUnavailable(error) || !isFinal) throw error;
    const { accountId, scenarioId, slotMs, runId } = run;
    await giveUp(
      needs,
      { id: runId, accountId, resourceId: scenarioId, slotMs, record: run },
      error,
    );
    return { gone: false };
  }
}

interface Listed extends Pick<RefusedRecord, 'id' | 'accountId' | 'resourceId' | 'slotMs'> {
  readonly record: object;
}

function listed({ kind, record }: PendingRecord): Listed {
  const { accountId, slotMs } = record;
  const resourceId = kind === 'monitor' ? record.monitorId : record.scenarioId;
  const region = kind === 'monitor' ? '' : record.region;
  return {
    id: `${resourceId} ${slotMs} ${record.kind} ${region}`,
    accountId,
    resourceId,
    slotMs,
    record,
  };
}

/** Adds the record to the list of refused records, which operators can read. Throws if the database is unavailable. */
async function giveUp(
  { refusedRecords, clock, logger }: RecordDependencies,
  { record, ...row }: Listed,
  cause: unknown,
): Promise<void> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const { resourceId, slotMs } = row;
  logger.error({ resourceId, slotMs, reason }, 'gave up a record that the database refuses');
  await refusedRecords.keep({
    ...row,
    reason: cutText(reason, REASON_LENGTH_MAX),
    record: cutText(JSON.stringify(record), RECORD_LENGTH_MAX, ''),
    givenUpAtMs: clock.now(),
  });
}
