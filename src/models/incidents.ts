/**
 * Incidents: the times during which a monitor or scenario was down. At most one of a resource is
 * open. Opening and closing may be repeated; neither changes what the first one wrote.
 */
import { createHash } from 'node:crypto';
import type { Model } from 'mongoose';
import { ulidFrom } from '../domain/ids';
import type { IncidentRow } from '../services/rows';
import type { IncidentStore } from '../services/stores';
import { isDuplicateKey } from './database-errors';
import { defineCollection } from './define-schema';
import { above, atMost, below } from './filters';
import { cutPage } from './pages';

export type IncidentDocument = Omit<IncidentRow, 'id'> & {
  readonly _id: string;
  /** Present while the incident is open; a unique index allows one of a resource. */
  readonly open?: true;
};

export const incidentCollection = defineCollection<IncidentDocument>(
  'incidents',
  {
    accountId: String,
    resourceType: String,
    resourceId: String,
    openedAtMs: Number,
    closedAtMs: Number,
    cause: { type: { _id: false, code: String, message: String }, default: null },
    regions: [String],
    firstResultId: String,
    firstRunId: String,
    open: Boolean,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { accountId: 1, resourceId: 1, _id: -1 } },
      { key: { resourceId: 1 }, unique: true, partialFilterExpression: { open: true } },
    ],
  },
);

export function createIncidentStore(incidents: Model<IncidentDocument>): IncidentStore {
  return {
    async page(accountId, { limit, beforeId, resourceId }) {
      const found = await incidents
        .find({
          accountId,
          ...(resourceId === null ? {} : { resourceId }),
          ...(beforeId === null ? {} : { _id: below(beforeId) }),
        })
        .sort({ _id: -1 })
        .limit(limit + 1)
        .lean<IncidentDocument[]>();
      return cutPage(found.map(toRow), limit);
    },
    async findOpen(accountId, resourceId) {
      const found = await incidents
        .findOne({ accountId, resourceId, open: true })
        .lean<IncidentDocument>();
      return found === null ? null : toRow(found);
    },
  };
}

/** The id that an incident of this resource and opening time always has. */
function incidentId(resourceId: string, openedAtMs: number): string {
  const digest = createHash('sha256').update(`${resourceId}:${openedAtMs}`).digest();
  return `inc_${ulidFrom(openedAtMs, digest.subarray(0, 10))}`;
}

export type OpenedIncident = Omit<IncidentRow, 'id' | 'closedAtMs'>;

/** Opens the incident unless one of the resource is open; the id of the one that is open then. */
export async function openIncident(
  incidents: Model<IncidentDocument>,
  incident: OpenedIncident,
): Promise<string> {
  const { accountId, resourceId } = incident;
  const id = incidentId(resourceId, incident.openedAtMs);
  try {
    await incidents.updateOne(
      { _id: id, accountId },
      { $setOnInsert: { ...incident, closedAtMs: null, open: true } },
      { upsert: true },
    );
    return id;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const standing = await incidents
      .findOne({ accountId, resourceId, open: true })
      .lean<IncidentDocument>();
    return standing?._id ?? id;
  }
}

/** Closes the incident unless it is closed already. */
export async function closeIncident(
  incidents: Model<IncidentDocument>,
  closing: { readonly accountId: string; readonly id: string; readonly closedAtMs: number },
): Promise<void> {
  const { accountId, id, closedAtMs } = closing;
  await incidents.updateOne(
    { _id: id, accountId, open: true },
    { $set: { closedAtMs }, $unset: { open: 1 } },
  );
}

/**
 * Records an incident that was over before its first slot could be settled, unless one that is
 * recorded covers it. An open one from before is closed: the resource answered after it.
 */
export async function recordPastIncident(
  incidents: Model<IncidentDocument>,
  incident: OpenedIncident,
  closedAtMs: number,
): Promise<void> {
  const { accountId, resourceId, openedAtMs } = incident;
  const earlier = { accountId, resourceId, openedAtMs: atMost(openedAtMs) };
  await incidents.updateOne(
    { ...earlier, open: true },
    { $set: { closedAtMs }, $unset: { open: 1 } },
  );
  const covering = await incidents.exists({ ...earlier, closedAtMs: above(openedAtMs) });
  if (covering !== null) return;
  await incidents.updateOne(
    { _id: incidentId(resourceId, openedAtMs), accountId },
    { $setOnInsert: { ...incident, closedAtMs } },
    { upsert: true },
  );
}

function toRow(document: IncidentDocument): IncidentRow {
  const { _id, open: _open, ...incident } = document;
  return { id: _id, ...incident };
}
