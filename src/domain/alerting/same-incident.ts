/**
 * Decides whether a failure is a new incident or continues the previous one (docs/decisions/0023). Pure; it sends
 * nothing, and decides no alert.
 */
import type { IncidentRecord } from '../../contracts/records';
import { OUTAGE_GAP_MS } from '../health/joined-outages';
import { FLAPPING_MS } from './flapping';

/**
 * True if the later failure of a resource is an episode of the incident that the earlier one belongs to: the
 * resource had hardly recovered, or only the flapping notice reports it. An earlier failure that is still
 * open has no later one.
 */
export function isSameIncident(
  earlier: Pick<IncidentRecord, 'closedAtMs'>,
  later: Pick<IncidentRecord, 'openedAtMs' | 'decisions'>,
): boolean {
  const { closedAtMs } = earlier;
  if (closedAtMs === null) return false;
  const first = later.decisions?.[0]?.reason;
  return first?.startsWith('flapping') === true || later.openedAtMs - closedAtMs < OUTAGE_GAP_MS;
}

/** By this time after the last episode of a flapping incident, the recovery has been sent. */
const STABLE_AFTER_MS = FLAPPING_MS + 10 * 60_000;

/**
 * The state of the incident of which this is the last episode: while its check flaps, the end of an episode is
 * not the end of the incident. `flapping`: it is up for the moment.
 */
export function readIncidentState(
  { closedAtMs, decisions }: Pick<IncidentRecord, 'closedAtMs' | 'decisions'>,
  atMs: number,
): 'open' | 'flapping' | 'over' {
  if (closedAtMs === null) return 'open';
  const last = decisions?.at(-1)?.reason;
  const isFlapping = last === 'recovery_flapping' || last === 'flapping_began';
  return isFlapping && atMs < closedAtMs + STABLE_AFTER_MS ? 'flapping' : 'over';
}
