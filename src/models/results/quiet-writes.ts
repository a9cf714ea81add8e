/** The writes of quiet checks: each moves or inserts many at a time, and may be repeated. They decide nothing. */
import type { AnyBulkWriteOperation } from 'mongoose';
import type { Clock } from '../../platform/clock';
import type { Models } from '../collections';
import { atMost, oneOf } from '../store/filters';
import { type EvidenceRecord, saveEvidence } from './evidence';
import { insertChanges } from './health-changes';
import { createSummaryWrites, type RecordWrites, type SummaryWrites } from './record-writes';
import type { Result } from './result';
import { insertResults } from './results';
import type { Measured, StatusDocument } from './statuses';

/** The part of a status that quiet checks are held against. */
export type QuietStatus = Pick<
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

/** A status that is to move on to a slot of one region; only the part of this region changes. */
export interface QuietStatusMove {
  /** As it was read. */
  readonly status: QuietStatus;
  readonly region: string;
  readonly slotMs: number;
  readonly nextSlotMs: number | null;
  readonly checkedAtMs: number;
  readonly responseTimeMs: number | null;
  readonly measured: Measured;
}

export interface QuietWrites extends SummaryWrites {
  readonly readStatuses: (ids: readonly string[]) => Promise<ReadonlyMap<string, QuietStatus>>;
  /** False: one of them is not any more as it was read, as far as it matters here, and stayed. */
  readonly advanceStatuses: (moves: readonly QuietStatusMove[]) => Promise<boolean>;
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

export function createQuietWrites(models: Models, clock: Clock): QuietWrites {
  const { statuses, results, healthChanges } = models;
  return {
    ...createSummaryWrites(models),
    async readStatuses(ids) {
      const found = await statuses.find({ _id: oneOf(ids) }, READ_FIELDS).lean<QuietStatus[]>();
      return new Map(found.map((status) => [status._id, status]));
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
  move: QuietStatusMove,
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
  { status, region, slotMs, nextSlotMs, responseTimeMs, measured }: QuietStatusMove,
  index: number,
): Readonly<Record<string, unknown>> {
  const measuredAt = (status.measured ?? []).findIndex((known) => known.region === region);
  return {
    lastSlotMs: slotMs,
    nextSlotMs,
    isQuiet: true,
    ...(responseTimeMs !== null && {
      [`regionsHealth.${index}.lastResponseTimeMs`]: responseTimeMs,
    }),
    ...(measuredAt !== -1 && { [`measured.${measuredAt}`]: measured }),
  };
}
