/**
 * Runs many small jobs at a steady pace, so that the load has no peaks. The owners of the jobs take turns. So no owner
 * has to wait for all jobs of another owner.
 */

export interface Pace {
  /** Maximum number of jobs that begin in any second. */
  readonly perSecond: number;
  /** Maximum number of jobs that run at the same time. */
  readonly atOnce: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Aborted when no further job may begin. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` for each item. Resolves when all jobs are done. If a job fails, no further job begins, and the promise
 * rejects with the first failure after the running jobs have ended.
 */
export async function runAtPace<Item>(
  items: readonly Item[],
  { perSecond, atOnce, sleep, signal }: Pace,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const everyMs = (1_000 * Math.min(atOnce, items.length)) / perSecond;
  let hasFailed = false;

  async function runWorker(startsAfterMs: number): Promise<void> {
    await sleep(startsAfterMs);
    for (const item of waiting) {
      signal.throwIfAborted();
      if (hasFailed) return;
      await Promise.all([sleep(everyMs), work(item)]);
    }
  }

  const workers = Array.from({ length: Math.min(atOnce, items.length) }, (_, index) =>
    runWorker((index * 1_000) / perSecond).catch((error: unknown) => {
      hasFailed = true;
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  const failed = ended.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * Lists the first item of each owner, then the second item of each owner, and so on. An owner with very many items then
 * does not delay the others.
 */
export function interleave<Item>(
  items: readonly Item[],
  readOwner: (item: Item) => string,
): readonly Item[] {
  const counts = new Map<string, number>();
  const turns = items.map((item) => {
    const owner = readOwner(item);
    const turn = counts.get(owner) ?? 0;
    counts.set(owner, turn + 1);
    return { item, turn };
  });
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ item }) => item);
}
