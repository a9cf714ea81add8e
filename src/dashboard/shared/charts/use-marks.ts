/** Returns the events of a check that its chart marks: incidents, edits, and runs with a commit. */
import type { AuditEvent, Incident, Page, Run } from '../data/api-types';
import { useRead } from '../data/queries';
import { useMayRead } from '../data/session';
import { withQuery } from '../data/with-query';
import type { Mark } from './band';

/** At most this many events of each kind are read, because more lines would hide the chart. */
const MARKS_MAX = 50;
const COMMIT_CHARACTERS = 8;

const HOUR_MS = 3_600_000;

interface Marked {
  readonly kind: 'monitors' | 'scenarios';
  readonly id: string;
  readonly from: string;
  /** The end of the window. Absent if the window ends now. */
  readonly to?: string;
}

/** Returns the marks. Edits are marked only for administrators, because only they may read the audit trail. */
export function useMarks({ kind, id, from, to }: Marked): readonly Mark[] {
  // The reads start at a full hour, so that their paths stay the same while the window slides. Changes in the event
  // stream cause new reads.
  const hourMs = Math.floor(Date.parse(from) / HOUR_MS) * HOUR_MS;
  const range = { from: new Date(hourMs).toISOString(), to, limit: MARKS_MAX };
  const isAdmin = useMayRead('admin');
  const incidents = useRead<Page<Incident>>(
    withQuery('/v1/incidents', { resourceId: id, ...range }),
  );
  const edits = useRead<Page<AuditEvent>>(
    withQuery('/v1/audit-events', { resourceId: id, ...range }),
    { enabled: isAdmin },
  );
  const runs = useRead<Page<Run>>(
    withQuery(`/v1/scenarios/${id}/results`, { trigger: 'api', ...range }),
    { enabled: kind === 'scenarios' },
  );
  return [
    ...(incidents.data?.data ?? []).flatMap(marksOfIncident),
    ...(edits.data?.data ?? []).flatMap(markOfEdit),
    ...(runs.data?.data ?? []).flatMap(markOfRun),
  ];
}

function marksOfIncident({ id: incidentId, episodes }: Incident): readonly Mark[] {
  return episodes.map(({ id, startedAt, cause }) => {
    const text = cause?.message ?? 'Down';
    const to = `/incidents/${incidentId}`;
    return { id, kind: 'incident', atMs: Date.parse(startedAt), text, to };
  });
}

/** Returns a mark for an edit of the definition. Other requests, such as starting a run, get no mark. */
function markOfEdit({ id, at, action, actor }: AuditEvent): readonly Mark[] {
  if (!/\.(?:put|update)$/.test(action)) return [];
  const text = `by ${actor.name}`;
  return [{ id, kind: 'edit', atMs: Date.parse(at), text, to: null }];
}

function markOfRun({ id, scenarioId, slot, source, status }: Run): readonly Mark[] {
  const commit = source?.commit ?? null;
  if (commit === null) return [];
  const text = `${commit.slice(0, COMMIT_CHARACTERS)}, ${status}`;
  const to = `/scenarios/${scenarioId}/runs/${id}`;
  return [{ id, kind: 'run', atMs: Date.parse(slot), text, to }];
}
