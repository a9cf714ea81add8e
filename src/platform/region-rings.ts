/**
 * The keys of all regions, for those who hold the secret keys: derived from these and from how often the
 * key of the region was rotated, which is read elsewhere. It stores nothing.
 */
import { regionKeys } from './sealing';

/** However many payloads can't be opened, nobody is asked more often. */
const RENEW_EVERY_MS = 2_000;
const KEEP_EVERY_MS = 10_000;

export interface RegionRings {
  /** The first one writes, all of them read; the same list until it changes. */
  readonly keysOf: (region: string) => readonly string[];
  /**
   * Reads again how often keys were rotated, unless that was done just now and is not urgent; never throws:
   * what is known stays.
   */
  readonly renew: (how?: { readonly isUrgent: boolean }) => Promise<void>;
}

interface RingsOptions {
  readonly secretKeys: readonly string[];
  /** By region; one that is not named was never rotated. */
  readonly readRotations: () => Promise<ReadonlyMap<string, number>>;
  /** Milliseconds that only ever grow. */
  readonly steadyNow: () => number;
}

/** Nothing is known to be rotated before the first `renew`. */
export function createRegionRings({
  secretKeys,
  readRotations,
  steadyNow,
}: RingsOptions): RegionRings {
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
    keysOf(region) {
      const known = keys.get(region) ?? regionKeys(secretKeys, region, rotations.get(region));
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

/** Of regions whose key was never rotated. */
export function firstRegionRings(secretKeys: readonly string[]): RegionRings {
  const readRotations = async () => new Map<string, number>();
  return createRegionRings({ secretKeys, readRotations, steadyNow: () => 0 });
}

/** Reads again every ten seconds, until the returned function is called; resolves after the first time. */
export async function keepRenewed({ renew }: RegionRings): Promise<() => void> {
  await renew();
  const timer = setInterval(() => void renew(), KEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
