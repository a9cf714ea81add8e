import type { SessionResponse } from '../../schemas/responses/account';
import type { Dependencies } from '../ports/dependencies';
import type { Principal } from './principal';

/** Lists the accounts of the signed-in person, the oldest first. Empty for an API key. */
export async function listOwnAccounts(
  { stores }: Pick<Dependencies, 'stores'>,
  { personId }: Principal,
): Promise<SessionResponse['accounts']> {
  if (personId === undefined) return [];
  const memberships = await stores.users.listOfPerson(personId);
  const found = await Promise.all(
    memberships.map(async ({ accountId, role }) => {
      const account = await stores.accounts.find(accountId);
      if (account === null) return [];
      const { id, name, suspended } = account;
      return [{ id, name, role, suspended: suspended !== undefined }];
    }),
  );
  return found.flat();
}
