/** The order of checks on the wallboard, and when its alarm sounds. Pure. */
import { WORST_FIRST } from '../../../contracts/check-list';
import type { ListedCheck } from '../../shared/data/api-types';

/** Sorts the checks by status, the worst first, and then by name. */
export function sortForWallboard(checks: readonly ListedCheck[]): readonly ListedCheck[] {
  return checks.toSorted(
    (left, right) => rankCheck(left) - rankCheck(right) || left.name.localeCompare(right.name),
  );
}

function rankCheck({ status }: ListedCheck): number {
  return WORST_FIRST.indexOf(status);
}

export function downIds(checks: readonly ListedCheck[]): ReadonlySet<string> {
  return new Set(checks.filter(({ status }) => status === 'down').map(({ id }) => id));
}

/**
 * True if a check has gone down since the last read. Before the first read, `before` is null, and checks that are
 * already down make no sound.
 */
export function isNewlyDown(before: ReadonlySet<string> | null, now: ReadonlySet<string>): boolean {
  return before !== null && [...now].some((id) => !before.has(id));
}
