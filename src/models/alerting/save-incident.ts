/** Saves incidents. The changes of an incident may arrive late, twice, or out of order. */
import type { Model } from 'mongoose';
import { isSameIncident } from '../../domain/alerting/same-incident';
import { above, atMost, below } from '../store/filters';
import type { EarlierEpisodes } from './incident-parts';
import { type Incident, type IncidentDocument, UNANSWERED } from './incidents';

/** The part of an incident that its workflow reports. */
export type IncidentChange = Omit<Incident, keyof typeof UNANSWERED | 'earlier'>;

/**
 * Saves an incident and joins it with the episodes before and after it. Idempotent. Changes by people are kept. An
 * ended incident is never reopened. An older decision never replaces a newer one.
 */
export async function saveIncident(
  incidents: Model<IncidentDocument>,
  incident: IncidentChange,
  changedAtMs: number,
): Promise<void> {
  const { id, closedAtMs, provider, ...rest } = incident;
  const opened = { ...rest, ...decidedAt(incident), ...UNANSWERED };
  const owned = { _id: id, accountId: incident.accountId };
  // The facts of an identity provider are always written, because the number of affected checks grows while the
  // incident is open.
  const facts = provider === undefined ? {} : { provider, changedAtMs };
  const isNews = provider !== undefined;
  const change =
    closedAtMs === null
      ? {
          $setOnInsert: {
            ...opened,
            closedAtMs,
            open: true as const,
            ...(!isNews && { changedAtMs }),
          },
          ...(isNews && { $set: facts }),
        }
      : {
          $setOnInsert: opened,
          $set: { closedAtMs, changedAtMs, ...facts },
          $unset: { open: 1 } as const,
        };
  const { upsertedCount } = await incidents.updateOne(owned, change, { upsert: true });
  if (upsertedCount === 0) await saveDecisions(incidents, incident, changedAtMs);
  await joinEpisodes(incidents, incident, changedAtMs);
}

/** Saves decisions. Returns false if the incident is not stored, or if it has newer decisions. */
export async function saveDecisions(
  incidents: Model<IncidentDocument>,
  { id, accountId, decisions, explainedBy, evidence }: IncidentDecisions,
  changedAtMs: number,
): Promise<boolean> {
  const decidedAtMs = decisions?.at(-1)?.atMs;
  if (decidedAtMs === undefined) return true;
  const { matchedCount } = await incidents.updateOne(
    { _id: id, accountId, decidedAtMs: atMost(decidedAtMs) },
    {
      $set: {
        decisions,
        decidedAtMs,
        changedAtMs,
        ...(explainedBy && { explainedBy }),
        ...(evidence && { evidence }),
      },
    },
  );
  return matchedCount > 0;
}

export type IncidentDecisions = Pick<
  Incident,
  'id' | 'accountId' | 'decisions' | 'explainedBy' | 'evidence'
>;

function decidedAt({ decisions }: IncidentChange): Pick<IncidentDocument, 'decidedAtMs'> {
  const atMs = decisions?.at(-1)?.atMs;
  return atMs === undefined ? {} : { decidedAtMs: atMs };
}

type Incidents = Model<IncidentDocument>;

/**
 * Joins the episodes. Must be called after the incident was saved, so that the last of several writers sees all writes.
 */
async function joinEpisodes(
  incidents: Incidents,
  { id, accountId, resourceId }: Pick<Incident, 'id' | 'accountId' | 'resourceId'>,
  changedAtMs: number,
): Promise<void> {
  const saved = await incidents.findOne({ _id: id, accountId }).lean<IncidentDocument>();
  let later = saved;
  let earlier = await incidents
    .findOne({ accountId, resourceId, _id: below(id) })
    .sort({ _id: -1 })
    .lean<IncidentDocument>();
  while (later !== null) {
    const joined = await join(incidents, { earlier, later }, changedAtMs);
    if (later !== saved && joined === null) return;
    earlier = joined ?? later;
    later = await incidents
      .findOne({ accountId, resourceId, _id: above(earlier._id) })
      .sort({ _id: 1 })
      .lean<IncidentDocument>();
  }
}

interface Neighbours {
  readonly earlier: IncidentDocument | null;
  readonly later: IncidentDocument;
}

/** Joins two episodes. Returns the later episode if it has changed, and otherwise null. */
async function join(
  incidents: Incidents,
  { earlier, later }: Neighbours,
  changedAtMs: number,
): Promise<IncidentDocument | null> {
  const isOne = earlier !== null && isSameIncident(earlier, later);
  if (earlier !== null && isOne !== (earlier.isContinued ?? false)) {
    const change = isOne
      ? { $set: { isContinued: true as const, changedAtMs } }
      : { $set: { changedAtMs }, $unset: { isContinued: 1 } as const };
    await incidents.updateOne({ _id: earlier._id, accountId: earlier.accountId }, change);
  }
  const before = isOne ? episodesUntil(earlier) : undefined;
  if (isSame(before, later.earlier)) return null;
  const change =
    before === undefined
      ? { $set: { changedAtMs }, $unset: { earlier: 1 } as const }
      : { $set: { earlier: before, changedAtMs } };
  await incidents.updateOne({ _id: later._id, accountId: later.accountId }, change);
  const { earlier: _, ...rest } = later;
  return before === undefined ? rest : { ...rest, earlier: before };
}

/** Describes all episodes of the incident up to and including the given episode. */
function episodesUntil({
  _id,
  openedAtMs,
  closedAtMs,
  earlier,
}: IncidentDocument): EarlierEpisodes {
  const { firstId, firstOpenedAtMs, count, downMs } = earlier ?? {
    firstId: _id,
    firstOpenedAtMs: openedAtMs,
    count: 0,
    downMs: 0,
  };
  const ownMs = Math.max(0, (closedAtMs ?? openedAtMs) - openedAtMs);
  return { firstId, firstOpenedAtMs, count: count + 1, downMs: downMs + ownMs };
}

function isSame(a: EarlierEpisodes | undefined, b: EarlierEpisodes | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.firstId === b.firstId && a.count === b.count && a.downMs === b.downMs;
}
