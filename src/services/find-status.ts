/** Reads what checks last wrote about resources. */
import type { Dependencies } from './dependencies';
import type { ResourceRow, StoredStatusRow } from './rows';

type Needs = Pick<Dependencies, 'stores'>;

/** null: nothing is known yet, or the resource is being deleted. */
export async function findStatus(
  needs: Needs,
  { accountId, id }: ResourceRow,
): Promise<StoredStatusRow | null> {
  const [status = null] = await needs.stores.statuses.findMany(accountId, [id]);
  return status;
}

/** The statuses of a page, by id; one query. */
export async function findStatuses(
  { stores }: Needs,
  accountId: string,
  rows: readonly ResourceRow[],
): Promise<ReadonlyMap<string, StoredStatusRow>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const statuses = await stores.statuses.findMany(accountId, ids);
  return new Map(statuses.map((status) => [status.id, status]));
}
