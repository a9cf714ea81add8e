/** Keeps the records that the database does not accept now, in order and within limits. Pure. */
import type { Backlog, PendingQueue, PendingRecord } from '../../contracts/backlog';
import type { Gap, MonitorCheckRecord, ScenarioSlotRecord } from '../../contracts/records';
import { toStoredOutcome, withoutHeaders } from '../health/evidence';

const EMPTY: PendingQueue = { handed: [], held: [], sinceMs: 0 };

export const NO_BACKLOG: Backlog = { waiting: EMPTY, refused: EMPTY };

/** Limits of the queues. Both queues together must fit into one payload of Temporal (2 MB). */
const BOUNDS = {
  waiting: { count: 100, length: 512 * 1024 },
  refused: { count: 20, length: 128 * 1024 },
} as const;

interface Bounds {
  readonly count: number;
  /** Length of the records as JSON, in characters. */
  readonly length: number;
}

/** True if there are records to store. */
export function isLoaded({ handed, held }: PendingQueue): boolean {
  return handed.length > 0 || held.length > 0;
}

export function withDeferred(
  backlog: Backlog,
  queue: keyof Backlog,
  pendingRecords: readonly PendingRecord[],
): Backlog {
  const { [queue]: before } = backlog;
  const held = limitQueue(
    [...before.held, ...pendingRecords.map(withoutPassingContent)],
    BOUNDS[queue],
  );
  return { ...backlog, [queue]: { ...before, held } };
}

/** Removes headers and bodies of passing checks, so that more slots fit into the queue. */
function withoutPassingContent(pending: PendingRecord): PendingRecord {
  if (pending.kind === 'scenario') return pending;
  const { record } = pending;
  const outcomes = record.outcomes.map(({ region, outcome }) => ({
    region,
    outcome: withoutHeaders(toStoredOutcome(outcome)),
  }));
  return { kind: 'monitor', record: { ...record, outcomes } };
}

/**
 * Moves the waiting records into `handed`, which contains the records that an activity is storing. Changes nothing
 * while `handed` still contains records.
 */
export function withNextInFlight(backlog: Backlog, queue: keyof Backlog, nowMs: number): Backlog {
  const { [queue]: before } = backlog;
  if (before.handed.length > 0) return backlog;
  return { ...backlog, [queue]: { handed: before.held, held: [], sinceMs: nowMs } };
}

/** Removes the first `count` records of `handed`, which are stored or refused. */
export function withDone(backlog: Backlog, queue: keyof Backlog, count: number): Backlog {
  const { [queue]: before } = backlog;
  return { ...backlog, [queue]: { ...before, handed: before.handed.slice(count) } };
}

type SlotRecord = MonitorCheckRecord | ScenarioSlotRecord;

/**
 * Limits the queue. If the records are too many or too long, the oldest slots lose their measurements and become one
 * gap. Incidents, pauses and maintenance are kept.
 */
function limitQueue(
  pendingRecords: readonly PendingRecord[],
  bounds: Bounds,
): readonly PendingRecord[] {
  let kept = pendingRecords;
  while (!isWithin(kept, bounds)) {
    const shorter = withoutOldest(kept);
    if (shorter === null) return kept;
    kept = shorter;
  }
  return kept;
}

function isWithin(pendingRecords: readonly PendingRecord[], { count, length }: Bounds): boolean {
  if (pendingRecords.length > count) return false;
  const lengths = pendingRecords.map((pending) => JSON.stringify(pending).length);
  return lengths.reduce((sum, one) => sum + one, 0) <= length;
}

/**
 * Joins the first two gaps that can be joined. If there are none, turns the oldest measured slot into a gap. null means
 * that only one gap is left.
 */
function withoutOldest(pendingRecords: readonly PendingRecord[]): readonly PendingRecord[] | null {
  const pair = pendingRecords.findIndex((one, index) => isJoinable(one, pendingRecords[index + 1]));
  if (pair !== -1) return withJoined(pendingRecords, pair);
  const measured = pendingRecords.findIndex((pending) => !isGapOnly(pending));
  if (measured === -1) return pendingRecords.length < 2 ? null : withJoined(pendingRecords, 0);
  return pendingRecords.map((pending, index) => (index === measured ? toGap(pending) : pending));
}

/** True for two consecutive gaps without different incidents, which can be joined. */
function isJoinable(one: PendingRecord, next: PendingRecord | undefined): boolean {
  if (next === undefined || !isGapOnly(one) || !isGapOnly(next)) return false;
  const [earlier, later] = [one.record.incident, next.record.incident];
  return earlier === null || later === null || earlier.id === later.id;
}

function withJoined(
  pendingRecords: readonly PendingRecord[],
  at: number,
): readonly PendingRecord[] {
  const [one, next] = pendingRecords.slice(at, at + 2);
  if (one === undefined || next === undefined) return pendingRecords;
  return [...pendingRecords.slice(0, at), joinRecords(one, next), ...pendingRecords.slice(at + 2)];
}

function isGapOnly({ kind, record }: PendingRecord): boolean {
  return kind === 'monitor' ? record.outcomes.length === 0 : record.runId === null;
}

/** Turns the record into a gap without measurements. */
function toGap(pending: PendingRecord): PendingRecord {
  const gap = buildGap(pending.record);
  if (pending.kind === 'monitor')
    return { kind: 'monitor', record: { ...pending.record, outcomes: [], gap } };
  const unmeasured = { runId: null, runStatus: null, durationMs: null };
  return { kind: 'scenario', record: { ...pending.record, ...unmeasured, gap } };
}

/**
 * Returns the slot and the gap before it as one gap. A manual check has no slot of its own, so only its gap is
 * returned, which may be null.
 */
function buildGap({ kind, slotMs, gap }: SlotRecord): Gap | null {
  if (kind === 'manual') return gap;
  const own: Gap = { reason: 'missed', fromSlotMs: slotMs, toSlotMs: slotMs, slots: 1 };
  return spanGaps(gap, own);
}

/**
 * Joins two records. The result is the second record with the gaps of both records. If both records have an incident,
 * the later incident is kept.
 */
function joinRecords(first: PendingRecord, { kind, record }: PendingRecord): PendingRecord {
  const earlier = first.record;
  const change = {
    gap: spanGaps(earlier.gap, record.gap),
    excludedPeriods: [...earlier.excludedPeriods, ...record.excludedPeriods],
    incident: record.incident ?? earlier.incident,
  };
  if (kind === 'scenario') return { kind, record: { ...record, ...change } };
  const unconfirmed =
    record.unconfirmed ?? ('monitorId' in earlier ? earlier.unconfirmed : undefined);
  return {
    kind,
    record: { ...record, ...change, ...(unconfirmed !== undefined && { unconfirmed }) },
  };
}

/**
 * Joins the gaps of two records. The regions of a scenario record the same slot separately, so such a slot is counted
 * once.
 */
function spanGaps(one: Gap | null, other: Gap | null): Gap | null {
  if (one === null || other === null) return one ?? other;
  const isSame = one.fromSlotMs === other.fromSlotMs && one.toSlotMs === other.toSlotMs;
  return {
    reason: 'missed',
    fromSlotMs: Math.min(one.fromSlotMs, other.fromSlotMs),
    toSlotMs: Math.max(one.toSlotMs, other.toSlotMs),
    slots: isSame ? one.slots : one.slots + other.slots,
  };
}
