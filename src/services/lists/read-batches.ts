/**
 * Reads the items of all accounts in batches, for housekeeping. Batches follow the ids and not the accounts, so that an
 * account with much data does not delay the others.
 */
import type { Batch } from '../../models/store/pages';

/** Maximum number of items per read. */
const BATCH_MAX = 1_000;

export async function readBatches<Item extends { readonly id: string }>(
  read: (batch: Batch) => Promise<readonly Item[]>,
  use: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let lastId: string | null = null; ; ) {
    const items: readonly Item[] = await read({ lastId, max: BATCH_MAX });
    await use(items);
    const last = items.at(-1);
    if (last === undefined || items.length < BATCH_MAX) return;
    lastId = last.id;
  }
}
