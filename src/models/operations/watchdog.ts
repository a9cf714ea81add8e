/** What the watchdog did last: its canary, and what was reported of it. One document for the installation. */
import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';

export interface WatchdogRecord {
  /** When a canary was reported last, or could not be; null: never. */
  readonly reportedAtMs: number | null;
  /** Why it did not come through; null: it did. */
  readonly reason: string | null;
  /** Since when that is so. */
  readonly sinceMs: number | null;
  /** When the receiver took the last one that came through. */
  readonly lastPingAtMs: number | null;
  /** Why the receiver does not have the last report; null: it has. */
  readonly refusal: string | null;
  /** What was reported of there being no canary at all; null: nothing since the last one. */
  readonly silence: string | null;
}

export interface WatchdogStore {
  /** What the database has of it once it is written. */
  readonly storeCanary: (slotMs: number) => Promise<number | null>;
  readonly note: (
    report: Pick<WatchdogRecord, 'reason' | 'refusal'> & { readonly atMs: number },
  ) => Promise<void>;
  /** True for one of all that say so, unless it was said before. */
  readonly claimSilence: (reason: string) => Promise<boolean>;
  /** It could not be reported. */
  readonly forgetSilence: () => Promise<void>;
  readonly read: () => Promise<WatchdogRecord>;
}

const ID = 'watchdog';

export interface WatchdogDocument extends Partial<WatchdogRecord> {
  readonly _id: string;
  readonly slotMs?: number;
}

export const watchdogCollection = defineCollection<WatchdogDocument>(
  'watchdog',
  {
    slotMs: Number,
    reportedAtMs: Number,
    reason: String,
    sinceMs: Number,
    lastPingAtMs: Number,
    refusal: String,
    silence: String,
  },
  { indexes: [] },
);

const UPSERT = { upsert: true };

export function createWatchdogStore(watchdog: Model<WatchdogDocument>): WatchdogStore {
  const read = () => watchdog.findOne({ _id: ID }).lean<WatchdogDocument>();
  return {
    async storeCanary(slotMs) {
      await watchdog.updateOne({ _id: ID }, { $set: { slotMs } }, UPSERT);
      return (await read())?.slotMs ?? null;
    },
    async note({ reason, refusal, atMs }) {
      const before = await read();
      const isSame = before?.reportedAtMs != null && (before.reason ?? null) === reason;
      const set = {
        reportedAtMs: atMs,
        reason,
        refusal,
        silence: null,
        sinceMs: isSame ? (before.sinceMs ?? atMs) : atMs,
        ...(reason === null && refusal === null && { lastPingAtMs: atMs }),
      };
      await watchdog.updateOne({ _id: ID }, { $set: set }, UPSERT);
    },
    async claimSilence(reason) {
      // There is one to claim, also before the first canary.
      await watchdog.updateOne({ _id: ID }, { $setOnInsert: { slotMs: 0 } }, UPSERT);
      const silence = (await read())?.silence ?? null;
      if (silence === reason) return false;
      const claimed = await watchdog.updateOne({ _id: ID, silence }, { $set: { silence: reason } });
      return claimed.modifiedCount === 1;
    },
    async forgetSilence() {
      await watchdog.updateOne({ _id: ID }, { $set: { silence: null } });
    },
    async read() {
      const found = await read();
      return {
        reportedAtMs: found?.reportedAtMs ?? null,
        reason: found?.reason ?? null,
        sinceMs: found?.sinceMs ?? null,
        lastPingAtMs: found?.lastPingAtMs ?? null,
        refusal: found?.refusal ?? null,
        silence: found?.silence ?? null,
      };
    },
  };
}
