/**
 * The keyrings of all regions. Each keyring is derived from the secret keys, and from how often the region's key was
 * rotated.
 */
import { deriveRegionKeys } from './sealing';

/** Minimum time between two reads of the rotations. */
const RENEW_EVERY_MS = 2_000;
const KEEP_EVERY_MS = 10_000;

export interface RegionKeyrings {
  /**
   * Returns the keys of a region. The first key encrypts, and all keys decrypt. Returns the same array until the
   * keyring changes.
   */
  readonly readKeys: (region: string) => readonly string[];
  /**
   * Reads again how often each key was rotated. Unless the call is urgent, does nothing if this was read less than
   * RENEW_EVERY_MS ago. Never throws: after a failure, the known numbers are kept.
   */
  readonly renew: (how?: { readonly isUrgent: boolean }) => Promise<void>;
}

interface KeyringsOptions {
  readonly secretKeys: readonly string[];
  /** Reads how often the key of each region was rotated. A missing region was never rotated. */
  readonly readRotations: () => Promise<ReadonlyMap<string, number>>;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
}

/** Creates the keyrings. Before the first `renew`, every region counts as never rotated. */
export function createRegionKeyrings({
  secretKeys,
  readRotations,
  steadyNow,
}: KeyringsOptions): RegionKeyrings {
  const keys = new Map<string, readonly string[]>();
  let rotations: ReadonlyMap<string, number> = new Map();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAtMs = steadyNow();
    const found = await readRotations().catch(() => rotations);
    for (const [region, times] of found) if (times !== rotations.get(region)) keys.delete(region);
    rotations = found;
  }

  return {
    readKeys(region) {
      const known = keys.get(region) ?? deriveRegionKeys(secretKeys, region, rotations.get(region));
      keys.set(region, known);
      return known;
    },
    async renew({ isUrgent } = { isUrgent: false }) {
      if (isUrgent) return read();
      if (reading === undefined && steadyNow() - readAtMs < RENEW_EVERY_MS) return;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading;
    },
  };
}

/** Creates keyrings for the case that no region was ever rotated. */
export function createUnrotatedKeyrings(secretKeys: readonly string[]): RegionKeyrings {
  const readRotations = async () => new Map<string, number>();
  return createRegionKeyrings({ secretKeys, readRotations, steadyNow: () => 0 });
}

/** Renews the keyrings every ten seconds until the returned function is called. Resolves after the first renewal. */
export async function renewRepeatedly({ renew }: RegionKeyrings): Promise<() => void> {
  await renew();
  const timer = setInterval(() => void renew(), KEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
