/**
 * Regions, as their probes report them. Each probe process has its own document, so that reports do not overwrite each
 * other. A report deletes only old documents of its region, so each region keeps at least one document.
 */
import type { Model } from 'mongoose';

import { defineCollection } from '../store/define-schema';
import { above, below } from '../store/filters';

export interface Region {
  readonly region: string;
  readonly lastSeenAtMs: number;
  /** Probe processes that have recently reported to the API. */
  readonly identities: readonly {
    readonly identity: string;
    readonly lastSeenAtMs: number;
    readonly networkSuspectSinceMs: number | null;
    readonly release: string | null;
    /** The probe's key. null means that the probe has not reported yet. */
    readonly keyId: string | null;
  }[];
}

/** The facts that a probe reports about itself. */
export interface ProbeFacts {
  /** The time since which the probe suspects its own network. null if the probe does not suspect its network. */
  readonly networkSuspectSinceMs: number | null;
  /** The version of the probe. null if the probe does not report it. */
  readonly release: string | null;
  /** The key with which the probe authenticated. */
  readonly keyId?: string;
}

export interface RegionStore {
  /**
   * Stores when a probe last reported. The latest call counts, even if its time is earlier, because clocks may be set
   * back.
   */
  readonly hello: (region: string, identity: string, atMs: number) => Promise<void>;
  /** Stores the facts of a probe that has reported. */
  readonly noteFacts: (region: string, identity: string, facts: ProbeFacts) => Promise<void>;
  /** Counts the other probes that have used the key since `sinceMs`. */
  readonly countOthers: (
    identity: string,
    key: { readonly region: string; readonly keyId: string },
    sinceMs: number,
  ) => Promise<number>;
  readonly list: () => Promise<readonly Region[]>;
}

const FORGET_AFTER_MS = 5 * 60_000;

export interface RegionProbeDocument {
  /** `<region>/<identity>` */
  readonly _id: string;
  readonly region: string;
  readonly identity: string;
  readonly keyId?: string;
  readonly lastSeenAtMs: number;
  readonly networkSuspectSinceMs?: number | null;
  readonly release?: string | null;
}

export const regionProbeCollection = defineCollection<RegionProbeDocument>(
  'regionProbes',
  {
    region: String,
    identity: String,
    keyId: String,
    lastSeenAtMs: Number,
    networkSuspectSinceMs: Number,
    release: String,
  },
  { indexes: [{ key: { region: 1, lastSeenAtMs: 1 } }] },
);

export function createRegionStore(probes: Model<RegionProbeDocument>): RegionStore {
  return {
    async hello(region, identity, atMs) {
      await probes.updateOne(
        { _id: `${region}/${identity}` },
        { $setOnInsert: { region, identity }, $set: { lastSeenAtMs: atMs } },
        { upsert: true },
      );
      await probes.deleteMany({ region, lastSeenAtMs: below(atMs - FORGET_AFTER_MS) });
      // A time far in the future comes from a wrong clock, so the document is deleted. A running
      // probe will report again.
      await probes.deleteMany({ region, lastSeenAtMs: above(atMs + FORGET_AFTER_MS) });
    },
    async noteFacts(region, identity, facts) {
      await probes.updateOne({ _id: `${region}/${identity}` }, { $set: facts });
    },
    async countOthers(identity, { region, keyId }, sinceMs) {
      const ofKey = { region, keyId, lastSeenAtMs: above(sinceMs) };
      const found = await probes.find(ofKey, { identity: 1 }).lean();
      return found.filter((probe) => probe.identity !== identity).length;
    },
    async list() {
      const found = await probes.find({}).sort({ region: 1, lastSeenAtMs: 1 }).lean();
      const byRegion = new Map<string, RegionProbeDocument[]>();
      for (const probe of found) {
        byRegion.set(probe.region, [...(byRegion.get(probe.region) ?? []), probe]);
      }
      return [...byRegion].map(([region, seen]) => fromDocument(region, seen));
    },
  };
}

function fromDocument(region: string, seen: readonly RegionProbeDocument[]): Region {
  const lastSeenAtMs = Math.max(...seen.map((probe) => probe.lastSeenAtMs));
  const identities = seen
    .filter((probe) => probe.lastSeenAtMs > lastSeenAtMs - FORGET_AFTER_MS)
    .map((probe) => ({
      identity: probe.identity,
      lastSeenAtMs: probe.lastSeenAtMs,
      networkSuspectSinceMs: probe.networkSuspectSinceMs ?? null,
      release: probe.release ?? null,
      keyId: probe.keyId ?? null,
    }));
  return { region, lastSeenAtMs, identities };
}
