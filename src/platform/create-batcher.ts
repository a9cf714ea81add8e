/** Combines calls that arrive while another call is running. */

export interface BatchBounds {
  /** Maximum number of items per batch. Further items wait for the next batch. */
  readonly itemsMax: number;
}

/**
 * Wraps the work. The first call starts immediately. Calls that arrive while it is running form the next batch. `work`
 * must return values in the order of its items. If it fails, each call of the batch gets the error.
 */
export function createBatcher<Item, Value>(
  work: (items: readonly Item[]) => Promise<readonly Value[]>,
  { itemsMax }: BatchBounds,
): (item: Item) => Promise<Value> {
  interface Call {
    readonly item: Item;
    readonly resolve: (value: Value) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Call[] = [];
  let isAtWork = false;

  async function runBatch(calls: readonly Call[]): Promise<void> {
    try {
      const values = await work(calls.map(({ item }) => item));
      for (const [index, { resolve, reject }] of calls.entries()) {
        const value = values[index];
        if (value === undefined) reject(new Error('a gathered call got no value'));
        else resolve(value);
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  async function runBatches(): Promise<void> {
    isAtWork = true;
    while (waiting.length > 0) {
      const calls = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      await runBatch(calls);
    }
    isAtWork = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isAtWork) void runBatches();
    });
}
