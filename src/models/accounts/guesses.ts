/** Tries at passwords, keys and tokens, counted by where they come from and what they are at. */
import type { Model } from 'mongoose';
import type { GuessRow } from '../../services/ports/account-rows';
import type { GuessStore } from '../../services/ports/account-store';
import { isDuplicateKey } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { above, below } from '../store/filters';

export type GuessDocument = Omit<GuessRow, 'id'> & { readonly _id: string };

export const guessCollection = defineCollection<GuessDocument>(
  'guesses',
  { tries: Number, notBeforeMs: Number, expiresAtMs: Number },
  { indexes: [{ key: { expiresAtMs: 1 } }] },
);

export function createGuessStore(guesses: Model<GuessDocument>): GuessStore {
  return {
    async find(id) {
      const found = await guesses.findOne({ _id: id }).lean();
      return found === null ? null : toRow(found);
    },
    async countFree(id, { freeTries, nowMs, expiresAtMs }) {
      const counted = await guesses
        .findOneAndUpdate(
          { _id: id, tries: below(freeTries), expiresAtMs: above(nowMs) },
          { $inc: { tries: 1 }, $set: { expiresAtMs } },
          { returnDocument: 'after' },
        )
        .lean();
      return counted === null ? null : toRow(counted);
    },
    async replace({ id, ...row }, expected) {
      if (expected === null) return insert(guesses, { _id: id, ...row });
      const { tries, notBeforeMs, expiresAtMs } = expected;
      const outcome = await guesses.updateOne(
        { _id: id, tries, notBeforeMs, expiresAtMs },
        { $set: row },
      );
      return outcome.matchedCount === 1;
    },
    async forgive(id) {
      await guesses.updateOne(
        { _id: id, tries: above(0) },
        { $inc: { tries: -1 }, $set: { notBeforeMs: 0 } },
      );
    },
  };
}

async function insert(guesses: Model<GuessDocument>, document: GuessDocument): Promise<boolean> {
  try {
    await guesses.create([document]);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

function toRow({ _id, ...row }: GuessDocument): GuessRow {
  return { ...row, id: _id };
}
