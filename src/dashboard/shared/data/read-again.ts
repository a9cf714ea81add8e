/** Marks what was read as old, but what is about to go: the page that shows it is about to leave. */
import type { QueryClient } from '@tanstack/react-query';
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
  return client.invalidateQueries({
    predicate: ({ queryKey }) => isUnder(queryKey, paths) && !isGoing(queryKey),
  });
}
