/**
 * Stores the results of quiet checks, many at a time: one write moves the statuses on, one inserts the
 * results. It changes no health and opens nothing; what it refuses goes the way of every other check.
 */
import type { AnyBulkWriteOperation } from 'mongoose';
import type { QuietReceipt, QuietResult } from '../../contracts/quiet-checks';
import { HOUR_MS } from '../../domain/health/summary';
import type { Clock } from '../../platform/clock';
import type { Models } from '../collections';
import { atMost, oneOf } from '../store/filters';
import { closeHours } from './record-check';
import type { Result } from './result';
import { resultId } from './result-id';
import { insertResults } from './results';
import { measuredOf } from './status-changes';
import { noteSummaries, type StatusDocument } from './statuses';
import { startOf, summariseHours } from './summaries';

/** Writes of quiet checks. */
export interface QuietResultStore {
  /**
   * Stores results of one region and moves the statuses of their monitors on; one receipt for each,
   * in their order. Health and incidents stay: these results changed nothing. May be repeated.
   */
  readonly record: (
    region: string,
    results: readonly QuietResult[],
  ) => Promise<readonly QuietReceipt[]>;
}

type LastStatus = Pick<
  StatusDocument,
  '_id' | 'accountId' | 'lastSlotMs' | 'summarisedUntilMs' | 'regionsHealth' | 'measured'
>;

/** A result that may be stored, and the status that it meets. */
interface Accepted {
  readonly result: QuietResult;
  readonly status: LastStatus;
}

const READ_FIELDS = {
  accountId: 1,
  lastSlotMs: 1,
  summarisedUntilMs: 1,
  regionsHealth: 1,
  'measured.region': 1,
} as const;

export function createQuietResultStore(models: Models, clock: Clock): QuietResultStore {
  return {
    async record(region, results) {
      const statuses = await readStatuses(models, results);
      const accepted = results.flatMap((result): Accepted[] => {
        const status = statuses.get(result.monitorId);
        const isAccepted = receiptOf(result, region, status) === 'stored';
        return isAccepted && status !== undefined ? [{ result, status }] : [];
      });
      const isEachMoved = await advanceStatuses(models, region, { accepted, atMs: clock.now() });
      // A slot that was recorded between the read and the write has overtaken some of them.
      const latest = isEachMoved ? statuses : await readStatuses(models, results);
      const receipts = results.map((result) =>
        receiptOf(result, region, latest.get(result.monitorId)),
      );
      const stored = results.filter((_, index) => receipts[index] === 'stored');
      await insertResults(
        models.results,
        stored.map((result) => rowOf(result, region)),
      );
      const summedUp = accepted.filter(({ result }) => stored.includes(result));
      await Promise.all(summedUp.map((one) => sumUp(models, region, one)));
      return receipts;
    },
  };
}

async function readStatuses(
  { statuses }: Models,
  results: readonly QuietResult[],
): Promise<ReadonlyMap<string, LastStatus>> {
  const ids = [...new Set(results.map(({ monitorId }) => monitorId))];
  const found = await statuses.find({ _id: oneOf(ids) }, READ_FIELDS).lean<LastStatus[]>();
  return new Map(found.map((status) => [status._id, status]));
}

/** The same slot again counts as stored: its result stays as it is. */
function receiptOf(
  { accountId, slotMs }: QuietResult,
  region: string,
  status: LastStatus | undefined,
): QuietReceipt {
  if (status === undefined || status.accountId !== accountId) return 'gone';
  const isKnown = status.regionsHealth.some((known) => known.region === region);
  return isKnown && status.lastSlotMs <= slotMs ? 'stored' : 'outdated';
}

/** True when each status was still as it was read, as far as it matters here. */
async function advanceStatuses(
  { statuses }: Models,
  region: string,
  { accepted, atMs }: { readonly accepted: readonly Accepted[]; readonly atMs: number },
): Promise<boolean> {
  if (accepted.length === 0) return true;
  const writes = accepted.map(
    ({ result, status }): AnyBulkWriteOperation<StatusDocument> => ({
      updateOne: {
        filter: {
          _id: result.monitorId,
          accountId: result.accountId,
          lastSlotMs: atMost(result.slotMs),
          ...placeFilter(region, status),
        },
        update: {
          $set: { ...statusFields(result, region, status), changedAtMs: atMs },
          $max: { lastCheckedAtMs: Date.parse(result.outcome.finishedAt) },
        },
      },
    }),
  );
  const { matchedCount } = await statuses.bulkWrite(writes, { ordered: false });
  return matchedCount === writes.length;
}

/** The list of regions is still as it was read. */
function placeFilter(
  region: string,
  { regionsHealth }: LastStatus,
): Readonly<Record<string, string>> {
  const index = regionsHealth.findIndex((known) => known.region === region);
  return { [`regionsHealth.${index}.region`]: region };
}

/** Only the part of this region, so that regions do not undo each other's. */
function statusFields(
  { slotMs, nextSlotMs, outcome }: QuietResult,
  region: string,
  { regionsHealth, measured = [] }: LastStatus,
): Readonly<Record<string, unknown>> {
  const healthAt = regionsHealth.findIndex((known) => known.region === region);
  const measuredAt = measured.findIndex((known) => known.region === region);
  const { responseTimeMs } = outcome;
  return {
    lastSlotMs: slotMs,
    nextSlotMs,
    isQuiet: true,
    ...(responseTimeMs !== null && {
      [`regionsHealth.${healthAt}.lastResponseTimeMs`]: responseTimeMs,
    }),
    ...(measuredAt !== -1 && { [`measured.${measuredAt}`]: measuredOf({ region, outcome }) }),
  };
}

function rowOf(
  { accountId, monitorId, revision, slotMs, outcome }: QuietResult,
  region: string,
): Result {
  return {
    id: resultId({ monitorId, region, slotMs, kind: 'scheduled' }),
    accountId,
    monitorId,
    revision,
    region,
    slotMs,
    kind: 'scheduled',
    trigger: 'schedule',
    status: outcome.status,
    inMaintenance: false,
    responseTimeMs: outcome.responseTimeMs,
    outcome,
    gap: null,
  };
}

/** The first slot of an hour sums up what lies before; a late one has its own hour made again. */
async function sumUp(
  models: Models,
  region: string,
  { result: { accountId, monitorId: id, slotMs }, status }: Accepted,
): Promise<void> {
  const { regionsHealth, summarisedUntilMs } = status;
  const hourMs = startOf(HOUR_MS, slotMs);
  if (hourMs < summarisedUntilMs) {
    const span = { fromMs: hourMs, toMs: hourMs + HOUR_MS, endedMs: summarisedUntilMs };
    await summariseHours(models, { accountId, id, region }, span);
    return;
  }
  if (hourMs === summarisedUntilMs) return;
  const regions = regionsHealth.map((known) => known.region);
  await closeHours(
    {
      summariseHours: (source, span) => summariseHours(models, source, span),
      noteSummaries: (owner, atMs) => noteSummaries(models.statuses, owner, atMs),
    },
    { accountId, id, slotMs, regionsHealth },
    { standing: { kind: 'advanced', summarisedUntilMs, regions }, regions },
  );
}
