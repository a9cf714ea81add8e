/**
 * Keeps the rows of checks that are on the screen true: a check that changed is read again alone, so
 * that a thousand checks cost no more than those that change. It shows nothing.
 */
import type { QueryClient } from '@tanstack/react-query';
import { get } from './api';
import type { ListedCheck, Page } from './api-types';
import { ALL_CHECKS, CHECK_ROW } from './live-change';

/** More than the service gives at once are read with all others. */
const IDS_MAX = 100;

/** Takes from the paths those that stand for rows; the others are left alone. */
export function readRowsAgain(client: QueryClient, paths: readonly string[]): void {
  const ids = paths
    .filter((path) => path.startsWith(CHECK_ROW))
    .map((path) => path.slice(CHECK_ROW.length));
  const query = client.getQueryCache().find({ queryKey: [ALL_CHECKS] });
  if (ids.length === 0 || query === undefined) return;
  if (!query.isActive() || ids.length > IDS_MAX) {
    void client.invalidateQueries({ queryKey: [ALL_CHECKS] });
    return;
  }
  get<Page<ListedCheck>>(CHECK_ROW + ids.join(','))
    .then(({ data }) => {
      const fresh = new Map(data.map((check) => [check.id, check]));
      client.setQueryData<readonly ListedCheck[]>([ALL_CHECKS], (rows) =>
        rows?.map((row) => fresh.get(row.id) ?? row),
      );
    })
    // The next change, or the next poll, reads them.
    .catch(() => undefined);
}
