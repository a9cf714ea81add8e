/**
 * The times at which pings could be received. Every API process that reaches the database updates them every two
 * seconds. After a pause, the first process stores an outage window. All processes share one document.
 */
import type { Model } from 'mongoose';
import type { OutageWindow } from '../../contracts/heartbeat';
import { defineCollection } from '../store/define-schema';

export interface ServiceUptime {
  /** null if never recorded. */
  readonly lastAtMs: number | null;
  /** Outage windows, oldest first. The name of the field is stored. */
  readonly absences: readonly OutageWindow[];
}

export interface ServiceUptimeStore {
  /**
   * Records that pings can be received now. More than `pauseMsMax` after the last call, also stores an outage window.
   * Accepts earlier times, because the clock may have been set back.
   */
  readonly note: (atMs: number, pauseMsMax: number) => Promise<void>;
  readonly read: () => Promise<ServiceUptime>;
}

const ID = 'pings';
/** Older outage windows are dropped. */
const OUTAGES_MAX = 500;

export interface ServiceUptimeDocument {
  readonly _id: string;
  readonly lastAtMs: number;
  readonly absences: readonly OutageWindow[];
}

export const serviceUptimeCollection = defineCollection<ServiceUptimeDocument>(
  'presence',
  { lastAtMs: Number, absences: [{ _id: false, fromMs: Number, toMs: Number }] },
  { indexes: [] },
);

export function createServiceUptimeStore(
  documents: Model<ServiceUptimeDocument>,
): ServiceUptimeStore {
  return {
    async note(atMs, pauseMsMax) {
      const before = await documents.findOne({ _id: ID }, { lastAtMs: 1 }).lean();
      const fromMs = before?.lastAtMs ?? atMs;
      if (atMs - fromMs <= pauseMsMax) {
        await documents.updateOne({ _id: ID }, { $set: { lastAtMs: atMs } }, { upsert: true });
        return;
      }
      const outage: OutageWindow = { fromMs, toMs: atMs };
      // The first process stores the outage window in the same write that ends it.
      await documents.updateOne(
        { _id: ID, lastAtMs: fromMs },
        {
          $set: { lastAtMs: atMs },
          $push: { absences: { $each: [outage], $slice: -OUTAGES_MAX } },
        },
      );
    },
    async read() {
      const found = await documents.findOne({ _id: ID }).lean<ServiceUptimeDocument>();
      return { lastAtMs: found?.lastAtMs ?? null, absences: found?.absences ?? [] };
    },
  };
}
