/** Keeps the visible rows of checks up to date. Reads only changed checks again. */
import type { QueryClient } from '@tanstack/react-query';
import { get } from './api';
import type { ListedCheck, Page } from './api-types';
import { ALL_CHECKS, CHECK_ROW } from './live-change';

/** The most rows that the service returns by id; if more have changed, all rows are read again. */
const IDS_MAX = 100;

/** Reads the rows of these paths again. */
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
    // After a failure, the rows are read again at the next change or the next poll.
    .catch(() => undefined);
}
