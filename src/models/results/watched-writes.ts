/**
 * Writes the results of watches (activities that repeat steady checks). Each call changes many documents and is
 * idempotent.
 */
import type { mongo } from 'mongoose';
import type { MovedGrid } from '../../contracts/watches';
import { buildFirstResultId } from '../../domain/health/result-id';
import type { Clock } from '../../platform/clock';
import type { Models } from '../collections';
import type { Resource } from '../resources/resource';
import { above, atLeast, atMost, below, between, matchAny } from '../store/filters';
import { toRawCollection } from '../store/raw-collection';
import { type EvidenceRecord, saveEvidence } from './evidence';
import { insertChanges } from './health-changes';
import { createSummaryWrites, type RecordWrites, type SummaryWrites } from './record-writes';
import type { Result } from './result';
import { STATUS_NUMBERS } from './result-documents';
import { insertResults } from './results';
import type { Measured, StatusDocument } from './statuses';

/** The part of a status that is compared with results of watches. */
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
  | 'isWatched'
  | 'recordedSlotMs'
>;

/** The slots that a monitor's status contains. */
export type SlotStatus = Pick<
  StatusDocument,
  '_id' | 'lastSlotMs' | 'measured' | 'isWatched' | 'recordedSlotMs'
>;

/** The part of a monitor that is compared with results of its watches. */
export interface MonitorGrid extends Pick<Resource, 'state' | 'pausedUntilMs'> {
  readonly accountId: string;
  readonly version: number;
  readonly revision: number;
  readonly regions: readonly string[];
  /** The anchor of the slots, which are anchor + k × interval. */
  readonly anchorMs: number;
  readonly intervalMs: number;
}

/** The change of a status by a slot of one region. Only the part of this region changes. */
export interface WatchedStatusMove {
  /** The status as it was read before the change. */
  readonly status: WatchedStatus;
  readonly region: string;
  readonly slotMs: number;
  readonly nextSlotMs: number;
  readonly checkedAtMs: number;
  readonly responseTimeMs: number | null;
  readonly measured: Measured;
}

/** Selects grids of slots by their region and by the time at which they began. */
export interface MovedSince {
  readonly region: string;
  readonly sinceMs: number;
  readonly limit: number;
}

export interface WatchedWrites extends SummaryWrites {
  /** Returns the current grids of the monitors. Deleted monitors are missing. */
  readonly readGrids: (ids: readonly string[]) => Promise<ReadonlyMap<string, MonitorGrid>>;
  /**
   * Lists the grids that began at or after the instant, oldest first. Lists only active monitors that are checked in
   * this region alone.
   */
  readonly listMovedSince: (moved: MovedSince) => Promise<readonly MovedGrid[]>;
  /** True if the region has a measurement between the slots (inclusive). */
  readonly isMeasured: (
    id: string,
    region: string,
    slots: { readonly fromSlotMs: number; readonly toSlotMs: number },
  ) => Promise<boolean>;
  readonly readStatuses: (ids: readonly string[]) => Promise<ReadonlyMap<string, WatchedStatus>>;
  /**
   * Updates the statuses. Skips a status if a relevant part of it has changed since it was read. Returns false if a
   * status was skipped.
   */
  readonly advanceStatuses: (moves: readonly WatchedStatusMove[]) => Promise<boolean>;
  /** Returns which of the ids have a stored result. */
  readonly findStored: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Lists statuses in which a region's last stored slot is older than the time, in the order of ids. '' starts at the
   * beginning.
   */
  readonly listStoredBefore: (query: {
    readonly storedBeforeMs: number;
    readonly afterId: string;
    readonly limit: number;
  }) => Promise<readonly SlotStatus[]>;
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
  'measured.slotMs': 1,
  isWatched: 1,
  recordedSlotMs: 1,
} as const;

const SLOT_FIELDS = {
  lastSlotMs: 1,
  'measured.region': 1,
  'measured.slotMs': 1,
  isWatched: 1,
  recordedSlotMs: 1,
} as const;

const GRID_FIELDS = {
  accountId: 1,
  version: 1,
  revision: 1,
  regions: 1,
  anchorMs: 1,
  intervalSeconds: 1,
  state: 1,
  pausedUntilMs: 1,
} as const;

const MOVED_FIELDS = { version: 1, revision: 1, anchorMs: 1, intervalSeconds: 1 } as const;

export function createWatchedWrites(models: Models, clock: Clock): WatchedWrites {
  const { statuses, results, healthChanges } = models;
  return {
    ...createSummaryWrites(models),
    async readStatuses(ids) {
      const found = await statuses
        .find({ _id: matchAny(ids) }, READ_FIELDS)
        .lean<WatchedStatus[]>();
      return new Map(found.map((status) => [status._id, status]));
    },
    async readGrids(ids) {
      const found = await models.monitors.find({ _id: matchAny(ids) }, GRID_FIELDS).lean();
      return new Map(
        found.map(({ _id, intervalSeconds, ...monitor }) => [
          _id,
          { ...monitor, intervalMs: intervalSeconds * 1_000 },
        ]),
      );
    },
    listMovedSince: (moved) => listMovedSince(models, moved),
    async isMeasured(id, region, { fromSlotMs, toSlotMs }) {
      const range = between(
        buildFirstResultId(id, region, fromSlotMs),
        buildFirstResultId(id, region, toSlotMs + 1),
      );
      const found = await results.find({ _id: range }, { s: 1 }).sort({ _id: 1 }).limit(2).lean();
      return found.some(({ s }) => s !== STATUS_NUMBERS.gap);
    },
    async advanceStatuses(moves) {
      if (moves.length === 0) return true;
      const writes = moves.map((move) => buildWrite(move, clock.now()));
      const { matchedCount } = await toRawCollection(statuses).bulkWrite(writes, {
        ordered: false,
      });
      return matchedCount === writes.length;
    },
    async findStored(ids) {
      if (ids.length === 0) return new Set();
      const found = await results.find({ _id: matchAny(ids) }, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    async listStoredBefore({ storedBeforeMs, afterId, limit }) {
      return statuses
        .find({ _id: above(afterId), 'measured.slotMs': below(storedBeforeMs) }, SLOT_FIELDS)
        .sort({ _id: 1 })
        .limit(limit)
        .lean<SlotStatus[]>();
    },
    insertResults: (batch) => insertResults(results, batch),
    saveEvidence: (batch) => saveEvidence(models.evidence, batch),
    insertChanges: (owner, addition) => insertChanges(healthChanges, owner, addition),
  };
}

async function listMovedSince(
  { monitors }: Pick<Models, 'monitors'>,
  { region, sinceMs, limit }: MovedSince,
): Promise<readonly MovedGrid[]> {
  const found = await monitors
    .find({ anchorMs: atLeast(sinceMs), regions: [region], state: 'active' }, MOVED_FIELDS)
    .sort({ anchorMs: 1 })
    .limit(limit)
    .lean();
  return found.map(({ _id: id, intervalSeconds, ...grid }) => ({
    ...grid,
    id,
    intervalMs: intervalSeconds * 1_000,
  }));
}

function buildWrite(
  move: WatchedStatusMove,
  changedAtMs: number,
): mongo.AnyBulkWriteOperation<StatusDocument> {
  const { status, region, slotMs, nextSlotMs, checkedAtMs } = move;
  const index = status.regionsHealth.findIndex((known) => known.region === region);
  const measuredAt = (status.measured ?? []).findIndex((known) => known.region === region);
  const isOnly = status.regionsHealth.length === 1;
  return {
    updateOne: {
      filter: {
        _id: status._id,
        accountId: status.accountId,
        // Matches only if the region is at the same position in both lists as when the status was read.
        [`regionsHealth.${index}.region`]: region,
        ...(measuredAt !== -1 && { [`measured.${measuredAt}.region`]: region }),
        ...storedUntil(status, slotMs, measuredAt),
      },
      update: {
        $set: {
          ...buildFields(move, index, measuredAt),
          changedAtMs,
          // The next slot is stored only for a single region, because several regions are at different slots. After a
          // change to a shorter interval, the next slot may be earlier than before.
          ...(isOnly && { nextSlotMs }),
        },
        $max: {
          lastCheckedAtMs: checkedAtMs,
          lastSlotMs: slotMs,
          ...(!isOnly && { nextSlotMs }),
        },
      },
    },
  };
}

/** Matches if no later slot of the region is stored. `lastStoredMs` in the domain applies the same rule. */
function storedUntil(
  { recordedSlotMs, measured = [] }: WatchedStatus,
  slotMs: number,
  measuredAt: number,
): Readonly<Record<string, unknown>> {
  const hasOwn = measured[measuredAt]?.slotMs !== undefined;
  const isOld = recordedSlotMs === undefined;
  return {
    ...(!isOld && { recordedSlotMs: atMost(slotMs) }),
    ...(isOld && !hasOwn && { lastSlotMs: atMost(slotMs) }),
    ...(hasOwn && { [`measured.${measuredAt}.slotMs`]: atMost(slotMs) }),
  };
}

/** Returns only the fields of this region, so that regions do not overwrite each other. */
function buildFields(
  { responseTimeMs, measured }: WatchedStatusMove,
  index: number,
  measuredAt: number,
): Readonly<Record<string, unknown>> {
  return {
    isWatched: true,
    ...(responseTimeMs !== null && {
      [`regionsHealth.${index}.lastResponseTimeMs`]: responseTimeMs,
    }),
    ...(measuredAt !== -1 && { [`measured.${measuredAt}`]: measured }),
  };
}
