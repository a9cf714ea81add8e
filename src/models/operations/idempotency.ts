/**
 * Claims of idempotency keys, and the answers that were given under them. What is kept here is
 * opaque: it is sealed before it comes. Claims that are over are overlooked until they are deleted.
 */
import type { Model } from 'mongoose';
import type { Clock } from '../../platform/clock';
import type { IdempotencyRow } from '../../services/ports/rows';
import type { IdempotencyStore } from '../../services/ports/stores';
import { isDuplicateKey } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { atMost, oneOf } from '../store/filters';

const EXPIRED_BATCH = 500;

export type IdempotencyDocument = Omit<IdempotencyRow, 'id'> & { readonly _id: string };

export const idempotencyCollection = defineCollection<IdempotencyDocument>(
  'idempotency',
  {
    accountId: String,
    owner: String,
    fingerprint: String,
    expiresAtMs: Number,
    kept: String,
  },
  { indexes: [{ key: { expiresAtMs: 1 } }] },
);

/** Of several callers that claim the same id, exactly one gets it. */
export function createIdempotencyStore(
  claims: Model<IdempotencyDocument>,
  clock: Clock,
): IdempotencyStore {
  return {
    async claim(accountId, { id, ...claim }) {
      const nowMs = clock.now();
      const there = await claims.findOne({ _id: id, accountId }).lean();
      if (there === null) return insert(claims, { ...claim, _id: id, accountId });
      if (there.expiresAtMs > nowMs) return toRow(there);
      const outcome = await claims.replaceOne(
        { _id: id, accountId, expiresAtMs: atMost(nowMs) },
        { ...claim, _id: id, accountId },
      );
      return outcome.matchedCount === 1 ? 'claimed' : 'contended';
    },
    async keep(accountId, { id, owner, kept, expiresAtMs }) {
      await claims.updateOne({ _id: id, accountId, owner }, { $set: { kept, expiresAtMs } });
    },
    async release(accountId, { id, owner }) {
      await claims.deleteOne({ _id: id, accountId, owner });
    },
  };
}

/** Deletes a batch of claims that are over, whosever they are; how many went. */
export async function deleteExpiredClaims(
  claims: Model<IdempotencyDocument>,
  nowMs: number,
): Promise<number> {
  const over = { expiresAtMs: atMost(nowMs) };
  const found = await claims.find(over, { _id: 1 }).limit(EXPIRED_BATCH).lean();
  if (found.length === 0) return 0;
  const ids = found.map(({ _id }) => _id);
  return (await claims.deleteMany({ ...over, _id: oneOf(ids) })).deletedCount;
}

async function insert(
  claims: Model<IdempotencyDocument>,
  document: IdempotencyDocument,
): Promise<'claimed' | 'contended'> {
  try {
    await claims.create([document]);
    return 'claimed';
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return 'contended';
  }
}

function toRow({ _id, ...claim }: IdempotencyDocument): IdempotencyRow {
  return { ...claim, id: _id };
}
