/**
 * Records the results of watches in batches. One insert stores the results, and one write advances the statuses. The
 * health does not change. The statuses are written last. Therefore, if a status contains a slot, everything about the
 * slot is stored.
 */
import type { WatchedResult, WatchReceipt } from '../../contracts/watches';
import { toStoredOutcome } from '../../domain/health/evidence';
import { buildResultId } from '../../domain/health/result-id';
import { findPeriodStart, HOUR_MS } from '../../domain/health/summary';
import { findLastStoredMs } from '../../domain/health/watches';
import type { EvidenceRecord } from '../../models/results/evidence';
import type { Result } from '../../models/results/result';
import type { WatchedStatus, WatchedStatusMove } from '../../models/results/watched-writes';
import type { Dependencies } from '../ports/dependencies';
import { readSlotEvidence } from './slot-evidence';
import { buildGapResults, buildScheduledResult } from './slot-results';
import { buildTimeline } from './slot-timeline';
import { readMeasured } from './status-changes';
import { closeHours } from './sum-up-hours';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;
type Writes = Needs['stores']['watchedResults'];

type Statuses = ReadonlyMap<string, WatchedStatus>;

/** The results of one region. */
interface Batch {
  readonly region: string;
  readonly results: readonly WatchedResult[];
  /** The statuses of the monitors to which the results belong, as they were just read. */
  readonly statuses: Statuses;
}

/** A result to be stored, with the current status of its monitor. */
interface Accepted {
  readonly result: WatchedResult;
  readonly status: WatchedStatus;
}

/**
 * Maximum number of attempts to advance the statuses. Another attempt is needed if another process recorded a slot at
 * the same time.
 */
const MOVE_TRIES_MAX = 3;

/**
 * Records the results. Returns one receipt per result, in the same order, after all accepted results are stored.
 * Idempotent.
 */
export async function recordWatchedResults(
  { stores: { watchedResults: writes }, clock }: Needs,
  { region, results, statuses }: Batch,
): Promise<readonly WatchReceipt[]> {
  const refused = new Set<string>();
  const verdicts = results.map((result): Verdict => {
    const { monitorId } = result;
    const verdict = judge(result, region, statuses.get(monitorId));
    // Later results of the monitor are refused as well, because their gaps are counted from the refused result.
    if (verdict === 'outdated') refused.add(monitorId);
    return refused.has(monitorId) ? 'outdated' : verdict;
  });
  const again = results.filter((_, index) => verdicts[index] === 'again');
  const stored = await writes.findStored(again.map((result) => buildId(result, region)));
  const accepted = results.flatMap((result, index): Accepted[] => {
    const status = statuses.get(result.monitorId);
    return verdicts[index] === 'next' && status !== undefined ? [{ result, status }] : [];
  });
  await storeAll(writes, { region, accepted, nowMs: clock.now() });
  const latest = await moveOn(writes, region, accepted);
  return results.map((result, index): WatchReceipt => {
    const verdict = verdicts[index];
    if (verdict === 'again') return stored.has(buildId(result, region)) ? 'stored' : 'outdated';
    if (verdict !== 'next') return verdict ?? 'outdated';
    // If the monitor has just been deleted, its results are deleted as well.
    return latest === null || latest.has(result.monitorId) ? 'stored' : 'gone';
  });
}

/**
 * The decision about a result. `next` means that the result is accepted. `again` means that the region has already
 * passed this slot.
 */
type Verdict = 'next' | 'again' | 'outdated' | 'gone';

/**
 * Decides about a result. Refuses a gap that begins before the region's current health, because it would change
 * recorded observations. Correct probes never send such a gap.
 */
function judge(
  { accountId, slotMs, gap }: WatchedResult,
  region: string,
  status: WatchedStatus | undefined,
): Verdict {
  if (status === undefined || status.accountId !== accountId) return 'gone';
  const known = status.regionsHealth.find((one) => one.region === region);
  if (known === undefined) return 'outdated';
  if (slotMs <= findLastStoredMs(status, region)) return 'again';
  return gap !== null && gap.fromSlotMs < known.sinceMs ? 'outdated' : 'next';
}

function buildId({ monitorId, slotMs }: WatchedResult, region: string): string {
  return buildResultId({ monitorId, region, slotMs, kind: 'scheduled' });
}

interface Storing {
  readonly region: string;
  readonly accepted: readonly Accepted[];
  readonly nowMs: number;
}

/** Stores everything about the results except the statuses. */
async function storeAll(writes: Writes, { region, accepted, nowMs }: Storing): Promise<void> {
  const results = accepted.map(({ result }) => result);
  await writes.insertResults(results.flatMap((result) => buildResults(result, region)));
  await writes.saveEvidence(results.flatMap((result) => evidenceOfResult(result, region)));
  await Promise.all(accepted.map((one) => nameGap(writes, region, one)));
  const current = await rereadLate(writes, accepted, nowMs);
  await Promise.all(current.map((one) => sumUp(writes, region, one)));
}

/**
 * After the results are stored, reads the statuses of monitors with late results again. Another region may be
 * summarising a past hour at the same time. The status shows whether the summary of that hour can include the result.
 */
async function rereadLate(
  writes: Writes,
  accepted: readonly Accepted[],
  nowMs: number,
): Promise<readonly Accepted[]> {
  const isLate = ({ result }: Accepted) => result.slotMs < findPeriodStart(HOUR_MS, nowMs);
  const late = accepted.filter(isLate);
  if (late.length === 0) return accepted;
  const read = await writes.readStatuses(late.map(({ result }) => result.monitorId));
  return accepted.map((one) =>
    isLate(one) ? { ...one, status: read.get(one.result.monitorId) ?? one.status } : one,
  );
}

/**
 * Advances each status to the newest slot. Returns the statuses as they were last read. Returns null if the first write
 * succeeded.
 */
async function moveOn(
  writes: Writes,
  region: string,
  accepted: readonly Accepted[],
): Promise<Statuses | null> {
  const newest = new Map<string, Accepted>();
  for (const one of accepted) {
    const { monitorId, slotMs } = one.result;
    if (slotMs >= (newest.get(monitorId)?.result.slotMs ?? slotMs)) newest.set(monitorId, one);
  }
  let left = [...newest.values()];
  let latest: Statuses | null = null;
  for (let tries = 1; left.length > 0; tries += 1) {
    const hasMoved = await writes.advanceStatuses(left.map((one) => buildMove(one, region)));
    if (hasMoved || tries === MOVE_TRIES_MAX) break;
    const read = await writes.readStatuses([...newest.keys()]);
    latest = read;
    left = left.flatMap(({ result }): Accepted[] => {
      const status = read.get(result.monitorId);
      const isBehind = judge(result, region, status) === 'next';
      return status !== undefined && isBehind ? [{ result, status }] : [];
    });
  }
  return latest;
}

function buildMove({ result, status }: Accepted, region: string): WatchedStatusMove {
  const { slotMs, nextSlotMs, outcome } = result;
  return {
    status,
    region,
    slotMs,
    nextSlotMs,
    checkedAtMs: Date.parse(outcome.finishedAt),
    responseTimeMs: outcome.responseTimeMs,
    measured: readMeasured({ region, outcome }, slotMs),
  };
}

/** Returns the measured result, and the gap before it. */
function buildResults(watched: WatchedResult, region: string): readonly Result[] {
  const { status, responseTimeMs } = watched.outcome;
  const found = { status, responseTimeMs, outcome: toStoredOutcome(watched.outcome), gap: null };
  const measured = buildScheduledResult(watched, { region, slotMs: watched.slotMs }, found);
  return [measured, ...buildGapResults(watched.gap, { ...watched, regions: [region] })];
}

/**
 * Adds the gap to the timeline of the region. If no other region has passed the start of the gap, also adds it to the
 * timeline of the monitor.
 */
async function nameGap(
  writes: Writes,
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
  const { changes, excludedPeriods } = buildTimeline(seen);
  const named = changes.filter((change) => change.region !== null || isBlind);
  await writes.insertChanges({ accountId, id }, { changes: named, excludedPeriods });
}

function evidenceOfResult(
  { accountId, monitorId, slotMs, outcome }: WatchedResult,
  region: string,
): readonly EvidenceRecord[] {
  const outcomes = [{ region, outcome }];
  return readSlotEvidence({ accountId, monitorId, slotMs, kind: 'scheduled', outcomes });
}

/**
 * Computes summaries of hours. The first slot of an hour starts the summaries of all hours before it. For a late slot,
 * the summary of its own hour is computed again.
 */
async function sumUp(
  writes: Writes,
  region: string,
  { result: { accountId, monitorId: id, slotMs, gap }, status }: Accepted,
): Promise<void> {
  const { regionsHealth, summarisedUntilMs } = status;
  const hourMs = findPeriodStart(HOUR_MS, slotMs);
  if (hourMs < summarisedUntilMs) {
    const fromMs = findPeriodStart(HOUR_MS, gap?.fromSlotMs ?? slotMs);
    const span = { fromMs, toMs: hourMs + HOUR_MS, endedMs: summarisedUntilMs };
    await writes.summariseHours({ accountId, id, region }, span);
    return;
  }
  if (hourMs === summarisedUntilMs) return;
  const regions = regionsHealth.map((known) => known.region);
  const closing = { summarisedUntilMs, formerRegions: regions, regions };
  await closeHours(writes, { accountId, id, slotMs, regionsHealth }, closing);
}
