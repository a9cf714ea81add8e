/** Finds the open incident of a check. Prefers the list of unresolved incidents, which every page has read. */
import type { Incident, Monitor, Page } from '../data/api-types';
import { UNRESOLVED_INCIDENTS } from '../data/live-updates';
import { useRead } from '../data/queries';

interface OpenIncident {
  /** undefined if there is none, or until it is read. */
  readonly incident: Incident | undefined;
  readonly isAwaited: boolean;
}

export function useOpenIncident({
  currentIncidentId: id,
}: Pick<Monitor, 'currentIncidentId'>): OpenIncident {
  const { data: page, error: ofPage } = useRead<Page<Incident>>(UNRESOLVED_INCIDENTS);
  // The last outage of an incident has the id of the check's open incident.
  const isOwn = ({ episodes }: Incident): boolean => episodes.at(-1)?.id === id;
  const listed = page?.data.find(isOwn);
  // The list may be cut, or older than the check.
  const isMissing = id !== null && listed === undefined && (page !== undefined || ofPage !== null);
  const { data, error } = useRead<Incident>(`/v1/incidents/${id}`, { enabled: isMissing });
  // Until the incident is read, `data` may still belong to an earlier incident.
  const incident = listed ?? (data !== undefined && isOwn(data) ? data : undefined);
  return { incident, isAwaited: id !== null && incident === undefined && error === null };
}
