/** Probe keys of the installation. Their secrets are encrypted. */
import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';
import { readKeyIds } from '../store/derived-fields';
import { readOne } from '../store/entities';
import { below } from '../store/filters';
import { cutPage, type ListQuery, type Page } from '../store/pages';

export interface StoredProbeKey {
  readonly id: string;
  readonly region: string;
  readonly name: string;
  readonly sealed: string;
  readonly createdAtMs: number;
  /** The user who created the key. null if it is unknown. */
  readonly createdBy: string | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}

export interface ProbeKeyStore {
  readonly create: (key: StoredProbeKey) => Promise<void>;
  readonly find: (id: string) => Promise<StoredProbeKey | null>;
  /** Lists the keys, newest first, including revoked ones. */
  readonly list: (query: ListQuery) => Promise<Page<StoredProbeKey>>;
  readonly count: () => Promise<number>;
  /** Revokes the key. If the key was already revoked, the first time is kept. */
  readonly revoke: (id: string, atMs: number) => Promise<void>;
  /** Records that the key was used. Writes at most once per key and minute. */
  readonly touch: (id: string, atMs: number) => Promise<void>;
}

const TOUCH_EVERY_MS = 60_000;
/**
 * Stored as the time of use if the key was never used. null is not stored, because a range filter never matches null.
 */
const NEVER = -1;

export type ProbeKeyDocument = Omit<StoredProbeKey, 'id' | 'lastUsedAtMs'> & {
  readonly _id: string;
  readonly lastUsedAtMs: number;
  readonly keyIds: readonly string[];
};

export const probeKeyCollection = defineCollection<ProbeKeyDocument>(
  'probeKeys',
  {
    region: String,
    name: String,
    sealed: String,
    keyIds: [String],
    createdAtMs: Number,
    createdBy: String,
    revokedAtMs: Number,
    lastUsedAtMs: Number,
  },
  { indexes: [{ key: { keyIds: 1 } }] },
);

export function createProbeKeyStore(probeKeys: Model<ProbeKeyDocument>): ProbeKeyStore {
  return {
    async create({ id, lastUsedAtMs, ...key }) {
      const keyIds = readKeyIds([key.sealed]);
      await probeKeys.create([{ ...key, _id: id, keyIds, lastUsedAtMs: lastUsedAtMs ?? NEVER }]);
    },
    find: (id) => readOne(probeKeys.findOne({ _id: id }).lean(), fromDocument),
    async list({ limit, beforeId }) {
      const found = await probeKeys
        .find(beforeId === null ? {} : { _id: below(beforeId) })
        .sort({ _id: -1 })
        .limit(limit + 1)
        .lean();
      return cutPage(found.map(fromDocument), limit);
    },
    async count() {
      return probeKeys.countDocuments({});
    },
    async revoke(id, atMs) {
      await probeKeys.updateOne({ _id: id, revokedAtMs: null }, { $set: { revokedAtMs: atMs } });
    },
    async touch(id, atMs) {
      const long = below(atMs - TOUCH_EVERY_MS);
      await probeKeys.updateOne({ _id: id, lastUsedAtMs: long }, { $set: { lastUsedAtMs: atMs } });
    },
  };
}

function fromDocument({
  _id,
  keyIds: _keys,
  lastUsedAtMs,
  ...key
}: ProbeKeyDocument): StoredProbeKey {
  return { id: _id, ...key, lastUsedAtMs: lastUsedAtMs === NEVER ? null : lastUsedAtMs };
}
