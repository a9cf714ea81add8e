/**
 * Finds the heartbeat of a token. Found heartbeats are cached for a few seconds, because every ping needs this look-up.
 * Changes by another process take effect after that time.
 */
import type { FailOnRule, HeartbeatPlan } from '../../contracts/heartbeat';
import { createBatcher } from '../../platform/create-batcher';
import { fromJsonText } from '../store/json-text';

/** The parts of a heartbeat that are needed to store a ping. */
export interface PingTarget {
  readonly accountId: string;
  readonly monitorId: string;
  readonly failOn: readonly FailOnRule[];
}

export interface PingLookup {
  /** Returns null if the token is unknown or was replaced more than a day ago, or if its heartbeat is being deleted. */
  readonly find: (hash: string, nowMs: number) => Promise<PingTarget | null>;
  /** Drops the cache. Must be called after heartbeats have changed. */
  readonly forget: () => void;
}

interface Asked {
  readonly hash: string;
  readonly nowMs: number;
}

interface Found {
  readonly target: PingTarget;
  /** When the token expires. Infinity means that it was not replaced. */
  readonly goodUntilMs: number;
}

const KEPT_MS = 5_000;
const KEPT_MAX = 20_000;
const FOUND_AT_ONCE_MAX = 500;

/** The fields that are read of each heartbeat. The plan is JSON text. */
export interface PingDocumentFields {
  readonly _id: string;
  readonly accountId: string;
  readonly state: string;
  readonly heartbeat?: string;
  readonly pingHash?: string;
  readonly formerPingHash?: string;
  readonly formerPingUntilMs?: number;
}

/** Reads the heartbeats. The result may be in any order. */
type ReadHeartbeats = (
  field: 'pingHash' | 'formerPingHash',
  hashes: readonly string[],
) => Promise<readonly PingDocumentFields[]>;

export function createPingLookup(read: ReadHeartbeats): PingLookup {
  let kept = new Map<string, Found & { readonly atMs: number }>();
  const look = createBatcher((asked: readonly Asked[]) => findAll(read, asked), {
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
      // If the cache was dropped during the read, this heartbeat may be outdated. It is then not cached.
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

/** Finds several heartbeats. The results are in the order of `asked`. */
async function findAll(
  read: ReadHeartbeats,
  asked: readonly Asked[],
): Promise<readonly (Found | null)[]> {
  const hashes = [...new Set(asked.map(({ hash }) => hash))];
  // Both tokens are always looked up, so that the response time reveals nothing.
  const [current, former] = await Promise.all([
    read('pingHash', hashes),
    read('formerPingHash', hashes),
  ]);
  const byHash = new Map(
    current.map((each) => [each.pingHash, toFound(each, Number.POSITIVE_INFINITY)]),
  );
  const byFormerHash = new Map(
    former.map((each) => [each.formerPingHash, toFound(each, each.formerPingUntilMs ?? 0)]),
  );
  return asked.map(({ hash }) => byHash.get(hash) ?? byFormerHash.get(hash) ?? null);
}

function toFound(
  { _id, accountId, state, heartbeat }: PingDocumentFields,
  goodUntilMs: number,
): Found | null {
  if (state === 'deleting' || heartbeat === undefined) return null;
  const { failOn } = fromJsonText<HeartbeatPlan>(heartbeat);
  return { target: { accountId, monitorId: _id, failOn }, goodUntilMs };
}
