/**
 * Finds the heartbeat that a token belongs to. Hits are cached for a few seconds, since every ping needs one:
 * a change made by this process takes effect immediately, a change by another process within that time. Misses
 * are not cached.
 */
import type { FailOnRule, HeartbeatPlan } from '../../contracts/heartbeat';
import { gathered } from '../../platform/gathered';
import { fromJsonText } from '../store/json-text';

/** The facts about a heartbeat that are needed to store a ping. */
export interface PingTarget {
  readonly accountId: string;
  readonly monitorId: string;
  readonly failOn: readonly FailOnRule[];
}

export interface PingLookup {
  /** null if the token is unknown, was replaced more than a day ago, or its heartbeat is being deleted. */
  readonly find: (hash: string, nowMs: number) => Promise<PingTarget | null>;
  /** Call it when heartbeats have changed: drops the cache, including lookups in progress. */
  readonly forget: () => void;
}

interface Asked {
  readonly hash: string;
  readonly nowMs: number;
}

interface Found {
  readonly target: PingTarget;
  /** Infinity, unless the token was replaced. */
  readonly goodUntilMs: number;
}

const KEPT_MS = 5_000;
const KEPT_MAX = 20_000;
const FOUND_AT_ONCE_MAX = 500;

/** The fields read of each heartbeat; the plan is JSON text. */
export interface PingDocumentFields {
  readonly _id: string;
  readonly accountId: string;
  readonly state: string;
  readonly heartbeat?: string;
  readonly pingHash?: string;
  readonly formerPingHash?: string;
  readonly formerPingUntilMs?: number;
}

/** In any order. */
type ReadHeartbeats = (
  field: 'pingHash' | 'formerPingHash',
  hashes: readonly string[],
) => Promise<readonly PingDocumentFields[]>;

export function createPingLookup(read: ReadHeartbeats): PingLookup {
  let kept = new Map<string, Found & { readonly atMs: number }>();
  const look = gathered((asked: readonly Asked[]) => findAll(read, asked), {
    itemsMax: FOUND_AT_ONCE_MAX,
  });
  return {
    async find(hash, nowMs) {
      const known = kept.get(hash);
      const ageMs = known === undefined ? KEPT_MS : nowMs - known.atMs;
      if (known !== undefined && ageMs >= 0 && ageMs < KEPT_MS) return targetAt(known, nowMs);
      const keptBefore = kept;
      const found = await look({ hash, nowMs });
      if (found === null) return null;
      if (kept.size >= KEPT_MAX) kept.clear();
      // If the cache was dropped meanwhile, this may have been read before the change.
      if (kept === keptBefore) kept.set(hash, { ...found, atMs: nowMs });
      return targetAt(found, nowMs);
    },
    forget() {
      kept = new Map();
    },
  };
}

function targetAt({ target, goodUntilMs }: Found, nowMs: number): PingTarget | null {
  return goodUntilMs > nowMs ? target : null;
}

/** Results in the order of `asked`. */
async function findAll(
  read: ReadHeartbeats,
  asked: readonly Asked[],
): Promise<readonly (Found | null)[]> {
  const hashes = [...new Set(asked.map(({ hash }) => hash))];
  // Both are always read, so that the response time reveals nothing.
  const [current, former] = await Promise.all([
    read('pingHash', hashes),
    read('formerPingHash', hashes),
  ]);
  const byHash = new Map(
    current.map((each) => [each.pingHash, foundIn(each, Number.POSITIVE_INFINITY)]),
  );
  const byFormerHash = new Map(
    former.map((each) => [each.formerPingHash, foundIn(each, each.formerPingUntilMs ?? 0)]),
  );
  return asked.map(({ hash }) => byHash.get(hash) ?? byFormerHash.get(hash) ?? null);
}

function foundIn(
  { _id, accountId, state, heartbeat }: PingDocumentFields,
  goodUntilMs: number,
): Found | null {
  if (state === 'deleting' || heartbeat === undefined) return null;
  const { failOn } = fromJsonText<HeartbeatPlan>(heartbeat);
  return { target: { accountId, monitorId: _id, failOn }, goodUntilMs };
}
