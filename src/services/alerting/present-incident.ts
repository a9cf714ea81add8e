/** Converts an incident to the form that /v1 returns: its episodes, state and timeline. */
import { readProviderHost } from '../../contracts/alerting/identity-providers';
import { readFlapping } from '../../domain/alerting/read-flapping';
import type { Alert } from '../../models/alerting/alerts';
import type { Incident } from '../../models/alerting/incidents';
import type { Resource } from '../../models/resources/resource';
import type { IncidentResponse } from '../../schemas/responses/incidents';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { type ExplainedIncidents, findExplainedIncidents } from './explained-incidents';
import { buildExplanationEntries, presentExplanation } from './present-explanation';
import type { WholeIncident } from './whole-incident';

/** Maximum number of alerts in the timeline of an incident. */
const ALERTS_MAX = 200;
/** Maximum number of checks that are listed for an incident of an identity provider. */
const SHOWN_CHECKS_MAX = 50;

/** Converts the incident. `channelNames` are the names of the account's channels, by id. */
export async function presentIncident(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  incident: WholeIncident,
  channelNames: ReadonlyMap<string, string>,
): Promise<IncidentResponse> {
  const { id, accountId, openedAtMs, closedAtMs, episodes, last, count } = incident;
  const [resource, allExplained, alerts] = await Promise.all([
    findResource(stores, last),
    findExplainedIncidents(stores, incident),
    stores.alerts.page(accountId, {
      incidentId: episodes.map((episode) => episode.id),
      resourceId: null,
      status: null,
      limit: ALERTS_MAX,
      beforeId: null,
    }),
  ]);
  const explained = { ...allExplained, incidents: oneOfEach(allExplained.incidents) };
  const nowMs = clock.now();
  const flapping = readFlapping(episodes, { nowMs, isWhole: episodes.length === count });
  return {
    id,
    resourceType: last.resourceType,
    resourceId: last.resourceId,
    resourceName: readSubjectName(last, resource),
    runbookUrl: resource?.runbookUrl ?? null,
    note: resource?.note ?? null,
    state: findState(last),
    openedAt: toInstant(openedAtMs),
    closedAt: toInstantOrNull(closedAtMs),
    durationSeconds: (incident.downBeforeMs + computeDownMs(last, nowMs)) / 1000,
    cause: last.cause,
    regions: last.regions,
    firstResultId: episodes[0]?.firstResultId ?? null,
    firstRunId: episodes[0]?.firstRunId ?? null,
    acknowledgedAt: toInstantOrNull(last.acknowledgedAtMs),
    acknowledgedBy: last.acknowledgedBy,
    ...presentSnooze(last, nowMs),
    isFlapping: flapping.isFlapping,
    flappingSince: toInstantOrNull(flapping.sinceMs),
    episodeCount: count,
    episodes: episodes.map((episode) => presentEpisode(episode, nowMs)),
    notes: episodes.flatMap(({ notes }) =>
      notes.map(({ atMs, by, text }) => ({ at: toInstant(atMs), by, text })),
    ),
    ...presentExplanation(last, explained),
    timeline: buildTimeline(incident, alertEntries(alerts.items, channelNames), explained),
    identityProvider: presentProvider(last),
    alerts: alerts.items.map((alert) => alert.id).reverse(),
  };
}

/** Finds the resource. null if it was deleted, or if the incident is about an identity provider. */
export async function findResource(
  { monitors, scenarios }: Pick<Dependencies['stores'], 'monitors' | 'scenarios'>,
  {
    accountId,
    resourceType,
    resourceId,
  }: Pick<Incident, 'accountId' | 'resourceType' | 'resourceId'>,
): Promise<Resource | null> {
  if (resourceType === 'identityProvider') return null;
  return resourceType === 'monitor'
    ? monitors.find(accountId, resourceId)
    : scenarios.find(accountId, resourceId);
}

export function readSubjectName(
  { provider }: Pick<Incident, 'provider'>,
  resource: Pick<Resource, 'name'> | null,
): string {
  return provider === undefined
    ? (resource?.name ?? 'deleted')
    : readProviderHost(provider.tokenUrl);
}

function presentProvider({ provider }: Incident): IncidentResponse['identityProvider'] {
  if (provider === undefined) return null;
  const { tokenUrl, problem, reason, checkCount, checks } = provider;
  return { tokenUrl, problem, reason, checkCount, checks: checks.slice(0, SHOWN_CHECKS_MAX) };
}

/** Keeps one entry per incident, even if several of its episodes are given. */
function oneOfEach(incidents: readonly Incident[]): readonly Incident[] {
  const idOf = ({ id, earlier }: Incident): string => earlier?.firstId ?? id;
  return [...new Map(incidents.map((one) => [idOf(one), { ...one, id: idOf(one) }])).values()];
}

function presentEpisode(episode: Incident, nowMs: number): IncidentResponse['episodes'][number] {
  const { id, openedAtMs, closedAtMs, cause, regions, firstResultId, firstRunId } = episode;
  return {
    id,
    startedAt: toInstant(openedAtMs),
    resolvedAt: toInstantOrNull(closedAtMs),
    durationSeconds: computeDownMs(episode, nowMs) / 1000,
    cause,
    regions,
    firstResultId,
    firstRunId,
  };
}

function computeDownMs({ openedAtMs, closedAtMs }: Incident, nowMs: number): number {
  return Math.max(0, (closedAtMs ?? nowMs) - openedAtMs);
}

function findState({ closedAtMs, acknowledgedAtMs }: Incident): IncidentResponse['state'] {
  if (closedAtMs !== null) return 'resolved';
  return acknowledgedAtMs === null ? 'open' : 'acknowledged';
}

/** Returns the snooze. null if the snooze has ended or the incident is closed. */
function presentSnooze(
  { closedAtMs, snoozedUntilMs, snoozedBy, snoozeReason }: Incident,
  nowMs: number,
): Pick<IncidentResponse, 'snoozedUntil' | 'snoozedBy' | 'snoozeReason'> {
  if (closedAtMs !== null || snoozedUntilMs === null || snoozedUntilMs <= nowMs)
    return { snoozedUntil: null, snoozedBy: null, snoozeReason: null };
  return { snoozedUntil: toInstant(snoozedUntilMs), snoozedBy, snoozeReason };
}

interface Entry {
  readonly atMs: number;
  readonly kind: IncidentResponse['timeline'][number]['kind'];
  readonly text: string;
  /** The name of the channel. Set if the channel still exists. */
  readonly channelName?: string | null;
}

function buildTimeline(
  { episodes }: WholeIncident,
  sent: readonly Entry[],
  explained: ExplainedIncidents,
): IncidentResponse['timeline'] {
  const entries: readonly Entry[] = [
    ...episodes.flatMap(listEntries),
    ...sent,
    ...buildExplanationEntries(episodes, explained),
  ];
  return entries
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, kind, text, channelName = null }) => {
      return { at: toInstant(atMs), kind, text, channelName };
    });
}

function alertEntries(
  alerts: readonly Alert[],
  channelNames: ReadonlyMap<string, string>,
): readonly Entry[] {
  return alerts.map(({ kind, recipient, status, channelId, ...alert }) => ({
    atMs: alert.sentAtMs ?? alert.attempts.at(-1)?.atMs ?? alert.createdAtMs,
    kind: 'alert',
    text: `${kind} to ${recipient}: ${status}`,
    channelName: channelNames.get(channelId ?? '') ?? null,
  }));
}

const OVER = {
  recovered: 'Up again.',
  refused: 'It responds again, and refuses the credentials.',
  unused: 'No check signs in here any more.',
} as const;

function listEntries(episode: Incident): readonly Entry[] {
  const { openedAtMs, closedAtMs, silenceChanges, cause, regions, notes, provider } = episode;
  const held = episode.decisions?.find(({ reason }) => reason === 'flapping');
  const begun = provider?.problem === 'refused' ? 'Credentials refused' : 'Down';
  const over = OVER[provider?.ended ?? 'recovered'];
  const where = regions.length === 0 ? '' : ` in ${regions.join(', ')}`;
  return [
    { atMs: openedAtMs, kind: 'opened', text: `${begun}${where}. ${cause?.message ?? ''}`.trim() },
    ...(held === undefined
      ? []
      : [{ atMs: held.atMs, kind: 'flapping' as const, text: 'No alert: flapping' }]),
    ...silenceChanges,
    ...notes.map(({ atMs, by, text }) => ({ atMs, kind: 'note' as const, text: `${by}: ${text}` })),
    ...(closedAtMs === null ? [] : [{ atMs: closedAtMs, kind: 'recovered' as const, text: over }]),
  ];
}
