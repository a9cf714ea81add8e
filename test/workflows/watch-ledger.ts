/** Results of quiet checks in the ledger of the virtual service, taken as the real store takes them. */
import type { WatchReceipt, WatchedResult } from '../../src/contracts/watches';
import type { Result, ResultStore } from '../../src/models/results/result';
import { AppError } from '../../src/platform/errors';
import type { Ledger } from './ledger';

/** One result per slot and region, none of something that is gone. */
export async function takeWatchedResult(
  ledger: Ledger,
  region: string,
  result: WatchedResult,
): Promise<WatchReceipt> {
  await ledger.gate;
  const { monitorId, slotMs } = result;
  if (ledger.isAway || ledger.refused.has(monitorId)) throw new Error('the database is away');
  if (ledger.gone.has(monitorId)) return 'gone';
  const last = ledger.checks.filter((record) => record.monitorId === monitorId).at(-1);
  if (last === undefined || last.slotMs > slotMs) return 'outdated';
  const isRecorded = last.slotMs === slotMs;
  if (isRecorded && last.outcomes.some((one) => one.region === region)) return 'stored';
  ledger.watchedRows.push(rowOf(region, result));
  const { requestIds: _requestIds, ...kept } = last;
  const record = {
    ...kept,
    kind: 'scheduled',
    trigger: 'schedule',
    slotMs,
    nextSlotMs: result.nextSlotMs,
    gap: isRecorded ? last.gap : result.gap,
    excludedPeriods: isRecorded ? last.excludedPeriods : [],
    incident: null,
    regionsHealth: last.regionsHealth.map((known) =>
      known.region === region
        ? { ...known, lastResponseTimeMs: result.outcome.responseTimeMs }
        : known,
    ),
    outcomes: [...(isRecorded ? last.outcomes : []), { region, outcome: result.outcome }],
  } as const;
  if (isRecorded) ledger.checks.splice(ledger.checks.indexOf(last), 1, record);
  else ledger.checks.push(record);
  return 'stored';
}

/** What the workflow reads of them, newest first. */
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
