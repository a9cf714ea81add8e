/**
 * Whether a failure is a new incident or goes on with the one before (docs/decisions/0023). Pure; it sends
 * nothing, and decides no alert.
 */
import type { IncidentRecord } from '../../contracts/records';
import { OUTAGE_GAP_MS } from '../health/joined-outages';

/**
 * True when the later failure of a resource is an episode of the incident that the earlier one belongs to:
 * hardly recovered, or told of by the notice of flapping alone. An earlier one that is still open has no
 * later one.
 */
export function isSameIncident(
  earlier: Pick<IncidentRecord, 'closedAtMs'>,
  later: Pick<IncidentRecord, 'openedAtMs' | 'decisions'>,
): boolean {
  const { closedAtMs } = earlier;
  if (closedAtMs === null) return false;
  const first = later.decisions?.[0]?.reason;
  const isFlap = first === 'flapping' || first === 'flapping_began';
  return isFlap || later.openedAtMs - closedAtMs < OUTAGE_GAP_MS;
}
