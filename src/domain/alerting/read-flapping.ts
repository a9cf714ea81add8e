/** Reads from stored decisions whether the check of an incident is flapping, and since when. Pure. */
import type { AlertDecision, IncidentRecord } from '../../contracts/records';
import { FLAPPING_MS } from './flapping';

type Reason = AlertDecision['reason'];
type Episode = Pick<IncidentRecord, 'openedAtMs' | 'closedAtMs' | 'decisions'>;

/** Decisions that are made only while a check is flapping. */
const WHILE_FLAPPING: readonly Reason[] = [
  'flapping_began',
  'flapping',
  'flapping_again',
  'stayed_down',
  'recovery_flapping',
];
/**
 * Decisions that are made in any outage. Whether the check was flapping follows from earlier decisions of the same
 * outage. For example, the first alert of an outage that stays down is `notified`.
 */
const ALSO_WHILE_FLAPPING: readonly Reason[] = [
  'notified',
  'muted',
  'recovery_muted',
  'never_notified',
];

export interface FlappingView {
  readonly isFlapping: boolean;
  /** When the flapping began. null if the check is not flapping, or if the beginning is not among the episodes. */
  readonly sinceMs: number | null;
}

/**
 * Reads the state from the last episode. Flapping ends once nothing has changed for FLAPPING_MS. The last change is the
 * start or the end of the last episode. `episodes` are sorted, oldest first.
 */
export function readFlapping(
  episodes: readonly Episode[],
  { nowMs, isWhole }: { readonly nowMs: number; readonly isWhole: boolean },
): FlappingView {
  const last = episodes.at(-1);
  if (last === undefined || !isEpisodeFlapping(last, nowMs))
    return { isFlapping: false, sinceMs: null };
  const decisions = episodes.flatMap((episode) => episode.decisions ?? []);
  const began = decisions.findLast(({ reason }) => reason === 'flapping_began');
  const first = isWhole ? decisions.find(({ reason }) => WHILE_FLAPPING.includes(reason)) : null;
  return { isFlapping: true, sinceMs: began?.atMs ?? first?.atMs ?? null };
}

function isEpisodeFlapping(
  { openedAtMs, closedAtMs, decisions = [] }: Episode,
  nowMs: number,
): boolean {
  if (nowMs - (closedAtMs ?? openedAtMs) >= FLAPPING_MS) return false;
  const reason = decisions.at(-1)?.reason;
  if (reason === undefined) return false;
  if (WHILE_FLAPPING.includes(reason)) return true;
  // In a longer outage, the flapping may have ended before the decision.
  const isShort = (closedAtMs ?? nowMs) - openedAtMs < FLAPPING_MS;
  const wasFlapping = decisions.some((decision) => WHILE_FLAPPING.includes(decision.reason));
  return isShort && wasFlapping && ALSO_WHILE_FLAPPING.includes(reason);
}
