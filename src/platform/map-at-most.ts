/** An asynchronous map with limited concurrency. */

/** Maps the items, with at most `atOnceMax` calls at a time. The outcomes are in the order of the items. */
export async function mapAtMost<Item, Outcome>(
  atOnceMax: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const waiting = items.entries();
  const workThrough = async (): Promise<void> => {
    for (const [index, item] of waiting) outcomes.set(index, await work(item, index));
  };
  await Promise.all(Array.from({ length: atOnceMax }, workThrough));
  return [...outcomes.entries()].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
}
