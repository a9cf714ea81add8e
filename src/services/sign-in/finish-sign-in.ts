/** The steps of a sign-in after the first factor, and sign-in with only a passkey. */
import type { SessionOrigin } from '../../models/accounts/sessions';
import { AppError } from '../../platform/errors';
import type { FactorProof, PasskeySignInBody } from '../../schemas/sign-in/bodies';
import {
  listSignInStepCounters,
  listTokenCounters,
  runThrottled,
  takeTries,
} from '../accounts/login-throttle';
import { recordFailedSignIn } from '../accounts/record-failed-sign-in';
import { findAskedStep, takeAskedStep } from '../factors/ask-second-factor';
import { createChallenge, requirePasskeys, verifyPasskey } from '../factors/passkey-challenges';
import { verifyFactor } from '../factors/verify-factor';
import type { Dependencies } from '../ports/dependencies';
import { chooseMembership, openSessionFor, type SignInOutcome } from '../sessions/open-session';

interface SecondFactor extends FactorProof {
  readonly token: string;
}

/**
 * Opens the session of a person who proves a second factor. A correct proof uses the sign-in step up, but a wrong proof
 * does not. Throws `invalid_token` and `rate_limited`.
 */
export async function proveSecondFactor(
  needs: Dependencies,
  { token, ...proof }: SecondFactor,
  origin: SessionOrigin,
): Promise<SignInOutcome> {
  const step = await runThrottled(needs, listTokenCounters(origin.address), () =>
    findAskedStep(needs, token),
  );
  const { personId, accountId, userId, proofs } = step;
  const clientIp = origin.address;
  await verifyFactor(needs, { personId, proof, clientIp }).catch((reason: unknown) => {
    const isWrong = reason instanceof AppError && reason.code === 'invalid_token';
    if (isWrong) recordFailedSignIn(needs, { personId, clientIp, by: 'second_factor' });
    throw reason;
  });
  await takeAskedStep(needs, token);
  const user = await needs.stores.users.find(accountId, userId);
  if (user === null)
    throw new AppError('invalid_token', 'You are no longer a member. Sign in again.');
  const nowMs = needs.clock.now();
  return openSessionFor(needs, user, origin, {
    ...proofs,
    provedAtMs: nowMs,
    secondFactorAtMs: nowMs,
  });
}

interface ChallengeRequest {
  /** The token of a step that asks for a second factor. undefined means that the passkey is the only factor. */
  readonly token: string | undefined;
  readonly clientIp: string;
}

/**
 * Creates a challenge. Throws `not_found` if browsers do not allow passkeys for the service's URL, and `rate_limited`.
 */
export async function challengePasskey(needs: Dependencies, { token, clientIp }: ChallengeRequest) {
  requirePasskeys(needs);
  await takeTries(needs, listSignInStepCounters(clientIp));
  if (token === undefined) return createChallenge(needs, null);
  const { personId } = await findAskedStep(needs, token);
  return createChallenge(needs, await needs.stores.passkeys.listForPerson(personId));
}

/**
 * Opens the session of the person whose passkey signed the challenge. The passkey counts as two factors, because the
 * authenticator has checked a PIN or a biometric feature. Throws `invalid_token` and `rate_limited`.
 */
export async function signInWithPasskey(
  needs: Dependencies,
  { staySignedIn, ...proof }: PasskeySignInBody,
  origin: SessionOrigin,
): Promise<SignInOutcome> {
  requirePasskeys(needs);
  return runThrottled(needs, listTokenCounters(origin.address), async () => {
    const passkey = await verifyPasskey(needs, { proof, mustVerifyUser: true });
    if (passkey === null)
      throw new AppError(
        'invalid_token',
        'This passkey was not accepted. Use one that you have added to Keepwatch, with its PIN or fingerprint.',
      );
    const person = await needs.stores.people.find(passkey.personId);
    if (person === null) throw new AppError('invalid_token', 'This person no longer exists.');
    const user = await chooseMembership(needs, person);
    const nowMs = needs.clock.now();
    return openSessionFor(needs, user, origin, {
      provedAtMs: nowMs,
      secondFactorAtMs: nowMs,
      staySignedIn,
    });
  });
}
