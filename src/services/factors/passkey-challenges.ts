/** Challenges for authenticators, and the verification of their responses. A challenge can be used once. */
import { SIGN_IN_STEP_MS } from '../../domain/accounts/second-factor-rules';
import type { Passkey } from '../../models/sign-in/passkeys';
import { AppError } from '../../platform/errors';
import type { PasskeyProof } from '../../schemas/sign-in/bodies';
import { hashToken } from '../accounts/api-key-format';
import type { Dependencies } from '../ports/dependencies';

const CHALLENGE_BYTES = 32;

/** Throws `not_found` if browsers do not allow passkeys for the service's URL. */
export function requirePasskeys({ signIn }: Pick<Dependencies, 'signIn'>): void {
  if (signIn.passkeys.isAvailable) return;
  throw new AppError(
    'not_found',
    'Passkeys need a public URL with https and a host name. Ask the operator of this installation.',
  );
}

interface ChallengeOptions {
  /** The token that must be sent with the response of the authenticator. */
  readonly token: string;
  /** The options for `navigator.credentials.get` or `create`. */
  readonly options: object;
}

/**
 * Creates a challenge.
 * @param passkeys The passkeys of a known person. null means that the browser offers every passkey of this host.
 */
export async function createChallenge(
  needs: Dependencies,
  passkeys: readonly Passkey[] | null,
): Promise<ChallengeOptions> {
  requirePasskeys(needs);
  const { token, challenge } = await storeChallenge(needs, 'passkey', null);
  const asked = { challenge, allowed: passkeys };
  return { token, options: await needs.signIn.passkeys.describeAuthentication(asked) };
}

/** Creates the challenge for a new passkey of the person. */
export async function createNewPasskeyChallenge(
  needs: Dependencies,
  person: { readonly id: string; readonly email: string },
): Promise<ChallengeOptions> {
  requirePasskeys(needs);
  const { token, challenge } = await storeChallenge(needs, 'new_passkey', person.id);
  const existing = await needs.stores.passkeys.listForPerson(person.id);
  const asked = { personId: person.id, email: person.email, challenge, existing };
  return { token, options: await needs.signIn.passkeys.describeRegistration(asked) };
}

async function storeChallenge(
  { stores, clock, randomBytes }: Dependencies,
  kind: 'passkey' | 'new_passkey',
  personId: string | null,
) {
  const token = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  await stores.signInSteps.create({
    hash: hashToken(token),
    kind,
    personId,
    detail: { challenge },
    expiresAtMs: clock.now() + SIGN_IN_STEP_MS,
  });
  return { token, challenge };
}

/** Returns the challenge of a token and uses it up. null if the token is unknown, expired or used. */
export async function takeChallenge(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  kind: 'passkey' | 'new_passkey',
  token: string,
): Promise<{ readonly challenge: string; readonly personId: string | null } | null> {
  const step = await stores.signInSteps.take(kind, hashToken(token), clock.now());
  const challenge = step?.detail['challenge'] ?? null;
  return step === null || challenge === null ? null : { challenge, personId: step.personId };
}

interface Verifying {
  readonly proof: PasskeyProof | undefined;
  /** True means that the passkey is the only factor, so the authenticator must check a PIN or a biometric feature. */
  readonly mustVerifyUser: boolean;
}

/**
 * Returns the passkey that signed the challenge, and records its use. Returns null if the proof is missing, or if its
 * challenge, passkey or signature is invalid.
 */
export async function verifyPasskey(
  needs: Dependencies,
  { proof, mustVerifyUser }: Verifying,
): Promise<Passkey | null> {
  if (proof === undefined) return null;
  const { stores, signIn, clock } = needs;
  const taken = await takeChallenge(needs, 'passkey', proof.token);
  const passkey = await stores.passkeys.find(proof.response.id);
  if (taken === null || passkey === null) return null;
  const { challenge } = taken;
  const { response } = proof;
  const asked = { response, challenge, passkey, mustVerifyUser };
  const counter = await signIn.passkeys.readAuthentication(asked);
  if (counter === null) return null;
  const change = { from: passkey.counter, to: counter, atMs: clock.now() };
  return (await stores.passkeys.use(passkey.id, change)) ? passkey : null;
}
