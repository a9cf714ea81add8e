/** Lets a removal interrupt any work in progress. */
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';

/** Returns the result of the work. If the resource is removed first, cancels the work and returns null. */
export async function unlessRemoved<Result>(
  context: { readonly removed: boolean },
  work: () => Promise<Result>,
): Promise<Result | null> {
  let isFinished = false;
  const scope = new CancellationScope();
  const running = scope.run(work).finally(() => {
    isFinished = true;
  });
  // Prevents an unhandled rejection. The failure itself is handled below, where the work is awaited.
  running.catch(() => undefined);
  await condition(() => isFinished || context.removed);
  if (!isFinished) scope.cancel();
  try {
    return await running;
  } catch (error) {
    if (context.removed && isCancellation(error)) return null;
    throw error;
  }
}
