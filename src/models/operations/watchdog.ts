/**
 * The latest canary (a test message that takes the path of a check) and the latest reports of the watchdog. There is
 * one document for the installation.
 */
import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';

export interface WatchdogRecord {
  /** When a canary was last reported. null means never. */
  readonly reportedAtMs: number | null;
  /** The reason why the canary failed. null means that it passed. */
  readonly reason: string | null;
  /** The time since which `reason` has been the same. */
  readonly sinceMs: number | null;
  /** When the receiver last accepted the report of a canary that passed. */
  readonly lastPingAtMs: number | null;
  /** The reason why the receiver did not accept the last report. null if the receiver accepted it. */
  readonly refusal: string | null;
  /** The reason that was reported for a missing canary. null if none was reported since the last canary. */
  readonly silence: string | null;
}

export interface WatchdogStore {
  /** Stores the slot of a canary. Then returns the slot that the database has stored. null if no slot is stored. */
  readonly storeCanary: (slotMs: number) => Promise<number | null>;
  readonly note: (
    report: Pick<WatchdogRecord, 'reason' | 'refusal'> & { readonly atMs: number },
  ) => Promise<void>;
  /**
   * Claims the right to report a missing canary. Until the next canary is recorded, resolves to true for only one
   * caller.
   */
  readonly claimSilence: (reason: string) => Promise<boolean>;
  /** Drops the claim, because the missing canary could not be reported. */
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
      // The document is created if it is missing, so that it can be claimed even before the first
      // canary.
      await watchdog.updateOne({ _id: ID }, { $setOnInsert: { slotMs: 0 } }, UPSERT);
      const claimed = await watchdog.updateOne(
        { _id: ID, silence: null },
        { $set: { silence: reason } },
      );
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
