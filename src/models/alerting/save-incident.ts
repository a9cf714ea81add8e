/** Saves incidents that may come late, twice, or with the end before the start. */
import type { Model } from 'mongoose';
import { atMost } from '../store/filters';
import { type Incident, type IncidentDocument, UNANSWERED } from './incidents';
import { joinEpisodes } from './join-episodes';

/** An incident as its workflow reports it. */
export type IncidentChange = Omit<Incident, keyof typeof UNANSWERED | 'earlier'>;

/**
 * Saves an incident and joins it with its neighbouring episodes. Idempotent. Keeps changes by people. Never reopens an
 * ended incident. Never replaces a newer decision by an older one.
 */
export async function saveIncident(
  incidents: Model<IncidentDocument>,
  incident: IncidentChange,
  changedAtMs: number,
): Promise<void> {
  const { id, closedAtMs, provider, ...rest } = incident;
  const opened = { ...rest, ...decidedAt(incident), ...UNANSWERED };
  const owned = { _id: id, accountId: incident.accountId };
  // The number of checks that depend on a provider grows while its incident is open.
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

/** Returns false if the incident is not stored, or if it has newer decisions. */
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
