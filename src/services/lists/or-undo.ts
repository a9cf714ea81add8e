/** Undoes writes when the action they belong to fails. Knows nothing about the written data. */
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'sleep'>;

const UNDO_EVERY_MS = 1_000;
const UNDO_TRIES_MAX = 60;
const UNDONE_TIMES = 2;

/**
 * When the action fails, first undoes what was written and then throws the error, so that a retry by the caller does
 * not write anything that is undone afterwards. If the database is unavailable, waits for it, for at most sixty
 * attempts.
 */
export async function orUndo(
  { sleep }: Needs,
  action: () => Promise<void>,
  undo: () => Promise<unknown>,
): Promise<void> {
  try {
    await action();
  } catch (reason) {
    await undo().catch(() => undoLater(sleep, undo));
    throw reason;
  }
}

/**
 * Undoes a write that could not be undone at once, or whose outcome is unknown. A write that timed out may still happen
 * when a stalled database continues, so it is undone twice. If this fails as well, or the process ends, the reconcile
 * pass brings the database and Temporal back into agreement.
 */
export async function undoLater(
  sleep: Needs['sleep'],
  undo: () => Promise<unknown>,
): Promise<void> {
  for (let tries = 0, done = 0; tries < UNDO_TRIES_MAX && done < UNDONE_TIMES; tries += 1) {
    await sleep(UNDO_EVERY_MS);
    const isDone = await undo().then(
      () => true,
      () => false,
    );
    if (isDone) done += 1;
  }
}
