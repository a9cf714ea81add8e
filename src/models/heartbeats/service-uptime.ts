/**
 * Stores when pings could be received. Every API process that reaches the database reports this every two seconds.
 * After a pause, the first process stores an outage window. All processes share one document.
 */
import type { Model } from 'mongoose';
import type { OutageWindow } from '../../contracts/heartbeat';
import { defineCollection } from '../store/define-schema';

export interface ServiceUptime {
  /** The last time at which pings could be received. null if none was ever recorded. */
  readonly lastAtMs: number | null;
  /** Outage windows, oldest first. The field has an old name, because it is stored. */
  readonly absences: readonly OutageWindow[];
}

export interface ServiceUptimeStore {
  /**
   * Records that pings can be received now. If the last call is more than `pauseMsMax` ago, also stores an outage
   * window. Earlier times are accepted, because the clock may have been set back.
   */
  readonly note: (atMs: number, pauseMsMax: number) => Promise<void>;
  readonly read: () => Promise<ServiceUptime>;
}

const ID = 'pings';
/** Maximum number of outage windows that are kept. Older windows are dropped. */
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
      // A single write stores the new time and the outage window, so that only the first process stores the window.
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
