/** The writes of quiet checks: each moves or inserts many at a time, and may be repeated. They decide nothing. */
import type { AnyBulkWriteOperation } from 'mongoose';
import { resultIdFrom } from '../../domain/health/result-id';
import type { Clock } from '../../platform/clock';
import type { Models } from '../collections';
import { atMost, between, oneOf } from '../store/filters';
import { type EvidenceRecord, saveEvidence } from './evidence';
import { insertChanges } from './health-changes';
import { createSummaryWrites, type RecordWrites, type SummaryWrites } from './record-writes';
import type { Result } from './result';
import { STATUS_NUMBERS } from './result-documents';
import { insertResults } from './results';
import type { Measured, StatusDocument } from './statuses';

/** The part of a status that quiet checks are held against. */
export type WatchedStatus = Pick<
  StatusDocument,
  | '_id'
  | 'accountId'
  | 'health'
  | 'healthSinceMs'
  | 'lastSlotMs'
  | 'summarisedUntilMs'
  | 'regionsHealth'
  | 'measured'
>;

/** What results of a monitor are held against. */
export interface MonitorGrid {
  readonly accountId: string;
  readonly revision: number;
  readonly regions: readonly string[];
  /** Slots are anchor + k × interval. */
  readonly anchorMs: number;
  readonly intervalMs: number;
}

/** A status that is to move on to a slot of one region; only the part of this region changes. */
export interface WatchedStatusMove {
  /** As it was read. */
  readonly status: WatchedStatus;
  readonly region: string;
  readonly slotMs: number;
  readonly nextSlotMs: number | null;
  readonly checkedAtMs: number;
  readonly responseTimeMs: number | null;
  readonly measured: Measured;
}

export interface WatchedWrites extends SummaryWrites {
  /** As the monitors are now; without those that are gone. */
  readonly readGrids: (ids: readonly string[]) => Promise<ReadonlyMap<string, MonitorGrid>>;
  /** Whether anything was measured from the region between the slots, these included. */
  readonly isMeasured: (
    id: string,
    region: string,
    slots: { readonly fromSlotMs: number; readonly toSlotMs: number },
  ) => Promise<boolean>;
  readonly readStatuses: (ids: readonly string[]) => Promise<ReadonlyMap<string, WatchedStatus>>;
  /** False: one of them is not any more as it was read, as far as it matters here, and stayed. */
  readonly advanceStatuses: (moves: readonly WatchedStatusMove[]) => Promise<boolean>;
  readonly insertResults: (results: readonly Result[]) => Promise<void>;
  readonly saveEvidence: (batch: readonly EvidenceRecord[]) => Promise<void>;
  readonly insertChanges: RecordWrites['insertChanges'];
}

const READ_FIELDS = {
  accountId: 1,
  health: 1,
  healthSinceMs: 1,
  lastSlotMs: 1,
  summarisedUntilMs: 1,
  regionsHealth: 1,
  'measured.region': 1,
} as const;

export function createWatchedWrites(models: Models, clock: Clock): WatchedWrites {
  const { statuses, results, healthChanges } = models;
  return {
    ...createSummaryWrites(models),
    async readStatuses(ids) {
      const found = await statuses.find({ _id: oneOf(ids) }, READ_FIELDS).lean<WatchedStatus[]>();
      return new Map(found.map((status) => [status._id, status]));
    },
    async readGrids(ids) {
      const fields = { accountId: 1, revision: 1, regions: 1, anchorMs: 1, intervalSeconds: 1 };
      const found = await models.monitors.find({ _id: oneOf(ids) }, fields).lean();
      return new Map(
        found.map(({ _id, intervalSeconds, ...monitor }) => [
          _id,
          { ...monitor, intervalMs: intervalSeconds * 1_000 },
        ]),
      );
    },
    async isMeasured(id, region, { fromSlotMs, toSlotMs }) {
      const range = between(
        resultIdFrom(id, region, fromSlotMs),
        resultIdFrom(id, region, toSlotMs + 1),
      );
      const found = await results.find({ _id: range }, { s: 1 }).sort({ _id: 1 }).limit(2).lean();
      return found.some(({ s }) => s !== STATUS_NUMBERS.gap);
    },
    async advanceStatuses(moves) {
      if (moves.length === 0) return true;
      const writes = moves.map((move) => writeOf(move, clock.now()));
      const { matchedCount } = await statuses.bulkWrite(writes, { ordered: false });
      return matchedCount === writes.length;
    },
    insertResults: (batch) => insertResults(results, batch),
    saveEvidence: (batch) => saveEvidence(models.evidence, batch),
    insertChanges: (owner, addition) => insertChanges(healthChanges, owner, addition),
  };
}

function writeOf(
  move: WatchedStatusMove,
  changedAtMs: number,
): AnyBulkWriteOperation<StatusDocument> {
  const { status, region, slotMs, checkedAtMs } = move;
  const index = status.regionsHealth.findIndex((known) => known.region === region);
  return {
    updateOne: {
      filter: {
        _id: status._id,
        accountId: status.accountId,
        lastSlotMs: atMost(slotMs),
        // The list of regions is still as it was read.
        [`regionsHealth.${index}.region`]: region,
      },
      update: {
        $set: { ...fieldsOf(move, index), changedAtMs },
        $max: { lastCheckedAtMs: checkedAtMs },
      },
    },
  };
}

/** Only the part of this region, so that regions do not undo each other's. */
function fieldsOf(
  { status, region, slotMs, nextSlotMs, responseTimeMs, measured }: WatchedStatusMove,
  index: number,
): Readonly<Record<string, unknown>> {
  const measuredAt = (status.measured ?? []).findIndex((known) => known.region === region);
  return {
    lastSlotMs: slotMs,
    nextSlotMs,
    isWatched: true,
    ...(responseTimeMs !== null && {
      [`regionsHealth.${index}.lastResponseTimeMs`]: responseTimeMs,
    }),
    ...(measuredAt !== -1 && { [`measured.${measuredAt}`]: measured }),
  };
}
