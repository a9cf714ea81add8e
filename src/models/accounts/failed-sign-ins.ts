/** Failed attempts with passwords, keys and tokens. The attempts are counted per source, and per target. */
import type { Model } from 'mongoose';

import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readOne, toEntity } from '../store/entities';
import { above, below } from '../store/filters';

/** The failed attempts of one kind from one source, or on one target. */
export interface FailedSignIns {
  readonly id: string;
  readonly tries: number;
  /** When the next attempt is allowed. */
  readonly notBeforeMs: number;
  readonly expiresAtMs: number;
}

/** Stores the counts. They belong to no account, because the caller is not known yet. */
export interface FailedSignInStore {
  readonly find: (id: string) => Promise<FailedSignIns | null>;
  /**
   * Counts one more free attempt, which is an attempt without a wait before it. null means that no free attempt is
   * left, or that nothing is stored yet.
   */
  readonly countFree: (
    id: string,
    free: { readonly freeTries: number; readonly nowMs: number; readonly expiresAtMs: number },
  ) => Promise<FailedSignIns | null>;
  /**
   * Replaces the stored count if it equals `expected`, and returns true. null for `expected` means that no count is
   * stored. Of several parallel callers, one succeeds.
   */
  readonly replace: (next: FailedSignIns, expected: FailedSignIns | null) => Promise<boolean>;
  /** Subtracts one attempt, and removes the wait before the next attempt. */
  readonly forgive: (id: string) => Promise<void>;
}

export type FailedSignInDocument = Omit<FailedSignIns, 'id'> & { readonly _id: string };

export const failedSignInCollection = defineCollection<FailedSignInDocument>(
  'failedSignIns',
  { tries: Number, notBeforeMs: Number, expiresAtMs: Number },
  { indexes: [{ key: { expiresAtMs: 1 } }] },
);

export function createFailedSignInStore(
  failedSignIns: Model<FailedSignInDocument>,
): FailedSignInStore {
  return {
    find: (id) => readOne(failedSignIns.findOne({ _id: id }).lean(), toEntity),
    countFree: (id, { freeTries, nowMs, expiresAtMs }) =>
      readOne(
        failedSignIns
          .findOneAndUpdate(
            { _id: id, tries: below(freeTries), expiresAtMs: above(nowMs) },
            { $inc: { tries: 1 }, $set: { expiresAtMs } },
            { returnDocument: 'after' },
          )
          .lean(),
        toEntity,
      ),
    async replace({ id, ...next }, expected) {
      if (expected === null)
        return writeUnlessPresent(() => failedSignIns.create([{ _id: id, ...next }]));
      const { tries, notBeforeMs, expiresAtMs } = expected;
      const outcome = await failedSignIns.updateOne(
        { _id: id, tries, notBeforeMs, expiresAtMs },
        { $set: next },
      );
      return outcome.matchedCount === 1;
    },
    async forgive(id) {
      await failedSignIns.updateOne(
        { _id: id, tries: above(0) },
        { $inc: { tries: -1 }, $set: { notBeforeMs: 0 } },
      );
    },
  };
}
