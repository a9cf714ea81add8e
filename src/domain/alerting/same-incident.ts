/** Decides whether a failure opens a new incident or continues the previous one (docs/decisions/0023). Pure. */
import type { IncidentRecord } from '../../contracts/records';
import { OUTAGE_GAP_MS } from '../health/joined-outages';
import { FLAPPING_MS } from './flapping';

/**
 * True if the later failure is another episode of the earlier incident: the resource had recovered only briefly, or is
 * flapping. False if the earlier failure is still open.
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

/** How long after its last episode a flapping incident may still send its recovery alert. */
const STABLE_AFTER_MS = FLAPPING_MS + 10 * 60_000;

/**
 * Derives the state of an incident from its last episode. `flapping` means that the resource is up now but may fail
 * again soon.
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
