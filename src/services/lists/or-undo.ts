/** Writes that are taken back when what they belong to fails. It knows nothing of what is written. */
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'sleep'>;

const UNDO_EVERY_MS = 1_000;
const UNDO_TRIES_MAX = 60;
const UNDONE_TIMES = 2;

/**
 * When the action fails, takes back what was written and throws the reason of the failure, in this
 * order: whoever tries again after it threw writes nothing that is still to be taken back. While the
 * database is away that takes as long as it is, for sixty tries at most.
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
 * Takes back what could not be taken back at once, or what nobody heard of. A write that was given up may
 * still happen once a stalled database goes on, so that it is taken back twice. Where this fails, too, or
 * the process ends, the reconcile pass brings database and engine together again.
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
