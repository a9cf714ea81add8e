/** The order of the list of incidents: unresolved ones first, then by their last outage. */
import type { Incident } from '../../shared/data/api-types';
import { outageSince } from '../../shared/data/trouble';

/** The filters of the list, apart from the state. */
export interface IncidentChoice {
  readonly resourceId: string | undefined;
  /** The earliest start of the last outage, as in the API. */
  readonly from: string | undefined;
}

/**
 * Returns the incidents of one page. `listed` is a page of the API, newest outage first. `unresolved` are all
 * unresolved incidents, which come first on the first page and are left out of later pages.
 */
export function orderIncidents(
  listed: readonly Incident[],
  unresolved: readonly Incident[],
  { isFirst, ...choice }: IncidentChoice & { readonly isFirst: boolean },
): readonly Incident[] {
  const ahead = unresolved.filter((incident) => isChosen(incident, choice));
  const aheadIds = new Set(ahead.map(({ id }) => id));
  const others = listed.filter(({ id }) => !aheadIds.has(id));
  const all = isFirst ? [...ahead, ...others] : others;
  return [...all.filter(isUnresolved), ...all.filter((incident) => !isUnresolved(incident))];
}

function isChosen(incident: Incident, { resourceId, from }: IncidentChoice): boolean {
  const isOfResource = resourceId === undefined || incident.resourceId === resourceId;
  return (
    isOfResource && (from === undefined || Date.parse(outageSince(incident)) >= Date.parse(from))
  );
}

/**
 * True if the incident is unresolved or its check is flapping. While a check is flapping, its incident may open again
 * at any moment.
 */
function isUnresolved({ state, isFlapping }: Incident): boolean {
  return state !== 'resolved' || isFlapping;
}
