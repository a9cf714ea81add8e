/**
 * Claims of idempotency keys, and the answers that were given under them. What is kept here is
 * opaque: it is sealed before it comes. Claims that are over are overlooked, and deleted in passing.
 */
import type { Model } from 'mongoose';
import type { Clock } from '../platform/clock';
import type { IdempotencyRow } from '../services/rows';
import type { IdempotencyStore } from '../services/stores';
import { isDuplicateKey } from './database-errors';
import { defineCollection } from './define-schema';
import { atMost, oneOf } from './filters';

const SWEEP_EVERY_MS = 60_000;
const SWEEP_ROWS_MAX = 500;

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
  let sweptAtMs = 0;

  /** Rows of all accounts: what is over belongs to nobody any more. */
  async function sweep(nowMs: number): Promise<void> {
    if (nowMs - sweptAtMs < SWEEP_EVERY_MS) return;
    sweptAtMs = nowMs;
    const over = { expiresAtMs: atMost(nowMs) };
    const found = await claims.find(over, { _id: 1 }).limit(SWEEP_ROWS_MAX).lean();
    if (found.length === 0) return;
    await claims.deleteMany({ ...over, _id: oneOf(found.map(({ _id }) => _id)) });
  }

  return {
    async claim(accountId, { id, ...claim }) {
      const nowMs = clock.now();
      await sweep(nowMs);
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
