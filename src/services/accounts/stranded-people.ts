/** Removes people who are no longer in any account. */
import type { Dependencies } from '../ports/dependencies';

/**
 * Removes the person, with sessions and links, unless the person is a member of an account. A person who becomes a
 * member at the same time stays: the creation of a membership calls `ensurePerson` afterwards.
 */
export async function removeStrandedPerson(
  { stores }: Pick<Dependencies, 'stores'>,
  personId: string,
): Promise<void> {
  const { users, people, sessions, passwordTokens } = stores;
  const { identities, passkeys, codeApps, recoveryCodes, signInSteps } = stores;
  const isMember = async () => (await users.listOfPerson(personId)).length > 0;
  if (await isMember()) return;
  const removed = await people.remove(personId);
  if (removed !== null && (await isMember())) {
    await people.ensure(removed);
    return;
  }
  await identities.removeAllOf(personId);
  await passkeys.removeAllOf(personId);
  await codeApps.remove(personId);
  await recoveryCodes.replace(personId, []);
  await signInSteps.removeAllOf(personId);
  await passwordTokens.removeAllOf(personId);
  await sessions.removeAllOf(personId);
}
