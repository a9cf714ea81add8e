/** Stores idempotency keys that are in use, and the encrypted responses to their requests. */
import type { Model } from 'mongoose';
import type { Clock } from '../../platform/clock';

import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { toEntity } from '../store/entities';
import { atMost } from '../store/filters';

/**
 * One use of an idempotency key. It is a claim while the request is processed, and contains the response afterwards.
 */
export interface IdempotencyRecord {
  /** A hash of account, method, path and key. */
  readonly id: string;
  readonly accountId: string;
  /** Identifies the caller that processes the request. Only this owner may store a response or release the claim. */
  readonly owner: string;
  /** A hash of the body that was sent with the key. */
  readonly fingerprint: string;
  readonly expiresAtMs: number;
  /** The encrypted response. null until the request has been processed. */
  readonly kept: string | null;
}

export interface IdempotencyStore {
  /**
   * Claims the id, or returns the existing record. `contended` means that another caller has just changed the record,
   * so this caller must try again.
   */
  readonly claim: (
    accountId: string,
    claim: IdempotencyRecord,
  ) => Promise<IdempotencyRecord | 'claimed' | 'contended'>;
  /** Stores the response, if the owner still has the claim. */
  readonly keep: (
    accountId: string,
    outcome: Pick<IdempotencyRecord, 'id' | 'owner' | 'expiresAtMs'> & { readonly kept: string },
  ) => Promise<void>;
  /** Extends the claim if the owner still has it. */
  readonly renew: (
    accountId: string,
    claim: Pick<IdempotencyRecord, 'id' | 'owner' | 'expiresAtMs'>,
  ) => Promise<void>;
  /** Releases the claim, if the owner still has it. The next caller can then process the request. */
  readonly release: (
    accountId: string,
    claim: Pick<IdempotencyRecord, 'id' | 'owner'>,
  ) => Promise<void>;
}

export type IdempotencyDocument = Omit<IdempotencyRecord, 'id'> & { readonly _id: string };

export const idempotencyCollection = defineCollection<IdempotencyDocument>(
  'idempotency',
  {
    accountId: String,
    owner: String,
    fingerprint: String,
    expiresAtMs: Number,
    kept: String,
  },
  { indexes: [{ key: { expiresAtMs: 1 } }, { key: { accountId: 1 } }] },
);

/** Creates the store. If several callers claim the same id, exactly one of them succeeds. */
export function createIdempotencyStore(
  claims: Model<IdempotencyDocument>,
  clock: Clock,
): IdempotencyStore {
  return {
    async claim(accountId, { id, ...claim }) {
      const nowMs = clock.now();
      const there = await claims.findOne({ _id: id, accountId }).lean();
      if (there === null) {
        const isNew = await writeUnlessPresent(() =>
          claims.create([{ ...claim, _id: id, accountId }]),
        );
        return isNew ? 'claimed' : 'contended';
      }
      if (there.expiresAtMs > nowMs) return toEntity(there);
      const outcome = await claims.replaceOne(
        { _id: id, accountId, expiresAtMs: atMost(nowMs) },
        { ...claim, _id: id, accountId },
      );
      return outcome.matchedCount === 1 ? 'claimed' : 'contended';
    },
    async keep(accountId, { id, owner, kept, expiresAtMs }) {
      await claims.updateOne({ _id: id, accountId, owner }, { $set: { kept, expiresAtMs } });
    },
    async renew(accountId, { id, owner, expiresAtMs }) {
      await claims.updateOne({ _id: id, accountId, owner }, { $set: { expiresAtMs } });
    },
    async release(accountId, { id, owner }) {
      await claims.deleteOne({ _id: id, accountId, owner });
    },
  };
}
