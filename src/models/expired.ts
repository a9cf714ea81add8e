/** Deletes what has an end of its own, whosever it is: idempotency keys, and tests that crashed. */
import type { Clock } from '../platform/clock';
import type { Models } from './collections';
import { deleteExpiredClaims } from './idempotency';
import { deleteExpiredTests } from './revisions';

/** Batch by batch while the budget lasts; how many went. */
export async function sweepExpired(
  { idempotency, revisions }: Pick<Models, 'idempotency' | 'revisions'>,
  clock: Clock,
  budgetMs: number,
): Promise<number> {
  const nowMs = clock.now();
  const batches = [
    () => deleteExpiredClaims(idempotency, nowMs),
    () => deleteExpiredTests(revisions, nowMs),
  ];
  let total = 0;
  for (const deleteBatch of batches) {
    let deleted = 1;
    while (deleted > 0 && clock.now() < nowMs + budgetMs) {
      deleted = await deleteBatch();
      total += deleted;
    }
  }
  return total;
}
