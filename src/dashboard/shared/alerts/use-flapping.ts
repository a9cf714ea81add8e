/** Finds the checks that are flapping. */
import { FLAPPING_MS } from '../../../domain/alerting/flapping';
import type { Incident, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { withQuery } from '../data/with-query';

/** The start of the period changes this often, so that the path does not change with each render. */
const EVERY_MS = 600_000;
const INCIDENTS_MAX = 100;

/**
 * Returns the ids of all flapping checks. A check stops flapping when it has been stable for a while, up or down, so
 * outages that began long before do not count. A check is also flapping between two outages.
 */
export function useFlapping(): ReadonlySet<string> {
  const fromMs = Math.floor(Date.now() / EVERY_MS) * EVERY_MS - 2 * FLAPPING_MS;
  const query = { from: new Date(fromMs).toISOString(), limit: INCIDENTS_MAX };
  const { data } = useRead<Page<Incident>>(withQuery('/v1/incidents', query));
  const flapping = (data?.data ?? []).filter(({ isFlapping }) => isFlapping);
  return new Set(flapping.map(({ resourceId }) => resourceId));
}
