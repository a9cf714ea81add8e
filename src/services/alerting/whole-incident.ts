/** Reads an incident with all its episodes, by the id of any of them (docs/decisions/0023). Changes nothing. */
import { isId } from '../../domain/definitions/ids';
import type { Incident } from '../../models/alerting/incidents';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores'>;

export interface WholeIncident {
  /** Id of the first episode, which never changes. */
  readonly id: string;
  readonly accountId: string;
  readonly resourceId: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  /** The episodes, oldest first. If there are many, only the last ones are included. */
  readonly episodes: readonly Incident[];
  /** The last episode, which determines the state of the incident. */
  readonly last: Incident;
  /** Number of all episodes, including those that are left out. */
  readonly count: number;
  /** Downtime before the last episode began. */
  readonly downBeforeMs: number;
}

/** Reads the incident. null if the id is malformed, unknown or of another account. */
export async function findWholeIncident(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<WholeIncident | null> {
  if (!isId('incident', id)) return null;
  const last = await needs.stores.wholeIncidents.findLast(accountId, id);
  return last === null ? null : withEpisodes(needs, last);
}

export async function withEpisodes({ stores }: Needs, last: Incident): Promise<WholeIncident> {
  const { id, accountId, resourceId, openedAtMs, closedAtMs, earlier } = last;
  return {
    id: earlier?.firstId ?? id,
    accountId,
    resourceId,
    openedAtMs: earlier?.firstOpenedAtMs ?? openedAtMs,
    closedAtMs,
    episodes: await stores.wholeIncidents.episodes(last),
    last,
    count: (earlier?.count ?? 0) + 1,
    downBeforeMs: earlier?.downMs ?? 0,
  };
}
