/** Merges an incident's timeline, deliveries and notes into one list. Pure. */
import type { Alert, Incident } from '../../shared/data/api-types';

type Entry = Incident['timeline'][number];
type OtherKind = Exclude<Entry['kind'], 'alert' | 'note'>;

export type StoryEntry =
  | { readonly kind: OtherKind; readonly at: string; readonly text: string }
  | { readonly kind: 'note'; readonly at: string; readonly by: string; readonly text: string }
  | { readonly kind: 'alert'; readonly at: string; readonly alerts: readonly Alert[] };

/** Deliveries of the same kind within this time become one entry, so that each step of a policy has its own entry. */
const TOGETHER_MS = 10_000;

/** Builds the timeline of an incident, the oldest entry first. */
export function buildStory(incident: Incident, alerts: readonly Alert[]): readonly StoryEntry[] {
  const others = incident.timeline.flatMap(({ at, kind, text }) =>
    kind === 'alert' || kind === 'note' ? [] : [{ kind, at, text }],
  );
  const notes = incident.notes.map((note) => ({ kind: 'note' as const, ...note }));
  const entries = [...others, ...notes, ...groupDeliveries(alerts)].toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
  return joinNeighbours(entries);
}

/** Joins deliveries of different kinds if they are close in time and nothing happened between them. */
function joinNeighbours(entries: readonly StoryEntry[]): readonly StoryEntry[] {
  const joined: StoryEntry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    const isJoined =
      last?.kind === 'alert' &&
      entry.kind === 'alert' &&
      Date.parse(entry.at) - Date.parse(last.at) < TOGETHER_MS;
    if (isJoined) joined.splice(-1, 1, { ...last, alerts: [...last.alerts, ...entry.alerts] });
    else joined.push(entry);
  }
  return joined;
}

function groupDeliveries(alerts: readonly Alert[]): readonly StoryEntry[] {
  const groups: { kind: 'alert'; at: string; alerts: Alert[] }[] = [];
  const readTime = ({ sentAt, attempts, createdAt }: Alert): string =>
    sentAt ?? attempts.at(-1)?.at ?? createdAt;
  for (const alert of alerts.toSorted(
    (a, b) => Date.parse(readTime(a)) - Date.parse(readTime(b)),
  )) {
    const at = readTime(alert);
    const last = groups.at(-1);
    const isNear = last !== undefined && Date.parse(at) - Date.parse(last.at) < TOGETHER_MS;
    if (isNear && last.alerts[0]?.kind === alert.kind) last.alerts.push(alert);
    else groups.push({ kind: 'alert', at, alerts: [alert] });
  }
  return groups;
}

export interface StoryPart<Entry> {
  /** Number of the outage, counted from 1; null when there is only one. */
  readonly outage: number | null;
  readonly startedAt: string;
  readonly durationSeconds: number;
  readonly isOpen: boolean;
  readonly entries: readonly Entry[];
}

/** Splits the entries by outage, oldest first. An entry belongs to the latest outage that began before the entry. */
export function splitStory<Entry extends { readonly at: string }>(
  { episodes, episodeCount }: Pick<Incident, 'episodes' | 'episodeCount'>,
  entries: readonly Entry[],
): readonly StoryPart<Entry>[] {
  const [first] = episodes;
  if (first === undefined || episodes.length < 2)
    return [
      {
        outage: null,
        startedAt: first?.startedAt ?? '',
        durationSeconds: first?.durationSeconds ?? 0,
        isOpen: first?.resolvedAt === null,
        entries,
      },
    ];
  const starts = episodes.map(({ startedAt }) => Date.parse(startedAt));
  const findOutage = ({ at }: Entry): number =>
    Math.max(
      0,
      starts.findLastIndex((startMs) => startMs <= Date.parse(at)),
    );
  return episodes.map(({ startedAt, durationSeconds, resolvedAt }, index) => ({
    outage: episodeCount - episodes.length + index + 1,
    startedAt,
    durationSeconds,
    isOpen: resolvedAt === null,
    entries: entries.filter((entry) => findOutage(entry) === index),
  }));
}

interface StepGroup<Entry> extends StoryPart<Entry> {
  /** The last of the outages that share the entries. */
  readonly lastOutage: number | null;
}

/** Groups the entries by outage. An outage without entries belongs to the group before, whose entries cover it. */
export function groupSteps<Entry extends { readonly at: string }>(
  incident: Pick<Incident, 'episodes' | 'episodeCount'>,
  entries: readonly Entry[],
): readonly StepGroup<Entry>[] {
  const groups: StepGroup<Entry>[] = [];
  for (const part of splitStory(incident, entries)) {
    const last = groups.at(-1);
    if (part.entries.length === 0 && last !== undefined)
      groups.splice(-1, 1, { ...last, lastOutage: part.outage });
    else groups.push({ ...part, lastOutage: part.outage });
  }
  return groups;
}
