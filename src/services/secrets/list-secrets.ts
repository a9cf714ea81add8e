/** A page of secrets by name, each with what uses it. */
import type { SecretResponse } from '../../schemas/responses/secrets';
import { decodeCursor, encodeCursor, ID_POSITION } from '../lists/cursor';
import type { ListPage, ListRequest } from '../lists/list-page';
import type { Dependencies } from '../ports/dependencies';
import { presentSecrets } from './present-secret';

/** Stable while new ones arrive. */
export async function listSecrets(
  needs: Pick<Dependencies, 'stores'>,
  accountId: string,
  { limit, cursor }: ListRequest,
): Promise<ListPage<SecretResponse>> {
  const scope = { accountId, list: 'secrets' };
  const [afterName = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const { rows, hasMore } = await needs.stores.secrets.list(accountId, { limit, afterName });
  const last = rows.at(-1);
  return {
    data: await presentSecrets(needs, accountId, rows),
    nextCursor: hasMore && last !== undefined ? encodeCursor(scope, [last.name]) : null,
  };
}
