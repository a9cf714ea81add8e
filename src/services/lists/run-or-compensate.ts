/** Undoes a write if the action that follows it fails. */
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'sleep'>;

const UNDO_EVERY_MS = 1_000;
const UNDO_TRIES_MAX = 60;
const UNDONE_TIMES = 2;

/**
 * Runs the action. If the action fails, undoes the write and then throws the error, so that a retry by the client
 * begins after the undo. If the database is unavailable, tries to undo the write at most sixty times.
 */
export async function runOrCompensate(
  { sleep }: Needs,
  action: () => Promise<void>,
  undo: () => Promise<unknown>,
): Promise<void> {
  try {
    await action();
  } catch (reason) {
    await compensate({ sleep }, undo);
    throw reason;
  }
}

/** Undoes a write now. If the database does not respond, undoes it in the background. */
export async function compensate({ sleep }: Needs, undo: () => Promise<unknown>): Promise<void> {
  await undo().catch(() => compensateLater(sleep, undo));
}

/**
 * Undoes a write in the background. The undo runs twice, because a write that timed out may still happen after the
 * first undo. If the undo fails, housekeeping repairs the data.
 */
export async function compensateLater(
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
