/** Reads the alerts of an incident. */
import { withQuery } from '../../shared/data/api';
import type { Alert, Incident, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';

/** How many alerts are read. Most incidents have fewer, and `GET /v1/alerts` lists the rest. */
const ALERTS_MAX = 200;

export function useAlerts({ id }: Pick<Incident, 'id'>) {
  return useRead<Page<Alert>>(withQuery('/v1/alerts', { incidentId: id, limit: ALERTS_MAX }));
}
