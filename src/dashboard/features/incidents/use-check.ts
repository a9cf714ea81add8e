/** Reads the current state of an incident's monitor or scenario, and the previous incident. */
import type { ApiProblem } from '../../shared/data/api';
import type { Incident, Monitor, Page, Scenario } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { withQuery } from '../../shared/data/with-query';

export type IncidentCheck = Monitor | Scenario;

export interface FoundCheck {
  /** undefined until it is read. null if it was deleted, and for an identity provider. */
  readonly check: IncidentCheck | undefined | null;
  readonly error: ApiProblem | null;
  readonly isAwaited: boolean;
}

export function useCheck(incident: Incident | undefined): FoundCheck {
  const { resourceType, resourceId, identityProvider } = incident ?? {};
  const isCheck = identityProvider === null;
  const { data, error } = useRead<IncidentCheck>(`/v1/${resourceType}s/${resourceId}`, {
    enabled: isCheck,
  });
  if (!isCheck || error?.status === 404) return { check: null, error, isAwaited: false };
  // The data may still belong to the previous check.
  const check = data?.id === resourceId ? data : undefined;
  return { check, error, isAwaited: check === undefined && error === null };
}

/** Returns the check's previous incident. null if there is none, undefined until it is read. */
export function usePrevious({ resourceId, openedAt }: Incident): Incident | null | undefined {
  const query = { resourceId, to: openedAt, limit: 1 };
  const { data, isPlaceholderData } = useRead<Page<Incident>>(withQuery('/v1/incidents', query));
  if (data === undefined || isPlaceholderData) return undefined;
  return data.data[0] ?? null;
}
