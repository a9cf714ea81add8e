/** An incident told as one story: entries of its timeline with deliveries and notes, and episodes. Pure. */
import { EPISODE_GAP_MS } from '../../../domain/health/episodes';
import type { Alert, Incident } from '../../shared/data/api-types';

type Entry = Incident['timeline'][number];
type OtherKind = Exclude<Entry['kind'], 'alert' | 'note'>;

export type StoryEntry =
  | { readonly kind: OtherKind; readonly at: string; readonly text: string }
  | { readonly kind: 'note'; readonly at: string; readonly by: string; readonly text: string }
  | { readonly kind: 'alert'; readonly at: string; readonly alerts: readonly Alert[] };

/** Deliveries that were made within so long are one entry. */
const TOGETHER_MS = 60_000;

/** Oldest first. */
export function storyOf(incident: Incident, alerts: readonly Alert[]): readonly StoryEntry[] {
  const others = incident.timeline.flatMap(({ at, kind, text }) =>
    kind === 'alert' || kind === 'note' ? [] : [{ kind, at, text }],
  );
  const notes = incident.notes.map((note) => ({ kind: 'note' as const, ...note }));
  return [...others, ...notes, ...deliveriesOf(alerts)].toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
}

function deliveriesOf(alerts: readonly Alert[]): readonly StoryEntry[] {
  const groups: { kind: 'alert'; at: string; alerts: Alert[] }[] = [];
  const timeOf = ({ sentAt, attempts, createdAt }: Alert): string =>
    sentAt ?? attempts.at(-1)?.at ?? createdAt;
  for (const alert of alerts.toSorted((a, b) => Date.parse(timeOf(a)) - Date.parse(timeOf(b)))) {
    const at = timeOf(alert);
    const last = groups.at(-1);
    const isNear = last !== undefined && Date.parse(at) - Date.parse(last.at) < TOGETHER_MS;
    if (isNear && last.alerts[0]?.kind === alert.kind) last.alerts.push(alert);
    else groups.push({ kind: 'alert', at, alerts: [alert] });
  }
  return groups;
}

/** Incidents of one check that are one to those who watch it, newest first. */
export interface IncidentEpisode {
  readonly latest: Incident;
  /** All, with the latest first. */
  readonly incidents: readonly Incident[];
  readonly openedAt: string;
  /** Of the time down alone. */
  readonly downSeconds: number;
}

/** In the order of the given ones, which are newest first. */
export function episodesOfList(incidents: readonly Incident[]): readonly IncidentEpisode[] {
  const episodes: IncidentEpisode[] = [];
  const lastOf = new Map<string, number>();
  for (const incident of incidents) {
    const at = lastOf.get(incident.resourceId);
    const later = at === undefined ? undefined : episodes[at];
    if (at !== undefined && later !== undefined && isNear(incident, later))
      episodes[at] = {
        ...later,
        incidents: [...later.incidents, incident],
        openedAt: incident.openedAt,
        downSeconds: later.downSeconds + incident.durationSeconds,
      };
    else {
      lastOf.set(incident.resourceId, episodes.length);
      const { openedAt, durationSeconds } = incident;
      episodes.push({
        latest: incident,
        incidents: [incident],
        openedAt,
        downSeconds: durationSeconds,
      });
    }
  }
  return episodes;
}

function isNear({ closedAt }: Incident, later: IncidentEpisode): boolean {
  return closedAt !== null && Date.parse(later.openedAt) - Date.parse(closedAt) < EPISODE_GAP_MS;
}

/** The episode of a list that holds the incident. */
export function episodeOf(incidents: readonly Incident[], id: string): IncidentEpisode | null {
  return (
    episodesOfList(incidents).find((episode) =>
      episode.incidents.some((incident) => incident.id === id),
    ) ?? null
  );
}
