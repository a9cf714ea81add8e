/** Stores measurements that the database refused, for thirty days, so that the operator can read them. */
import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';

export interface RefusedRecord {
  /** Derived from resource, region or run, slot, and kind, so that the same record is stored only once. */
  readonly id: string;
  readonly accountId: string;
  readonly resourceId: string;
  readonly slotMs: number;
  /** The database's message. */
  readonly reason: string;
  /** The record as JSON, cut to 64 KiB. */
  readonly record: string;
  readonly givenUpAtMs: number;
}

/** Stores refused records of all accounts, for the operator. */
export interface RefusedRecordStore {
  readonly keep: (refused: RefusedRecord) => Promise<void>;
  readonly count: () => Promise<number>;
}

const KEPT_MS = 30 * 24 * 3_600_000;
/** Counting stops at this number of records. Above this number, the exact count does not matter. */
const COUNTED_MAX = 10_000;

export type RefusedRecordDocument = Omit<RefusedRecord, 'id'> & {
  readonly _id: string;
  readonly expiresAtMs: number;
};

export const refusedRecordCollection = defineCollection<RefusedRecordDocument>(
  'refusedRecords',
  {
    accountId: String,
    resourceId: String,
    slotMs: Number,
    reason: String,
    record: String,
    givenUpAtMs: Number,
    expiresAtMs: Number,
  },
  { indexes: [{ key: { accountId: 1, resourceId: 1 } }, { key: { expiresAtMs: 1 } }] },
);

export function createRefusedRecordStore(
  records: Model<RefusedRecordDocument>,
): RefusedRecordStore {
  return {
    async keep({ id, ...refused }) {
      const document = { ...refused, _id: id, expiresAtMs: refused.givenUpAtMs + KEPT_MS };
      await records.replaceOne({ _id: id }, document, { upsert: true });
    },
    count: () => records.countDocuments({}).limit(COUNTED_MAX).exec(),
  };
}
