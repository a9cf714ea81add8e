/**
 * Records what probes measured in quiet checks, many at a time: one write moves the statuses on, one
 * inserts the results. It changes no health and opens nothing; a result that it refuses goes the way
 * of every other check.
 */
import type { ResultDelivery } from '../../contracts/probe-protocol';
import type { WatchedResult, WatchReceipt } from '../../contracts/watches';
import { keptOutcome } from '../../domain/health/evidence';
import { HOUR_MS, startOf } from '../../domain/health/summary';
import type { EvidenceRecord } from '../../models/results/evidence';
import type { Result } from '../../models/results/result';
import type { WatchedStatus, WatchedStatusMove } from '../../models/results/watched-writes';
import type { Dependencies } from '../ports/dependencies';
import { evidenceOfSlot } from './evidence-of-slot';
import { gapResults, scheduledResult } from './results-of-slot';
import { measuredOf } from './status-changes';
import { closeHours } from './sum-up-hours';
import { timelineOf } from './timeline-of-slot';

type Needs = Pick<Dependencies, 'stores'>;

/** A result that may be stored, and the status that it meets. */
interface Accepted {
  readonly result: WatchedResult;
  readonly status: WatchedStatus;
}

/** One receipt for each result, in their order, once all of them are stored. May be repeated. */
export async function recordWatchedResults(
  { stores: { watchedResults: writes } }: Needs,
  { region, results }: ResultDelivery,
): Promise<readonly WatchReceipt[]> {
  if (results.length === 0) return [];
  const ids = [...new Set(results.map(({ monitorId }) => monitorId))];
  const statuses = await writes.readStatuses(ids);
  const accepted = results.flatMap((result): Accepted[] => {
    const status = statuses.get(result.monitorId);
    const isAccepted = receiptOf(result, region, status) === 'stored';
    return isAccepted && status !== undefined ? [{ result, status }] : [];
  });
  const moves = accepted.map((one) => moveOf(one, region));
  // A slot that was recorded between the read and the write has overtaken some of them.
  const latest = (await writes.advanceStatuses(moves)) ? statuses : await writes.readStatuses(ids);
  const receipts = results.map((result) => receiptOf(result, region, latest.get(result.monitorId)));
  const stored = results.filter((_, index) => receipts[index] === 'stored');
  await writes.insertResults(stored.flatMap((result) => resultsOf(result, region)));
  await writes.saveEvidence(stored.flatMap((result) => evidenceOfResult(result, region)));
  const moved = accepted.filter(({ result }) => stored.includes(result));
  await Promise.all(moved.map((one) => nameGap(writes, region, one)));
  await Promise.all(moved.map((one) => sumUp(writes, region, one)));
  return receipts;
}

/**
 * The same slot again counts as stored: its result stays as it is. A gap that begins before the region's health did
 * would change what was seen, which no probe that goes by its own marks asks for.
 */
function receiptOf(
  { accountId, slotMs, gap }: WatchedResult,
  region: string,
  status: WatchedStatus | undefined,
): WatchReceipt {
  if (status === undefined || status.accountId !== accountId) return 'gone';
  const known = status.regionsHealth.find((one) => one.region === region);
  if (known === undefined || slotMs < status.lastSlotMs) return 'outdated';
  return gap !== null && gap.fromSlotMs < known.sinceMs ? 'outdated' : 'stored';
}

function moveOf({ result, status }: Accepted, region: string): WatchedStatusMove {
  const { slotMs, nextSlotMs, outcome } = result;
  return {
    status,
    region,
    slotMs,
    nextSlotMs,
    checkedAtMs: Date.parse(outcome.finishedAt),
    responseTimeMs: outcome.responseTimeMs,
    measured: measuredOf({ region, outcome }),
  };
}

/** What was measured, and the gap before it. */
function resultsOf(quiet: WatchedResult, region: string): readonly Result[] {
  const { status, responseTimeMs } = quiet.outcome;
  const found = { status, responseTimeMs, outcome: keptOutcome(quiet.outcome), gap: null };
  const measured = scheduledResult(quiet, { region, slotMs: quiet.slotMs }, found);
  return [measured, ...gapResults(quiet.gap, { ...quiet, regions: [region] })];
}

/**
 * In the timeline, too: nobody looked from the region until this slot; nor from anywhere, unless another region
 * has come further.
 */
async function nameGap(
  writes: Needs['stores']['watchedResults'],
  region: string,
  { result: { accountId, monitorId: id, slotMs, gap }, status }: Accepted,
): Promise<void> {
  if (gap === null) return;
  const isBlind = status.lastSlotMs < gap.fromSlotMs;
  const seen = {
    slotMs,
    gap,
    excludedPeriods: [],
    healthSinceMs: status.healthSinceMs,
    health: status.health,
    regionsHealth: status.regionsHealth.filter((known) => known.region === region),
  };
  const { changes, excludedPeriods } = timelineOf(seen);
  const named = changes.filter((change) => change.region !== null || isBlind);
  await writes.insertChanges({ accountId, id }, { changes: named, excludedPeriods });
}

function evidenceOfResult(
  { accountId, monitorId, slotMs, outcome }: WatchedResult,
  region: string,
): readonly EvidenceRecord[] {
  const outcomes = [{ region, outcome }];
  return evidenceOfSlot({ accountId, monitorId, slotMs, kind: 'scheduled', outcomes });
}

/** The first slot of an hour sums up what lies before; a late one has its own hour made again. */
async function sumUp(
  writes: Needs['stores']['watchedResults'],
  region: string,
  { result: { accountId, monitorId: id, slotMs, gap }, status }: Accepted,
): Promise<void> {
  const { regionsHealth, summarisedUntilMs } = status;
  const hourMs = startOf(HOUR_MS, slotMs);
  if (hourMs < summarisedUntilMs) {
    const fromMs = startOf(HOUR_MS, gap?.fromSlotMs ?? slotMs);
    const span = { fromMs, toMs: hourMs + HOUR_MS, endedMs: summarisedUntilMs };
    await writes.summariseHours({ accountId, id, region }, span);
    return;
  }
  if (hourMs === summarisedUntilMs) return;
  const regions = regionsHealth.map((known) => known.region);
  const closing = { summarisedUntilMs, formerRegions: regions, regions };
  await closeHours(writes, { accountId, id, slotMs, regionsHealth }, closing);
}
