/**
 * Saves a run as it goes on. While one save waits for the database further ones are left out: only
 * the newest state of a run matters.
 */
import type { RunRecord } from '../../contracts/records';
import { durable, inBackground, local, noteRecordOutcome, tryOnce } from '../loop/store-record';

/** What a run holds, as far as it matters here. */
export interface Saving {
  woken: boolean;
  /** The scenario is gone: the run ends as soon as it can. */
  removed: boolean;
  /** A save waits for the database. */
  isSaving: boolean;
}

/** Resolves after one short try; what the database did not take is then tried in the background. */
export async function saveRun(run: Saving, record: RunRecord): Promise<void> {
  const tried = await tryOnce(() => local.saveRun(record));
  if (tried.kind === 'stored') {
    noteRecordOutcome(run, tried.result);
    return;
  }
  // A state that is refused is followed by a later one.
  if (tried.kind === 'refused') return;
  run.isSaving = true;
  inBackground(async () => {
    noteRecordOutcome(run, await durable.saveRun(record));
    run.isSaving = false;
    run.woken = true;
  });
}

/**
 * Resolves when the end of the run is stored, or stands on the operator's list. Should the orchestrator be lost while a
 * local activity stores it, a run may go on to another end, unless it is certain: an ordinary activity begins when the
 * history has the end.
 */
export async function saveLastRun(record: RunRecord, isCertain: boolean): Promise<void> {
  if (isCertain && (await tryOnce(() => local.saveRun(record))).kind === 'stored') return;
  await durable.saveRun.executeWithOptions({ summary: 'stores the end' }, [record]);
}
