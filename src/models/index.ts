/** The public interface of the data layer. Callers get only plain objects. Only this folder uses Mongoose. */
import { type Clock, systemClock } from '../platform/clock';
import type { TextSealer } from '../platform/sealing';
import {
  type AccountRemovalStore,
  createAccountRemovals as createAccountRemovalsOn,
} from './operations/account-removals';
import { sweepExpired } from './operations/expired';
import { createReconcileReads, type ReconcileSource } from './operations/reconcile-source';
import { createRemovals } from './operations/removals';
import { closeHours } from './results/close-hours';
import { createRecordWritesOn, type RecordWrites } from './results/record-writes';
import { createRetention, type RetentionRequest } from './results/retention';
import { type EncryptionRotation, rotateEncryption } from './secrets/rotate-encryption';
import type { Database } from './store/database';
import { withDeadlines, withinDeadline } from './store/deadline';

export { type Past, seedHistory } from './operations/seed-history';
export { connectDatabase, type Database, ensureIndexes } from './store/database';
export { type DatabaseFacts, describeServer, readServerTime } from './store/describe-server';
export { createStores } from './stores';

/** Creates the writes that record checks. All of them are idempotent. */
export function createRecordWrites(
  { models, callDeadlineMs }: Database,
  clock: Clock = systemClock,
): RecordWrites {
  return withDeadlines(createRecordWritesOn(models, clock), callDeadlineMs);
}

/** Creates the reads over all accounts for the reconcile pass, which compares the database with Temporal. */
export function createReconcileSource({ models, callDeadlineMs }: Database): ReconcileSource {
  return withDeadlines(createReconcileReads(models), callDeadlineMs);
}

/** Creates the functions that delete accounts with everything that they own. */
export function createAccountRemovals(
  database: Database,
  clock: Clock = systemClock,
): AccountRemovalStore {
  const { listServed, removeResources, sweep } = createAccountRemovalsOn(database, clock);
  return {
    ...withDeadlines({ listServed }, database.callDeadlineMs),
    // `removeResources` needs no deadline here. It removes up to a thousand resources, and each removal has its own
    // time limit.
    removeResources,
    sweep: (accountId, budgetMs) =>
      withinDeadline(() => sweep(accountId, budgetMs), budgetMs + SWEEP_GRACE_MS),
  };
}

/** Milliseconds by which the last batch of a sweep may exceed its time limit. */
const SWEEP_GRACE_MS = 10_000;

const NOTHING_ROTATED: EncryptionRotation = { rotated: 0, unreadable: 0 };

/** Regular maintenance of the data. */
export interface Housekeeping {
  /** Continues deleting the data of removed resources. Returns the number of removals that are left. */
  readonly sweepRemovals: (budgetMs: number) => Promise<number>;
  /** Deletes expired documents, such as idempotency keys and tests. Returns the number of deleted documents. */
  readonly sweepExpired: (budgetMs: number) => Promise<number>;
  /**
   * Computes missing hourly summaries of resources that are no longer checked. Returns the number of updated resources.
   */
  readonly closeHours: (budgetMs: number) => Promise<number>;
  /** Deletes results that are past their retention. Continues where the last call stopped. */
  readonly deleteExpired: (request: RetentionRequest) => Promise<number>;
  /** Re-encrypts values that an older key of the keyring encrypted, until the time limit. */
  readonly rotateSecrets: (budgetMs: number) => Promise<EncryptionRotation>;
}

/** Creates the housekeeping. Without a sealer, nothing is re-encrypted. */
export function createHousekeeping(
  { models }: Database,
  clock: Clock = systemClock,
  sealer?: TextSealer,
): Housekeeping {
  const { sweep } = createRemovals(models, clock);
  const { deleteExpired } = createRetention(models, clock);
  return {
    sweepRemovals: (budgetMs) => withinDeadline(() => sweep(budgetMs), budgetMs + SWEEP_GRACE_MS),
    sweepExpired: (budgetMs) =>
      withinDeadline(() => sweepExpired(models, clock, budgetMs), budgetMs + SWEEP_GRACE_MS),
    closeHours: (budgetMs) =>
      withinDeadline(() => closeHours(models, clock, budgetMs), budgetMs + SWEEP_GRACE_MS),
    deleteExpired: (request) =>
      withinDeadline(() => deleteExpired(request), request.budgetMs + SWEEP_GRACE_MS),
    rotateSecrets: async (budgetMs) => {
      if (sealer === undefined) return NOTHING_ROTATED;
      const rotate = () => rotateEncryption(models, sealer, { clock, budgetMs });
      return withinDeadline(rotate, budgetMs + SWEEP_GRACE_MS);
    },
  };
}
