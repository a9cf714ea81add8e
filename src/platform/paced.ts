/** Runs many small jobs in turns and at a steady pace: no owner waits for all jobs of another, and load never peaks. */

export interface Pace {
  /** At most this many jobs begin in any second. */
  readonly perSecond: number;
  /** At most this many jobs run at a time. */
  readonly atOnce: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Once it is aborted, no further job begins. */
  readonly signal: AbortSignal;
}

/** Resolves when all jobs are done; rejects with the first failure, after the running jobs have ended. */
export async function atPace<Item>(
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
 * The first item of each owner, followed by their second items. An owner with very many items does not delay the
 * others.
 */
export function inTurns<Item>(
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
