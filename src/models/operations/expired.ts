/**
 * Deletes what has an end of its own, whosever it is: idempotency keys, tests that crashed, sessions,
 * invitations, links, failed sign-ins and old events of the trail.
 */

import type { Model } from 'mongoose';
import { SESSION_LIFETIME_MS } from '../../domain/accounts/session-rules';
import type { Clock } from '../../platform/clock';
import { deleteOldEvents } from '../accounts/audit';
import type { Models } from '../collections';
import { deleteExpiredTests } from '../resources/revisions';
import { atMost, oneOf } from '../store/filters';
import { deleteExpiredClaims } from './idempotency';

const BATCH = 500;

/** Batch by batch while the budget lasts; how many went. */
export async function sweepExpired(
  models: Models,
  clock: Clock,
  budgetMs: number,
): Promise<number> {
  const nowMs = clock.now();
  const over = { expiresAtMs: atMost(nowMs) };
  const batches = [
    () => deleteExpiredClaims(models.idempotency, nowMs),
    () => deleteExpiredTests(models.revisions, nowMs),
    () => deleteOldEvents(models.audit, nowMs),
    () => deleteBatch(models.invitations, over),
    () => deleteBatch(models.passwordTokens, over),
    () => deleteBatch(models.failedSignIns, over),
    () => deleteBatch(models.refusedRecords, over),
    () => deleteBatch(models.pings, over),
    () => deleteBatch(models.sessions, { createdAtMs: atMost(nowMs - SESSION_LIFETIME_MS) }),
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

async function deleteBatch<Document extends { readonly _id: string }>(
  collection: Model<Document>,
  over: Readonly<Record<string, unknown>>,
): Promise<number> {
  const found = await collection.find(over, { _id: 1 }).limit(BATCH).lean<{ _id: string }[]>();
  if (found.length === 0) return 0;
  const ids = oneOf(found.map(({ _id }) => _id));
  return (await collection.deleteMany({ ...over, _id: ids })).deletedCount;
}
