/** Stores results of watches in the ledger of the virtual service, as the API stores them. */
import type { InternalApiClient } from '../../src/activities/internal-api-client';
import type { Gap, MonitorCheckRecord } from '../../src/contracts/records';
import type { WatchedResult, WatchReceipt } from '../../src/contracts/watches';
import type { Result, ResultStore } from '../../src/models/results/result';
import { AppError } from '../../src/platform/errors';
import type { Ledger } from './ledger';

export type WatchApi = Pick<InternalApiClient, 'openWatches' | 'deliverResults'>;

/** Returns the API as a probe of the region calls it. */
export function watchApi(ledger: Ledger, region: string): WatchApi {
  const requireDatabase = async (): Promise<void> => {
    await ledger.gate;
    if (ledger.isAway) throw new Error('the database is away');
  };
  return {
    openWatches: async (watches) => {
      await requireDatabase();
      ledger.openedWatches.push(...watches.map(({ monitorId }) => monitorId));
      return watches.map(({ monitorId }) => ({
        isOpen: !ledger.gone.has(monitorId),
        lastStoredMs: lastStoredMs(ledger, monitorId, region),
      }));
    },
    deliverResults: async (results) => {
      await requireDatabase();
      if (results.some(({ monitorId }) => ledger.refused.has(monitorId)))
        throw new Error('the database refuses it');
      return results.map((result) => take(ledger, region, result));
    },
  };
}

function lastStoredMs({ checks }: Ledger, monitorId: string, region: string): number | null {
  const own = checks.filter(
    (record) =>
      record.monitorId === monitorId &&
      record.kind === 'scheduled' &&
      record.outcomes.some((one) => one.region === region),
  );
  return own.length === 0 ? null : Math.max(...own.map(({ slotMs }) => slotMs));
}

/**
 * Accepts a result of a region for a slot, once. Refuses results of a deleted monitor and results before the region's
 * last slot.
 */
function take(ledger: Ledger, region: string, result: WatchedResult): WatchReceipt {
  const { monitorId, slotMs } = result;
  if (ledger.gone.has(monitorId)) return 'gone';
  const own = ledger.checks.filter((record) => record.monitorId === monitorId);
  // The last record up to the slot may belong to another region. Each region delivers all its stored results before the
  // next region delivers.
  const last = own.findLast((record) => record.slotMs <= slotMs);
  const same = own.find((record) => record.slotMs === slotMs && record.kind === 'scheduled');
  if (same?.outcomes.some((one) => one.region === region)) return 'stored';
  if (last === undefined || slotMs < (lastStoredMs(ledger, monitorId, region) ?? 0))
    return 'outdated';
  ledger.watchedRows.push(rowOf(region, result));
  const { requestIds: _requestIds, ...kept } = same ?? last;
  const record = {
    ...kept,
    kind: 'scheduled',
    trigger: 'schedule',
    slotMs,
    nextSlotMs: result.nextSlotMs,
    gap: same === undefined ? unseenGap(result, last.slotMs) : same.gap,
    excludedPeriods: same === undefined ? [] : same.excludedPeriods,
    incident: null,
    regionsHealth: (same ?? last).regionsHealth.map((known) =>
      known.region === region
        ? { ...known, lastResponseTimeMs: result.outcome.responseTimeMs }
        : known,
    ),
    outcomes: [...(same === undefined ? [] : same.outcomes), { region, outcome: result.outcome }],
  } as const;
  if (same !== undefined) ledger.checks.splice(ledger.checks.indexOf(same), 1, record);
  else insertInOrder(ledger.checks, record);
  return 'stored';
}

/** Returns the gap without the slots that another region has seen. null if no slot is left. */
function unseenGap({ gap, slotMs, nextSlotMs }: WatchedResult, seenMs: number): Gap | null {
  const intervalMs = nextSlotMs - slotMs;
  if (gap === null || gap.toSlotMs <= seenMs) return null;
  const fromSlotMs = Math.max(gap.fromSlotMs, seenMs + intervalMs);
  return { ...gap, fromSlotMs, slots: (gap.toSlotMs - fromSlotMs) / intervalMs + 1 };
}

function insertInOrder(checks: MonitorCheckRecord[], record: MonitorCheckRecord): void {
  const later = checks.findIndex(
    ({ monitorId, slotMs }) => monitorId === record.monitorId && slotMs > record.slotMs,
  );
  if (later === -1) checks.push(record);
  else checks.splice(later, 0, record);
}

/** Returns the results of watches that the workflow reads, newest first. */
export function watchedResults(ledger: Ledger): Pick<ResultStore, 'page'> {
  return {
    page: async (_, { monitorId, regions, fromMs, toMs, limit }) => {
      if (ledger.isAway) throw new AppError('unavailable', 'the database is away');
      const isAsked = ({ slotMs, ...row }: Result): boolean =>
        row.monitorId === monitorId &&
        regions.includes(row.region) &&
        slotMs >= (fromMs ?? 0) &&
        slotMs < (toMs ?? Number.POSITIVE_INFINITY);
      const found = ledger.watchedRows.filter(isAsked).toSorted((a, b) => b.slotMs - a.slotMs);
      return { items: found.slice(0, limit), hasMore: found.length > limit };
    },
  };
}

function rowOf(region: string, { outcome, ...result }: WatchedResult): Result {
  const { accountId, monitorId, revision, slotMs } = result;
  const { status, responseTimeMs } = outcome;
  const ids = {
    id: `${monitorId} ${region} ${slotMs}`,
    accountId,
    monitorId,
    revision,
    region,
    slotMs,
  };
  const kind = { kind: 'scheduled', trigger: 'schedule' } as const;
  return { ...ids, ...kind, status, responseTimeMs, inMaintenance: false, outcome, gap: null };
}
