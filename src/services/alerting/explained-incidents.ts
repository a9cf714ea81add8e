/**
 * Finds the incidents that another incident explains. An incident explains the incidents of checks that depend on its
 * check, directly or indirectly. Changes nothing.
 */
import type { Incident } from '../../models/alerting/incidents';
import type { Stores } from '../../models/stores';

/** Maximum number of levels of dependencies that are followed. */
const LEVELS_MAX = 5;

export interface ExplainedIncidents {
  readonly incidents: readonly Incident[];
  /** Names by resource id. Deleted resources are missing. */
  readonly names: ReadonlyMap<string, string>;
}

interface Explaining {
  readonly accountId: string;
  readonly resourceId: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
}

/**
 * Finds the incidents that the given incident explains, directly or indirectly. Only incidents that overlap in time
 * with the given incident are returned.
 */
export async function findExplainedIncidents(
  {
    incidents,
    dependencies,
  }: Pick<Stores, 'dependencies'> & {
    readonly incidents: Pick<Stores['incidents'], 'explainedBy'>;
  },
  { accountId, resourceId, openedAtMs, closedAtMs }: Explaining,
): Promise<ExplainedIncidents> {
  const span = { fromMs: openedAtMs, toMs: closedAtMs };
  const found = new Map<string, Incident>();
  let ids: readonly string[] = [resourceId];
  for (let level = 0; level < LEVELS_MAX && ids.length > 0; level += 1) {
    const explained = await incidents.explainedBy(accountId, ids, span);
    const fresh = explained.filter((one) => !found.has(one.id) && one.resourceId !== resourceId);
    for (const one of fresh) found.set(one.id, one);
    ids = [...new Set(fresh.map((one) => one.resourceId))];
  }
  const all = [...found.values()];
  if (all.length === 0) return { incidents: all, names: new Map() };
  const nodes = await dependencies.nodes(accountId, [...new Set(all.map((one) => one.resourceId))]);
  return { incidents: all, names: new Map(nodes.map(({ id, name }) => [id, name])) };
}
