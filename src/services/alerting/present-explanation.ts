/** Describes which incident explains another incident, because one check depends on the other. */
import type { Incident } from '../../models/alerting/incidents';
import type { IncidentResponse } from '../../schemas/responses/incidents';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { ExplainedIncidents } from './explained-incidents';

const SHOWN_MAX = 50;
const NAMED_MAX = 5;

export function presentExplanation(
  { explainedBy }: Pick<Incident, 'explainedBy'>,
  { incidents, names }: ExplainedIncidents,
): Pick<IncidentResponse, 'explainedBy' | 'explains'> {
  const shown = incidents.slice(0, SHOWN_MAX).map(({ id, resourceType, resourceId }) => {
    return { id, resourceType, resourceId, resourceName: names.get(resourceId) ?? 'deleted' };
  });
  const explains = { count: incidents.length, incidents: shown };
  if (explainedBy === undefined) return { explainedBy: null, explains };
  const { kind, id, name, incidentId, atMs, untilMs } = explainedBy;
  return {
    explainedBy: {
      resourceType: kind,
      resourceId: id,
      resourceName: name,
      incidentId,
      at: toInstant(atMs),
      until: toInstantOrNull(untilMs),
    },
    explains,
  };
}

interface Entry {
  readonly atMs: number;
  readonly kind: 'explained' | 'explains';
  readonly text: string;
}

export function buildExplanationEntries(
  episodes: readonly Pick<Incident, 'explainedBy'>[],
  { incidents, names }: ExplainedIncidents,
): readonly Entry[] {
  const entries: Entry[] = [];
  for (const { explainedBy } of episodes) {
    if (explainedBy === undefined) continue;
    const { name, atMs, untilMs } = explainedBy;
    entries.push({ atMs, kind: 'explained', text: `Explained by “${name}”; no alert of its own.` });
    if (untilMs !== null)
      entries.push({ atMs: untilMs, kind: 'explained', text: `No longer explained by “${name}”.` });
  }
  const times = incidents.map((one) => one.explainedBy?.atMs ?? one.openedAtMs);
  if (times.length === 0) return entries;
  const named = incidents.map(({ resourceId }) => names.get(resourceId) ?? 'deleted');
  const text = explainsText({ count: incidents.length, names: named });
  return [...entries, { atMs: Math.min(...times), kind: 'explains', text: `Explains ${text}.` }];
}

/** Returns a text like `29 more: a, b, c, d, e and 24 others`. */
function explainsText({
  count,
  names,
}: {
  readonly count: number;
  readonly names: readonly string[];
}) {
  const named = names.slice(0, NAMED_MAX);
  const others = count - named.length;
  return `${count} more: ${named.join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}
