/**
 * Marks cached data as old. Skips objects that are being deleted, and data of past periods, which no longer changes.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import { isUnder } from './live-change';

/** Paths of objects that are being deleted, until their page is closed. */
const deleting = new Set<string>();

/** Excludes all data at or below the path from `readAgain` and `markStale` until the returned function is called. */
export function pauseReading(path: string): () => void {
  deleting.add(path);
  return () => void deleting.delete(path);
}

function isBeingDeleted(queryKey: readonly unknown[]): boolean {
  return [...deleting].some(
    (path) => queryKey[0] === path || isUnder(queryKey, [`${path}/`, `${path}?`]),
  );
}

/**
 * Marks every cached path that begins with one of `paths` as old. Resolves when the visible data has been read again.
 */
export function readAgain(client: QueryClient, paths: readonly string[]): Promise<void> {
  return client.invalidateQueries({ predicate: isTouchedBy(paths) });
}

/** Like `readAgain`, but reads the paths only when they are shown next. */
export function markStale(client: QueryClient, paths: readonly string[]): void {
  void client.invalidateQueries({ predicate: isTouchedBy(paths), refetchType: 'none' });
}

function isTouchedBy(paths: readonly string[]) {
  return ({ queryKey, state }: Query): boolean =>
    isUnder(queryKey, paths) &&
    !isBeingDeleted(queryKey) &&
    !(state.status === 'success' && isOver(queryKey));
}

/** True if the path asks for a past period, whose data no longer changes. */
function isOver([path]: readonly unknown[]): boolean {
  if (typeof path !== 'string') return false;
  const to = new URLSearchParams(path.split('?')[1]).get('to');
  return to !== null && Date.parse(to) < Date.now();
}
