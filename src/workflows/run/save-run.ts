/** Saves a run while it is in progress. While one save waits for the database, further saves are skipped. */
import type { RunRecord } from '../../contracts/records';
import { durable, local, noteRecordOutcome, runInBackground, tryOnce } from '../loop/store-record';

/** The part of a run's state that this file uses. */
export interface Saving {
  woken: boolean;
  /**
   * True if the scenario is gone, or the database has the end of the run. In both cases, the run ends as soon as it
   * can.
   */
  removed: boolean;
  /** True while a save waits for the database. */
  isSaving: boolean;
}

/**
 * Saves the run. Resolves after one short try. If the database was unavailable, the save is retried in the background.
 */
export async function saveRun(run: Saving, record: RunRecord): Promise<void> {
  const tried = await tryOnce(() => local.saveRun(record));
  if (tried.kind === 'stored') {
    noteRecordOutcome(run, tried.result);
    return;
  }
  // A refused save is not repeated, because a later state of the run will be saved.
  if (tried.kind === 'refused') return;
  run.isSaving = true;
  runInBackground(async () => {
    noteRecordOutcome(run, await durable.saveRun(record));
    run.isSaving = false;
    run.woken = true;
  });
}

/**
 * Resolves when the end of the run is stored or refused. If the end is certain, tries a local activity first.
 * Otherwise, the run might end differently after a crash. An ordinary activity therefore stores the end after the
 * history contains it.
 */
export async function saveLastRun(record: RunRecord, isCertain: boolean): Promise<void> {
  if (isCertain && (await tryOnce(() => local.saveRun(record))).kind === 'stored') return;
  await durable.saveRun.executeWithOptions({ summary: 'stores the end' }, [record]);
}
