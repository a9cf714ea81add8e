/** What was measured and the database did not take, for the operator to look into; kept for thirty days. */
import type { Model } from 'mongoose';
import type {
  RefusedRecordRow,
  RefusedRecordStore,
} from '../../services/ports/refused-record-store';
import { defineCollection } from '../store/define-schema';

const KEPT_MS = 30 * 24 * 3_600_000;
/** For an operator with many refused records; the number itself is what matters then. */
const COUNTED_MAX = 10_000;

export type RefusedRecordDocument = Omit<RefusedRecordRow, 'id'> & {
  readonly _id: string;
  readonly expiresAtMs: number;
};

export const refusedRecordCollection = defineCollection<RefusedRecordDocument>('refusedRecords', {
  accountId: String,
  resourceId: String,
  slotMs: Number,
  reason: String,
  record: String,
  givenUpAtMs: Number,
  expiresAtMs: Number,
});

export function createRefusedRecordStore(
  records: Model<RefusedRecordDocument>,
): RefusedRecordStore {
  return {
    async keep({ id, ...row }) {
      const document = { ...row, _id: id, expiresAtMs: row.givenUpAtMs + KEPT_MS };
      await records.replaceOne({ _id: id }, document, { upsert: true });
    },
    count: () => records.countDocuments({}).limit(COUNTED_MAX).exec(),
  };
}
