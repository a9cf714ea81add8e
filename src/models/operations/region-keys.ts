/** Stores the number of rotations of each region's key. The keys are derived from this number, and are never stored. */
import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';

export interface RotatedRegion {
  readonly region: string;
  readonly rotations: number;
  readonly rotatedAtMs: number;
}

export interface RegionKeyStore {
  /** Lists the regions whose key was rotated at least once. */
  readonly list: () => Promise<readonly RotatedRegion[]>;
  /** Counts one more rotation. */
  readonly rotate: (region: string, atMs: number) => Promise<RotatedRegion>;
}

export interface RegionKeyDocument {
  /** Name of the region. */
  readonly _id: string;
  readonly rotations: number;
  readonly rotatedAtMs: number;
}

export const regionKeyCollection = defineCollection<RegionKeyDocument>('regionKeys', {
  rotations: Number,
  rotatedAtMs: Number,
});

export function createRegionKeyStore(regionKeys: Model<RegionKeyDocument>): RegionKeyStore {
  return {
    async list() {
      return (await regionKeys.find({}).lean()).map(fromDocument);
    },
    async rotate(region, rotatedAtMs) {
      const rotated = await regionKeys
        .findOneAndUpdate(
          { _id: region },
          { $inc: { rotations: 1 }, $set: { rotatedAtMs } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean();
      return fromDocument(rotated);
    },
  };
}

function fromDocument({ _id, rotations, rotatedAtMs }: RegionKeyDocument): RotatedRegion {
  return { region: _id, rotations, rotatedAtMs };
}
