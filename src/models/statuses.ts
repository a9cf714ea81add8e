/**
 * Status documents: what lists show of a monitor or scenario, replaced once per slot and only
 * forward in time. They never hold a definition.
 */
import type { Model } from 'mongoose';
import type { Health, RegionHealth } from '../contracts/records';
import { ID_PREFIXES } from '../domain/ids';
import type { StatusRow, StoredStatusRow } from '../services/rows';
import type { StatusStore } from '../services/stores';
import { defineCollection } from './define-schema';
import { atMost, between, oneOf } from './filters';

/** Stands for "no slot yet", since a range filter finds no null. */
const NO_SLOT = -1;

export type StatusDocument = Omit<StatusRow, 'id' | 'lastSlotMs'> & {
  readonly _id: string;
  readonly lastSlotMs: number;
  readonly incidentId: string | null;
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
    lastRunId: String,
    incidentId: String,
  },
  { indexes: [{ key: { accountId: 1, health: 1, _id: -1 } }] },
);

export function createStatusStore(statuses: Model<StatusDocument>): StatusStore {
  return {
    async create(accountId, { id, lastSlotMs, ...status }) {
      await statuses.updateOne(
        { _id: id, accountId },
        {
          $setOnInsert: {
            ...status,
            accountId,
            lastSlotMs: lastSlotMs ?? NO_SLOT,
            incidentId: null,
          },
        },
        { upsert: true },
      );
    },
    async findMany(accountId, ids) {
      if (ids.length === 0) return [];
      const found = await statuses.find({ _id: oneOf(ids), accountId }).lean();
      return found.map(toRow);
    },
    async listIds(accountId, { kind, health, beforeId, limit }) {
      const prefix = ID_PREFIXES[kind];
      // `_` ends the prefix of an id, and '`' is what follows it.
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

function toRow(document: StatusDocument): StoredStatusRow {
  const { _id, lastSlotMs, incidentId, ...status } = document;
  return {
    ...status,
    id: _id,
    lastSlotMs: lastSlotMs === NO_SLOT ? null : lastSlotMs,
    currentIncidentId: incidentId,
  };
}

/** The new state of a resource after a slot; absent fields stay as they are. */
export interface StatusChange {
  readonly accountId: string;
  readonly id: string;
  readonly slotMs: number;
  readonly fields: {
    readonly health: Health;
    readonly healthSinceMs: number;
    readonly regionsHealth: readonly RegionHealth[];
    readonly nextSlotMs: number | null;
    readonly lastCheckedAtMs?: number;
    readonly tlsExpiresAt?: string | null;
    readonly lastRunId?: string;
  };
}

/** Where a status stands for a slot that is being settled. */
export type Standing =
  | { readonly kind: 'advanced'; readonly incidentId: string | null }
  /** A later slot has been settled already; since when the resource answers, if it does. */
  | { readonly kind: 'later'; readonly answeringSinceMs: number | null }
  /** The resource no longer exists. */
  | { readonly kind: 'gone' };

/** Moves the status to the slot unless it stands at a later one; the same slot may come again. */
export async function advanceStatus(
  statuses: Model<StatusDocument>,
  { accountId, id, slotMs, fields }: StatusChange,
): Promise<Standing> {
  const before = await statuses
    .findOneAndUpdate(
      { _id: id, accountId, lastSlotMs: atMost(slotMs) },
      { $set: { ...fields, lastSlotMs: slotMs } },
      { projection: { incidentId: 1 }, returnDocument: 'before' },
    )
    .lean();
  if (before !== null) return { kind: 'advanced', incidentId: before.incidentId };
  const later = await statuses.findOne({ _id: id, accountId }).lean<StatusDocument>();
  if (later === null) return { kind: 'gone' };
  return {
    kind: 'later',
    answeringSinceMs: isAnswering(later.health) ? later.healthSinceMs : null,
  };
}

/** True for a health that ends an incident. */
export function isAnswering(health: Health): boolean {
  return health === 'up' || health === 'degraded';
}

/** True while the resource exists: deleting one removes its status first. */
export async function isStatusPresent(
  statuses: Model<StatusDocument>,
  accountId: string,
  id: string,
): Promise<boolean> {
  return (await statuses.exists({ _id: id, accountId })) !== null;
}

/** Which incident a status shows as open. */
export interface IncidentNote {
  readonly accountId: string;
  readonly id: string;
  readonly slotMs: number;
  readonly incidentId: string | null;
}

/** Notes the incident while the status stands at the slot; a later slot notes its own. */
export async function noteIncident(
  statuses: Model<StatusDocument>,
  { accountId, id, slotMs, incidentId }: IncidentNote,
): Promise<void> {
  await statuses.updateOne({ _id: id, accountId, lastSlotMs: slotMs }, { $set: { incidentId } });
}
