/** Combines writes of several callers into one database call. Each caller gets only the outcome of its own write. */
import { createBatcher } from '../../platform/create-batcher';
import { listRefusedWrites } from './database-errors';

/** Maximum number of items per write. The number is low, because a definition may have 256 KiB. */
const WRITTEN_AT_ONCE_MAX = 50;

interface Writes<Item> {
  readonly one: (item: Item) => Promise<unknown>;
  /**
   * Writes several items. The write is unordered, so that a refused item does not prevent the writes of other items.
   */
  readonly many: (items: readonly Item[]) => Promise<unknown>;
}

interface Outcome {
  readonly error?: unknown;
}

const WRITTEN: Outcome = {};

/**
 * Writes the items that arrive during a write together. Refused items are written again one by one, so that each caller
 * gets its own error.
 */
export function writeTogether<Item>({ one, many }: Writes<Item>): (item: Item) => Promise<void> {
  async function writeOne(item: Item): Promise<Outcome> {
    try {
      await one(item);
      return WRITTEN;
    } catch (error) {
      return { error };
    }
  }
  async function writeAll(items: readonly Item[]): Promise<readonly Outcome[]> {
    const [only] = items;
    if (only !== undefined && items.length === 1) return [await writeOne(only)];
    try {
      await many(items);
      return items.map(() => WRITTEN);
    } catch (error) {
      const refused = listRefusedWrites(error);
      if (refused.size === 0) throw error;
      return Promise.all(
        items.map(async (item, index) => (refused.has(index) ? writeOne(item) : WRITTEN)),
      );
    }
  }
  const write = createBatcher(writeAll, { itemsMax: WRITTEN_AT_ONCE_MAX });
  return async (item) => {
    const outcome = await write(item);
    if ('error' in outcome) throw outcome.error;
  };
}
