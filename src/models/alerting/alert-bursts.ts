/** Counts alerts per account, kind and minute. Old counts are deleted. */
import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';
import { between } from '../store/filters';

/** Counts one more alert of a kind. Returns the account's counts for this minute and the previous minute. */
export interface AlertBurstStore {
  readonly count: (
    accountId: string,
    kind: string,
    minute: number,
  ) => Promise<{ readonly now: number; readonly before: number }>;
}

export interface AlertBurstDocument {
  /** `<account>:<kind>:<minute>` */
  readonly _id: string;
  readonly count: number;
}

export const alertBurstCollection = defineCollection<AlertBurstDocument>('alertBursts', {
  count: Number,
});

const MINUTE_DIGITS = 10;

export function createAlertBurstStore(bursts: Model<AlertBurstDocument>): AlertBurstStore {
  return {
    async count(accountId, kind, minute) {
      const prefix = `${accountId}:${kind}:`;
      const idOf = (at: number): string => prefix + String(at).padStart(MINUTE_DIGITS, '0');
      const [after, before] = await Promise.all([
        bursts
          .findOneAndUpdate(
            { _id: idOf(minute) },
            { $inc: { count: 1 } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean(),
        bursts.findOne({ _id: idOf(minute - 1) }).lean(),
      ]);
      const now = after?.count ?? 1;
      if (now === 1) await bursts.deleteMany({ _id: between(prefix, idOf(minute - 1)) });
      return { now, before: before?.count ?? 0 };
    },
  };
}
