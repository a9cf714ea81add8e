/** Regions with their probes and keys, as one list. Pure. */
import { countText } from '../../shared/charts/counted';
import type { ProbeKey, Region } from '../../shared/data/api-types';

export interface ProbeEntry {
  readonly id: string;
  /** null if the key is unknown: the probe runs with the service, or the user is only a viewer. */
  readonly key: ProbeKey | null;
  readonly isBuiltIn: boolean;
  /** Versions of the running probes; empty if none is running. */
  readonly releases: readonly string[];
  /** null means that the probe is not running. */
  readonly seenAt: string | null;
}

export interface RegionEntry {
  readonly id: string;
  /** null means that the region has only keys so far. */
  readonly region: Region | null;
  readonly probes: readonly ProbeEntry[];
}

/** Lists all regions by name, including those that have only keys. Leaves out revoked keys. */
export function joinRegions(
  regions: readonly Region[],
  keys: readonly ProbeKey[],
): readonly RegionEntry[] {
  const valid = keys.filter(({ revokedAt }) => revokedAt === null);
  const ids = new Set([...regions.map(({ id }) => id), ...valid.map(({ region }) => region)]);
  return [...ids].toSorted().map((id) => {
    const region = regions.find((one) => one.id === id) ?? null;
    const own = valid.filter((key) => key.region === id);
    return { id, region, probes: joinProbes(region?.probes ?? [], own) };
  });
}

/** `partly` means that some probes are online, and `unconnected` that no probe has ever been online. */
export type RegionState = 'online' | 'partly' | 'offline' | 'unconnected';

export function findRegionState({ region, probes }: RegionEntry): RegionState {
  if (region === null || region.lastSeenAt === null) return 'unconnected';
  if (region.status === 'offline') return 'offline';
  return probes.some(({ seenAt }) => seenAt === null) ? 'partly' : 'online';
}

/** Returns a text like `1 of 2 probes`, or `2 probes` when all or none are online. */
export function countWords({ probes }: RegionEntry): string {
  const online = probes.filter(({ seenAt }) => seenAt !== null).length;
  const all = probes.length === 1 ? '1 probe' : `${probes.length} probes`;
  return online === 0 || online === probes.length ? all : `${online} of ${all}`;
}

const RATE = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const RATE_MIN = 0.1;

/** Formats checks per minute, like `1,240`, `34`, `2.5` or `< 0.1`. */
export function formatRate(perMinute: number): string {
  if (perMinute > 0 && perMinute < RATE_MIN) return `< ${RATE_MIN}`;
  return perMinute < 10 ? RATE.format(perMinute) : countText(Math.round(perMinute));
}

/** Lists the running probes whose key is unknown, followed by one entry per key, in the order of `keys`. */
function joinProbes(running: Region['probes'], keys: readonly ProbeKey[]): readonly ProbeEntry[] {
  const others = running.filter(({ keyId }) => !keys.some(({ id }) => id === keyId));
  return [
    ...others.map(({ keyId, release, lastSeenAt }, index) => ({
      id: `running ${index}`,
      key: null,
      isBuiltIn: keyId === null,
      releases: release === null ? [] : [release],
      seenAt: lastSeenAt,
    })),
    ...keys.map((key) => {
      const own = running.filter(({ keyId }) => keyId === key.id);
      return {
        id: key.id,
        key,
        isBuiltIn: false,
        releases: [...new Set(own.flatMap(({ release }) => release ?? []))],
        seenAt:
          own
            .map(({ lastSeenAt }) => lastSeenAt)
            .toSorted()
            .at(-1) ?? null,
      };
    }),
  ];
}
