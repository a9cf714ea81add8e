/** The passkeys and provider identities of the person who is signed in. Changes need a recent proof. */
import { PASSKEYS_MAX } from '../../domain/accounts/second-factor-rules';
import type { Passkey } from '../../models/sign-in/passkeys';
import { AppError } from '../../platform/errors';
import type { AddedPasskey, PasskeyResponse } from '../../schemas/responses/sign-in';
import type { PasskeyProof } from '../../schemas/sign-in/bodies';
import type { Principal } from '../accounts/principal';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { notifyOfChange } from './notify-of-change';
import { createNewPasskeyChallenge, takeChallenge } from './passkey-challenges';
import { readWays } from './sign-in-ways';
import { finishFactor, removeWay, requirePerson, requireProvedPerson } from './signed-in';

export function presentPasskey({ id, name, createdAtMs, lastUsedAtMs }: Passkey): PasskeyResponse {
  return {
    id,
    name,
    createdAt: toInstant(createdAtMs),
    lastUsedAt: toInstantOrNull(lastUsedAtMs),
  };
}

export async function startPasskey(needs: Dependencies, principal: Principal) {
  const { person } = await requireProvedPerson(needs, principal);
  const { length } = await needs.stores.passkeys.listForPerson(person.id);
  if (length >= PASSKEYS_MAX)
    throw new AppError(
      'limit_reached',
      `You can have at most ${PASSKEYS_MAX} passkeys. Remove one first.`,
    );
  return createNewPasskeyChallenge(needs, person);
}

interface NewPasskey extends PasskeyProof {
  readonly name: string;
}

/** Adds a passkey, and ends all other sessions. Throws `invalid_token` if the response does not match the challenge. */
export async function addPasskey(
  needs: Dependencies,
  principal: Principal,
  { token, response, name }: NewPasskey,
): Promise<AddedPasskey> {
  const { person, session } = await requireProvedPerson(needs, principal);
  const { stores, signIn, clock } = needs;
  const taken = await takeChallenge(needs, 'new_passkey', token);
  const key =
    taken?.personId === person.id
      ? await signIn.passkeys.readRegistration(response, taken.challenge)
      : null;
  if (key === null)
    throw new AppError('invalid_token', 'This passkey was not accepted. Try to add it again.');
  const passkey: Passkey = {
    ...key,
    personId: person.id,
    name,
    createdAtMs: clock.now(),
    lastUsedAtMs: null,
  };
  if (!(await stores.passkeys.add(passkey)))
    throw new AppError('key_taken', 'This passkey is in use already.');
  const recoveryCodes = await finishFactor(needs, person.id, session.hash);
  notifyOfChange(needs, person.email, 'passkeyAdded');
  return { passkey: presentPasskey(passkey), recoveryCodes };
}

/** Renames a passkey. Throws `not_found` if the passkey is unknown or belongs to another person. */
export async function renamePasskey(
  needs: Dependencies,
  principal: Principal,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<PasskeyResponse> {
  refuseKey(principal, 'You have no passkey with this id.');
  const { person } = await requirePerson(needs, principal);
  await needs.stores.passkeys.rename(person.id, id, name);
  return presentPasskey(await findPasskey(needs, person.id, id));
}

/** Throws for an API key, because keys have no passkeys or providers. */
function refuseKey({ session }: Principal, message: string): void {
  if (session === undefined) throw new AppError('not_found', message);
}

async function findPasskey(
  { stores }: Pick<Dependencies, 'stores'>,
  personId: string,
  id: string,
): Promise<Passkey> {
  const passkey = await stores.passkeys.find(id);
  if (passkey?.personId === personId) return passkey;
  throw new AppError('not_found', 'You have no passkey with this id.');
}

/**
 * Removes a passkey. Throws `not_found` for an unknown passkey. Throws `in_use` if the passkey is the last way to sign
 * in, or a second factor that an account requires.
 */
export async function removePasskey(
  needs: Dependencies,
  principal: Principal,
  id: string,
): Promise<void> {
  refuseKey(principal, 'You have no passkey with this id.');
  const { person } = await requireProvedPerson(needs, principal);
  const { passkeys } = needs.stores;
  const passkey = await findPasskey(needs, person.id, id);
  const before = await readWays(needs, person);
  await removeWay(needs, person, {
    before,
    after: { ...before, passkeys: Math.max(0, before.passkeys - 1) },
    remove: () => passkeys.remove(person.id, id),
    restore: () => passkeys.add(passkey),
  });
  notifyOfChange(needs, person.email, 'passkeyRemoved');
}

/** Removes an identity. Throws `not_found` for an unknown identity, and `in_use` if it is the last way to sign in. */
export async function removeIdentity(
  needs: Dependencies,
  principal: Principal,
  providerId: string,
): Promise<void> {
  refuseKey(principal, 'You are not connected with this provider.');
  const { person } = await requireProvedPerson(needs, principal);
  const { identities } = needs.stores;
  const issuer = needs.signIn.providers.find(({ settings }) => settings.id === providerId)?.issuer;
  const ended = (await identities.listForPerson(person.id)).filter((one) => one.issuer === issuer);
  if (issuer === undefined || ended.length === 0)
    throw new AppError('not_found', 'You are not connected with this provider.');
  const before = await readWays(needs, person);
  await removeWay(needs, person, {
    before,
    after: { ...before, identities: before.identities - ended.length },
    remove: () => identities.remove(person.id, issuer),
    restore: () => Promise.all(ended.map(identities.add)),
  });
  notifyOfChange(needs, person.email, 'providerDisconnected');
}
