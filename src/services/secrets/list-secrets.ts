/** A page of secrets by name, each with what uses it. */
import type { SecretResponse } from '../../schemas/responses/secrets';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readItems } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { presentSecrets } from './present-secret';

/** Stable while new ones arrive. */
export async function listSecrets(
  needs: Pick<Dependencies, 'stores' | 'sealers'>,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<SecretResponse>> {
  const { items, nextCursor } = await readItems({ accountId, list: 'secrets' }, request, {
    read: ({ limit, beforeId: afterName }) =>
      needs.stores.secrets.list(accountId, { limit, afterName }),
    idOf: ({ name }) => name,
  });
  return { data: await presentSecrets(needs, accountId, items), nextCursor };
}
