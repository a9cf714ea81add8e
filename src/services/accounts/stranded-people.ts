/** Removes people who are no longer in any account, and everything that proves a person's identity. */
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores'>;

/**
 * Removes the person with all sessions and links, unless the person is a member of an account. A person who becomes a
 * member at the same time stays, because creating a membership calls `people.ensure` afterwards.
 * @param endedAccountId An account that is being deleted. Its memberships do not count.
 */
export async function removeStrandedPerson(
  { stores }: Needs,
  personId: string,
  endedAccountId?: string,
): Promise<void> {
  const { users, people } = stores;
  const isMember = async () =>
    (await users.listOfPerson(personId)).some(({ accountId }) => accountId !== endedAccountId);
  if (await isMember()) return;
  const removed = await people.remove(personId);
  if (removed !== null && (await isMember())) {
    await people.ensure(removed);
    return;
  }
  await endProofs({ stores }, personId);
}

/** Removes all factors, identities, links and sessions of a person. The password stays. */
export async function endProofs({ stores }: Needs, personId: string): Promise<void> {
  const { identities, passkeys, codeApps, recoveryCodes, signInSteps } = stores;
  await identities.removeForPerson(personId);
  await passkeys.removeForPerson(personId);
  await codeApps.remove(personId);
  await recoveryCodes.replace(personId, []);
  await signInSteps.removeForPerson(personId);
  await stores.passwordTokens.removeForPerson(personId);
  await stores.sessions.removeForPerson(personId);
}
