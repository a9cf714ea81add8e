/** The order of checks in lists: the worst status first. */
import { WORST_FIRST } from '../contracts/check-list';

/** Returns the position of the status. Unknown statuses come last. */
export function rankStatus(status: string): number {
  const words: readonly string[] = WORST_FIRST;
  const rank = words.indexOf(status);
  return rank === -1 ? WORST_FIRST.length : rank;
}
