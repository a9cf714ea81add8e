/** Which person stands behind a request: themselves, or whoever made the key that asks. */
import type { Dependencies } from '../ports/dependencies';
import type { Principal } from './principal';

/** The id of the person; null for a key of which nobody knows who made it. */
export async function makerOf(
  { stores }: Pick<Dependencies, 'stores'>,
  { accountId, actor }: Principal,
): Promise<string | null> {
  if (actor.type === 'user') return actor.id;
  return (await stores.apiKeys.find(accountId, actor.id))?.createdBy ?? null;
}
