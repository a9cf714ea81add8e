/**
 * The statuses of monitors and scenarios: the fields that lists show. A status is updated once per slot and only moves
 * forward in time.
 */
import type { Model } from 'mongoose';
import type { CertificateThreshold } from '../../contracts/certificates';
import type { ResourceKind } from '../../contracts/definition';
import type { HeartbeatProgress } from '../../contracts/heartbeat';
import { mapPhases, type PerPhase } from '../../contracts/outcome';
import type { Health, RegionHealth } from '../../contracts/records';
import { ID_PREFIXES } from '../../domain/definitions/ids';
import { findPeriodStart, HOUR_MS } from '../../domain/health/summary';
import type { StoredSlots } from '../../domain/health/watches';
import { defineCollection } from '../store/define-schema';
import { atMost, between, matchAny } from '../store/filters';
import type { ListQuery } from '../store/pages';
import { writeTogether } from '../store/write-together';

/**
 * The durations of a request's phases in a region. null if a phase was not reached. Absent if the status was written by
 * a release that did not know the phase.
 */
export interface Measured extends Partial<PerPhase<number | null>> {
  readonly region: string;
  /** The last slot of the region with a stored result. Absent in documents of earlier releases. */
  readonly slotMs?: number;
  readonly statusCode: number | null;
}

/** The part of a status that checks write. It is updated once per slot and only moves forward in time. */
export interface ResourceStatus {
  /** Id of the monitor or scenario. */
  readonly id: string;
  readonly accountId: string;
  readonly health: Health;
  readonly healthSinceMs: number;
  readonly regionsHealth: readonly RegionHealth[];
  readonly lastSlotMs: number | null;
  readonly nextSlotMs: number | null;
  readonly lastCheckedAtMs: number | null;
  readonly tlsExpiresAt: string | null;
  /** The expiry date of the registration, as last seen by a domain monitor. */
  readonly domainExpiresAt?: string | undefined;
  /**
   * The warning thresholds of a scenario's certificates. Present only for scenarios. Empty if no step has seen a
   * certificate.
   */
  readonly tlsRungs?: readonly CertificateThreshold[] | undefined;
  readonly lastRunId: string | null;
  /** The progress of a heartbeat. Present only for heartbeats that were recorded at least once. */
  readonly heartbeat?: HeartbeatProgress | undefined;
}

/** A status in the form in which it is read. It contains the open incident, if there is one. */
export interface StoredStatus extends ResourceStatus, Omit<StoredSlots, 'lastSlotMs'> {
  readonly currentIncidentId: string | null;
  /** True if the last slot was during maintenance. */
  readonly inMaintenance: boolean;
  /** Hours before this time have summaries. Later hours are read from single results. */
  readonly summarisedUntilMs: number;
  /** When results were last stored, by the writer's clock. 0 before the first result. */
  readonly changedAtMs: number;
}

export interface StatusStore {
  readonly create: (accountId: string, status: ResourceStatus) => Promise<void>;
  readonly findMany: (
    accountId: string,
    ids: readonly string[],
  ) => Promise<readonly StoredStatus[]>;
  /** Lists the ids of resources of the kind with this health, newest first. */
  readonly listIds: (
    accountId: string,
    query: ListQuery & { readonly kind: ResourceKind; readonly health: Health },
  ) => Promise<readonly string[]>;
}

/** Stored as the slot if there is no slot yet. null is not stored, because a range filter never matches null. */
const NO_SLOT = -1;

export type StatusDocument = Omit<ResourceStatus, 'id' | 'lastSlotMs'> & {
  readonly _id: string;
  readonly lastSlotMs: number;
  readonly incidentId: string | null;
  /** All hours before this instant have their summaries. */
  readonly summarisedUntilMs: number;
  readonly inMaintenance: boolean;
  /** When a slot was last recorded, by the writer's clock. 0 means never. */
  readonly changedAtMs: number;
  /** Measurements of a monitor's last slot. Absent before the first slot. */
  readonly measured?: readonly Measured[];
  /** True if a watch made the monitor's last check. */
  readonly isWatched?: boolean;
  /** The last slot of the grid that the workflow recorded for all regions. */
  readonly recordedSlotMs?: number;
};

export const statusCollection = defineCollection<StatusDocument>(
  'statuses',
  {
    accountId: String,
    health: String,
    healthSinceMs: Number,
    regionsHealth: [
      { _id: false, region: String, health: String, sinceMs: Number, lastResponseTimeMs: Number },
    ],
    lastSlotMs: Number,
    nextSlotMs: Number,
    lastCheckedAtMs: Number,
    tlsExpiresAt: String,
    domainExpiresAt: String,
    tlsRungs: { type: [{ _id: false, days: Number, atMs: Number }], default: undefined },
    lastRunId: String,
    heartbeat: {
      lastPingAtMs: Number,
      dueAtMs: Number,
      isLate: Boolean,
      // The default is undefined. Otherwise, Mongoose would add an empty list to every status without running runs.
      running: {
        type: [{ _id: false, runId: String, startedAtMs: Number, isOverdue: Boolean }],
        default: undefined,
      },
    },
    incidentId: String,
    inMaintenance: Boolean,
    summarisedUntilMs: Number,
    changedAtMs: Number,
    isWatched: Boolean,
    recordedSlotMs: Number,
    measured: {
      type: [
        {
          _id: false,
          region: String,
          slotMs: Number,
          statusCode: Number,
          ...mapPhases(() => Number),
        },
      ],
      default: undefined,
    },
  },
  {
    indexes: [
      { key: { accountId: 1, health: 1, _id: -1 } },
      { key: { accountId: 1, changedAtMs: 1 } },
    ],
  },
);

/** Builds the first write of a status. It leaves an existing status unchanged. */
function firstWrite(accountId: string, { id, lastSlotMs, ...status }: ResourceStatus) {
  return {
    filter: { _id: id, accountId },
    update: {
      $setOnInsert: {
        ...status,
        accountId,
        lastSlotMs: lastSlotMs ?? NO_SLOT,
        incidentId: null,
        inMaintenance: false,
        summarisedUntilMs: findPeriodStart(HOUR_MS, status.healthSinceMs),
        changedAtMs: 0,
      },
    },
  };
}

export function createStatusStore(statuses: Model<StatusDocument>): StatusStore {
  const create = writeTogether<ReturnType<typeof firstWrite>>({
    one: ({ filter, update }) => statuses.updateOne(filter, update, { upsert: true }),
    many: (writes) =>
      statuses.bulkWrite(
        writes.map((write) => ({ updateOne: { ...write, upsert: true } })),
        { ordered: false },
      ),
  });
  return {
    create: (accountId, status) => create(firstWrite(accountId, status)),
    async findMany(accountId, ids) {
      if (ids.length === 0) return [];
      const found = await statuses.find({ _id: matchAny(ids), accountId }).lean();
      return found.map(fromDocument);
    },
    async listIds(accountId, { kind, health, beforeId, limit }) {
      const prefix = ID_PREFIXES[kind];
      // Selects ids with the prefix. '`' is the next character after the `_` at which prefixes end.
      const _id = between(`${prefix}_`, beforeId ?? `${prefix}\``);
      const found = await statuses
        .find({ accountId, health, _id }, { _id: 1 })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return found.map((status) => status._id);
    },
  };
}

function fromDocument(document: StatusDocument): StoredStatus {
  const { _id, lastSlotMs, incidentId, isWatched: _isWatched, ...status } = document;
  return {
    ...status,
    id: _id,
    lastSlotMs: lastSlotMs === NO_SLOT ? null : lastSlotMs,
    currentIncidentId: incidentId,
  };
}

/** The new state of a resource after a slot. Fields that are absent stay unchanged. */
export interface StatusChange {
  readonly accountId: string;
  readonly id: string;
  readonly slotMs: number;
  readonly fields: {
    readonly health: Health;
    readonly healthSinceMs: number;
    readonly regionsHealth: readonly RegionHealth[];
    readonly nextSlotMs: number | null;
    readonly incidentId: string | null;
    readonly inMaintenance: boolean;
    readonly lastCheckedAtMs?: number;
    readonly tlsExpiresAt?: string | null;
    readonly domainExpiresAt?: string;
    readonly tlsRungs?: readonly CertificateThreshold[];
    readonly lastRunId?: string;
    readonly heartbeat?: HeartbeatProgress;
    readonly measured?: readonly Measured[];
    readonly isWatched?: boolean;
    readonly recordedSlotMs?: number;
  };
}

/** The outcome of advancing a status to a slot that is being recorded. */
export type StoredState =
  | {
      readonly kind: 'advanced';
      readonly summarisedUntilMs: number;
      /** The regions that checked the resource until now. */
      readonly regions: readonly string[];
    }
  /** A later slot was recorded already. */
  | { readonly kind: 'later'; readonly lastSlotMs: number }
  /** The resource no longer exists. */
  | { readonly kind: 'gone' };

/** Advances the status to the slot, unless the status is at a later slot. Idempotent for the same slot. */
export async function advanceStatus(
  statuses: Model<StatusDocument>,
  { accountId, id, slotMs, fields }: StatusChange,
  changedAtMs: number,
): Promise<StoredState> {
  const before = await statuses
    .findOneAndUpdate(
      { _id: id, accountId, lastSlotMs: atMost(slotMs) },
      { $set: { ...fields, lastSlotMs: slotMs, changedAtMs } },
      {
        projection: { summarisedUntilMs: 1, 'regionsHealth.region': 1 },
        returnDocument: 'before',
      },
    )
    .lean<Pick<StatusDocument, 'summarisedUntilMs' | 'regionsHealth'>>();
  if (before !== null) {
    const { summarisedUntilMs, regionsHealth } = before;
    const regions = regionsHealth.map(({ region }) => region);
    return { kind: 'advanced', summarisedUntilMs, regions };
  }
  const later = await statuses
    .findOneAndUpdate({ _id: id, accountId }, { $max: { changedAtMs } })
    .lean<StatusDocument>();
  if (later === null) return { kind: 'gone' };
  return { kind: 'later', lastSlotMs: later.lastSlotMs };
}

/** Stores that all hours before this time have summaries. The time never moves back. */
export async function noteSummaries(
  statuses: Model<StatusDocument>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  summarisedUntilMs: number,
): Promise<void> {
  await statuses.updateOne({ _id: id, accountId }, { $max: { summarisedUntilMs } });
}

/** True while the resource exists. When a resource is deleted, its status is deleted first. */
export async function isStatusPresent(
  statuses: Model<StatusDocument>,
  accountId: string,
  id: string,
): Promise<boolean> {
  return (await statuses.exists({ _id: id, accountId })) !== null;
}
