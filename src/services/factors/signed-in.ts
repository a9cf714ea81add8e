/** The signed-in person, and changes of the person's proofs of identity. */
import {
  hasFactor,
  isRecentProof,
  type SignInWays,
} from '../../domain/accounts/second-factor-rules';
import type { Person } from '../../models/accounts/people';
import { AppError } from '../../platform/errors';
import type { Principal } from '../accounts/principal';
import { runOrCompensate } from '../lists/run-or-compensate';
import type { Dependencies } from '../ports/dependencies';
import { replaceRecoveryCodes } from './recovery-codes';
import { readWays, requireWayLeft } from './sign-in-ways';

interface SignedIn {
  readonly person: Person;
  readonly session: NonNullable<Principal['session']>;
}

/** Returns the signed-in person. Throws `insufficient_scope` for an API key. */
export async function requirePerson(
  { stores }: Pick<Dependencies, 'stores'>,
  { personId, session }: Principal,
): Promise<SignedIn> {
  const person = personId === undefined ? null : await stores.people.find(personId);
  if (person === null || session === undefined)
    throw new AppError('insufficient_scope', 'API keys have no factors. Sign in to change yours.');
  return { person, session };
}

/** Like requirePerson. Throws `proof_required` unless the person has proved their identity recently. */
export async function requireProvedPerson(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  principal: Principal,
): Promise<SignedIn> {
  const signedIn = await requirePerson(needs, principal);
  if (isRecentProof(signedIn.session.provedAtMs ?? null, needs.clock.now())) return signedIn;
  throw new AppError(
    'proof_required',
    'Confirm first that it is you: with your password or a second factor, or by signing in again.',
  );
}

/**
 * Completes the addition of a factor. Records that the session has proved the factor, and ends all other sessions. If
 * the person had no recovery codes, creates and returns them. Otherwise, returns null.
 */
export async function finishFactor(
  needs: Dependencies,
  personId: string,
  sessionHash: string,
): Promise<readonly string[] | null> {
  const { stores, clock } = needs;
  const nowMs = clock.now();
  await stores.sessions.prove(sessionHash, { provedAtMs: nowMs, secondFactorAtMs: nowMs });
  await stores.sessions.removeOthers(personId, sessionHash);
  const hasCodes = (await stores.recoveryCodes.count(personId)) > 0;
  return hasCodes ? null : replaceRecoveryCodes(needs, personId);
}

interface Removal {
  readonly before: SignInWays;
  readonly after: SignInWays;
  readonly remove: () => Promise<unknown>;
  readonly restore: () => Promise<unknown>;
}

/**
 * Removes one way to sign in. Throws `in_use` for the last way, and for a second factor that is required. Parallel
 * removals never remove the last way.
 */
export async function removeWay(
  needs: Dependencies,
  person: Person,
  { before, after, remove, restore }: Removal,
): Promise<void> {
  await requireWayLeft(needs, person.id, { before, after });
  await remove();
  const left = await readWays(needs, person);
  await runOrCompensate(
    needs,
    () => requireWayLeft(needs, person.id, { before, after: left }),
    restore,
  );
  // Without any factor, the recovery codes are useless, because a recovery code can only replace a factor.
  if (!hasFactor(left)) await needs.stores.recoveryCodes.replace(person.id, []);
}
