/**
 * When pings could be taken: every API that reaches the database says so every other second, and whoever
 * says so after a pause notes that pause. One document for all of them.
 */
import type { Model } from 'mongoose';
import type { Absence } from '../../contracts/heartbeat';
import { defineCollection } from '../store/define-schema';

export interface Presence {
  /** null: nobody has ever said so. */
  readonly lastAtMs: number | null;
  /** Oldest first. */
  readonly absences: readonly Absence[];
}

export interface PresenceStore {
  /**
   * Pings can be taken now. A pause since the last time that is longer than given is an absence. An earlier
   * instant than the last one counts: the clock was set back.
   */
  readonly note: (atMs: number, pauseMsMax: number) => Promise<void>;
  readonly read: () => Promise<Presence>;
}

const ID = 'pings';
/** The oldest are forgotten. */
const ABSENCES_MAX = 500;

export interface PresenceDocument {
  readonly _id: string;
  readonly lastAtMs: number;
  readonly absences: readonly Absence[];
}

export const presenceCollection = defineCollection<PresenceDocument>(
  'presence',
  { lastAtMs: Number, absences: [{ _id: false, fromMs: Number, toMs: Number }] },
  { indexes: [] },
);

export function createPresenceStore(presence: Model<PresenceDocument>): PresenceStore {
  return {
    async note(atMs, pauseMsMax) {
      const before = await presence.findOne({ _id: ID }, { lastAtMs: 1 }).lean();
      const fromMs = before?.lastAtMs ?? atMs;
      if (atMs - fromMs <= pauseMsMax) {
        await presence.updateOne({ _id: ID }, { $set: { lastAtMs: atMs } }, { upsert: true });
        return;
      }
      const absence: Absence = { fromMs, toMs: atMs };
      // Whoever is first notes it, in the same write that ends it.
      await presence.updateOne(
        { _id: ID, lastAtMs: fromMs },
        {
          $set: { lastAtMs: atMs },
          $push: { absences: { $each: [absence], $slice: -ABSENCES_MAX } },
        },
      );
    },
    async read() {
      const found = await presence.findOne({ _id: ID }).lean<PresenceDocument>();
      return { lastAtMs: found?.lastAtMs ?? null, absences: found?.absences ?? [] };
    },
  };
}
