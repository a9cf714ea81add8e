/** Reads for pages that show many resources. Only fields that are counted or drawn are loaded. */
import type { ResourceKind } from '../../contracts/definition';
import type { Health } from '../../contracts/records';
import { parseResultId } from '../../domain/health/result-id';
import type { Models } from '../collections';
import type { MonitorDocument } from '../resources/monitors';
import type { Resource } from '../resources/resource';
import type { Result } from '../results/result';
import { type ResultDocument, toResultStatus } from '../results/result-documents';
import { buildEndId, buildFirstId } from '../results/result-ranges';
import type { StatusDocument } from '../results/statuses';
import { between, matchAny } from '../store/filters';

/** The fields of a resource that are needed for counting. */
export interface AccountTally {
  readonly id: string;
  readonly state: Resource['state'];
  readonly pausedUntilMs: number | null;
  readonly groupKey: string;
  /** The tags. Empty if they were not requested. */
  readonly tags: readonly string[];
  /** The hours. null if they were not requested. */
  readonly hours: Resource['hours'];
  readonly outside: Resource['outside'];
}

export interface TallyStatus {
  readonly id: string;
  readonly health: Health;
}

/** The fields of a result that are needed for a bar in a list. */
export interface RecentResult {
  readonly slotMs: number;
  readonly status: Result['status'];
  readonly responseTimeMs: number | null;
}

export interface NewestQuery {
  readonly id: string;
  readonly region: string;
  readonly limit: number;
  /**
   * When results were last stored. If this time has not changed since the last read, the cached result of the last read
   * is returned. null means that the database is always read.
   */
  readonly unchangedSinceMs: number | null;
}

export interface OverviewStore {
  /** Reads all resources of the kind. Tags and hours are loaded only on request. */
  readonly resources: (
    accountId: string,
    query: { readonly kind: ResourceKind; readonly withTags: boolean },
  ) => Promise<readonly AccountTally[]>;
  readonly statusesNotUp: (accountId: string) => Promise<readonly TallyStatus[]>;
  readonly openIncidents: (accountId: string) => Promise<number>;
  /** Reads the newest results of one resource in one region, newest first. */
  readonly newestResults: (
    accountId: string,
    query: NewestQuery,
  ) => Promise<readonly RecentResult[]>;
}

type OverviewModels = Pick<Models, 'monitors' | 'scenarios' | 'statuses' | 'incidents' | 'results'>;

type CountedDocument = Pick<MonitorDocument, '_id' | 'state' | 'pausedUntilMs' | 'groupKey'> &
  Partial<Pick<MonitorDocument, 'tags' | 'hours' | 'outside'>>;
/** The number of documents per response. The documents are small, so one response is enough for an account. */
const BATCH = 5_000;
/** Maximum number of cached reads of newest results. The cache uses a few megabytes. */
const KEPT_MAX = 3_000;
const COUNTED = { state: 1, pausedUntilMs: 1, groupKey: 1 } as const;
const NOT_UP = ['degraded', 'down', 'pending', 'unknown'] as const satisfies readonly Health[];

interface Kept {
  readonly unchangedSinceMs: number;
  readonly found: readonly RecentResult[];
}

export function createOverviewStore(models: OverviewModels): OverviewStore {
  const { monitors, scenarios, statuses, incidents, results } = models;
  const newest = new Map<string, Kept>();
  return {
    async resources(accountId, { kind, withTags }) {
      const fields = { ...COUNTED, ...(withTags && { tags: 1, hours: 1, outside: 1 }) };
      const found =
        kind === 'monitor'
          ? await monitors.find({ accountId }, fields).batchSize(BATCH).lean<CountedDocument[]>()
          : await scenarios.find({ accountId }, fields).batchSize(BATCH).lean<CountedDocument[]>();
      return found.map(toTally);
    },
    async statusesNotUp(accountId) {
      const found = await statuses
        .find({ accountId, health: matchAny(NOT_UP) }, { health: 1 })
        .batchSize(BATCH)
        .lean<Pick<StatusDocument, '_id' | 'health'>[]>();
      return found.map(({ _id: id, health }) => ({ id, health }));
    },
    async openIncidents(accountId) {
      return incidents.countDocuments({ accountId, open: true });
    },
    async newestResults(accountId, { unchangedSinceMs, ...query }) {
      const key = `${accountId} ${query.id} ${query.region} ${query.limit}`;
      const kept = newest.get(key);
      if (kept !== undefined && kept.unchangedSinceMs === unchangedSinceMs) return kept.found;
      const found = await readNewest(results, accountId, query);
      newest.delete(key);
      if (unchangedSinceMs !== null) newest.set(key, { unchangedSinceMs, found });
      if (newest.size > KEPT_MAX) newest.delete(newest.keys().next().value ?? '');
      return found;
    },
  };
}

/** Reads results, newest first. */
async function readNewest(
  results: Models['results'],
  accountId: string,
  { id, region, limit }: Omit<NewestQuery, 'unchangedSinceMs'>,
): Promise<readonly RecentResult[]> {
  const range = { monitorId: id, region, fromMs: null, toMs: null };
  const found = await results
    .find({ _id: between(buildFirstId(range), buildEndId(range)), a: accountId }, { s: 1, r: 1 })
    .sort({ _id: -1 })
    .limit(limit)
    .lean<Pick<ResultDocument, '_id' | 's' | 'r'>[]>();
  return found.map(({ _id, s, r = null }) => ({
    slotMs: parseResultId(_id).slotMs,
    status: toResultStatus(s),
    responseTimeMs: r,
  }));
}

function toTally(document: CountedDocument): AccountTally {
  const { _id: id, state, pausedUntilMs, groupKey } = document;
  const { tags = [], hours = null, outside = 'quiet' } = document;
  return { id, state, pausedUntilMs, groupKey, tags, hours, outside };
}
