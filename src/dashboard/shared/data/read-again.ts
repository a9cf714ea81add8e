/** Marks what was read as old, but what is about to go: the page that shows it is about to leave. */
import type { Query, QueryClient } from '@tanstack/react-query';
import { isUnder } from './live-change';

/** Paths that are being deleted, until the page has left. */
const going = new Set<string>();

/** Reads nothing at the path and below it again until the function that is returned is called. */
export function keepFromReading(path: string): () => void {
  going.add(path);
  return () => void going.delete(path);
}

function isGoing(queryKey: readonly unknown[]): boolean {
  return [...going].some(
    (path) => queryKey[0] === path || isUnder(queryKey, [`${path}/`, `${path}?`]),
  );
}

/** Marks every read path that begins with one of these as old; resolves when what is shown was read. */
export function readAgain(client: QueryClient, paths: readonly string[]): Promise<void> {
  return client.invalidateQueries({ predicate: isTouchedBy(paths) });
}

/** The same without reading: who looks at it later does. */
export function markOld(client: QueryClient, paths: readonly string[]): void {
  void client.invalidateQueries({ predicate: isTouchedBy(paths), refetchType: 'none' });
}

function isTouchedBy(paths: readonly string[]) {
  return ({ queryKey, state }: Query): boolean =>
    isUnder(queryKey, paths) &&
    !isGoing(queryKey) &&
    !(state.status === 'success' && isOver(queryKey));
}

/** What ended at an instant stays as it was read; a later time has another path. */
function isOver([path]: readonly unknown[]): boolean {
  if (typeof path !== 'string') return false;
  const to = new URLSearchParams(path.split('?')[1]).get('to');
  return to !== null && Date.parse(to) < Date.now();
}
