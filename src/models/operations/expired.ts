/**
 * Deletes expired documents of all accounts, for example idempotency keys, sessions, invitations and old audit events.
 */
import { chooseSessionLimits, type SessionChoice } from '../../domain/accounts/session-rules';
import type { Clock } from '../../platform/clock';
import { AUDIT_KEPT_MS } from '../accounts/audit';
import type { Models } from '../collections';
import { forgetReplaced } from '../rollouts/rollout-items';
import { ROLLOUTS_KEPT_MS } from '../rollouts/rollouts';
import { deleteBatch } from '../store/delete-batch';
import { atMost, between, except } from '../store/filters';

/** Deletes batch by batch until the time limit. Returns the number of deleted documents. */
export async function sweepExpired(
  models: Models,
  clock: Clock,
  budgetMs: number,
): Promise<number> {
  const nowMs = clock.now();
  const over = { expiresAtMs: atMost(nowMs) };
  const sessionsEnded = (choice: SessionChoice) => ({
    createdAtMs: atMost(nowMs - chooseSessionLimits(choice).lifetimeMs),
  });
  const batches = [
    () => deleteBatch(models.idempotency, over),
    // Deletes revisions of tests that crashed. No other revisions expire.
    () => deleteBatch(models.revisions, { expiresAtMs: between(0, nowMs) }),
    () => deleteBatch(models.audit, { atMs: atMost(nowMs - AUDIT_KEPT_MS) }),
    () => deleteBatch(models.invitations, over),
    () => deleteBatch(models.passwordTokens, over),
    () => deleteBatch(models.registrations, over),
    () => deleteBatch(models.failedSignIns, over),
    () => deleteBatch(models.signInSteps, over),
    () => deleteBatch(models.refusedRecords, over),
    () => deleteBatch(models.pings, over),
    () => deleteBatch(models.rollouts, { createdAtMs: atMost(nowMs - ROLLOUTS_KEPT_MS) }),
    () => deleteBatch(models.rolloutItems, { createdAtMs: atMost(nowMs - ROLLOUTS_KEPT_MS) }),
    () => forgetReplaced(models.rolloutItems, nowMs),
    () => deleteBatch(models.sessions, { staySignedIn: except(true), ...sessionsEnded({}) }),
    () => deleteBatch(models.sessions, sessionsEnded({ staySignedIn: true })),
  ];
  let total = 0;
  // The collections take turns, so that a collection with very many expired documents does not delay the others.
  for (let unfinished = batches; unfinished.length > 0 && clock.now() < nowMs + budgetMs; ) {
    const full: typeof batches = [];
    for (const deleteOne of unfinished) {
      const deleted = await deleteOne();
      total += deleted;
      if (deleted > 0) full.push(deleteOne);
    }
    unfinished = full;
  }
  return total;
}
