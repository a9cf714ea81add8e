/** Asks for a second factor after the first factor was proved and before the session is created. */
import { SIGN_IN_STEP_MS } from '../../domain/accounts/second-factor-rules';
import type { SessionProofs } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { SecondFactorAsked } from '../../schemas/responses/sign-in';
import { hashToken } from '../accounts/api-key-format';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { listMethods } from './verify-factor';

const TOKEN_BYTES = 32;

/** Asks for a second factor. Returns null if the person has no second factor. */
export async function askSecondFactor(
  needs: Pick<Dependencies, 'stores' | 'signIn' | 'clock' | 'randomBytes'>,
  { personId, accountId, id }: Pick<User, 'personId' | 'accountId' | 'id'>,
  { issuer, providerSession, boundTo, staySignedIn }: SessionProofs,
): Promise<SecondFactorAsked | null> {
  const methods = await listMethods(needs, personId);
  if (methods.length === 0) return null;
  const { stores, clock, randomBytes } = needs;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAtMs = clock.now() + SIGN_IN_STEP_MS;
  await stores.signInSteps.create({
    hash: hashToken(token),
    kind: 'second_factor',
    personId,
    detail: {
      accountId,
      userId: id,
      issuer: issuer ?? null,
      providerSession: providerSession ?? null,
      boundTo: boundTo ?? null,
      staySignedIn: staySignedIn === true ? 'true' : null,
    },
    expiresAtMs,
  });
  return { secondFactor: { token, methods: [...methods], expiresAt: toInstant(expiresAtMs) } };
}

interface AskedStep {
  readonly personId: string;
  readonly accountId: string;
  readonly userId: string;
  /** Proofs of the first factor, and the choice to stay signed in. */
  readonly proofs: Pick<SessionProofs, 'issuer' | 'providerSession' | 'boundTo' | 'staySignedIn'>;
}

/**
 * Finds the sign-in step that waits for a second factor. Does not use the step up, so that a person can correct a wrong
 * code. Throws `invalid_token`.
 */
export async function findAskedStep(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  token: string,
): Promise<AskedStep> {
  const step = await stores.signInSteps.find('second_factor', hashToken(token), clock.now());
  const { accountId = null, userId = null } = step?.detail ?? {};
  const { issuer, providerSession, boundTo, staySignedIn } = step?.detail ?? {};
  const personId = step?.personId ?? null;
  if (personId === null || accountId === null || userId === null) throw expired();
  const proofs = {
    ...(issuer != null && { issuer }),
    ...(providerSession != null && { providerSession }),
    ...(boundTo != null && { boundTo }),
    ...(staySignedIn === 'true' && { staySignedIn: true }),
  };
  return { personId, accountId, userId, proofs };
}

/** Uses the step up. Only one of several parallel callers succeeds. The others get `invalid_token`. */
export async function takeAskedStep(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  token: string,
): Promise<void> {
  const step = await stores.signInSteps.take('second_factor', hashToken(token), clock.now());
  if (step === null) throw expired();
}

function expired(): AppError {
  return new AppError('invalid_token', 'This sign-in has expired. Start again.');
}
