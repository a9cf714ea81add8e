/** The rules for second factors and for recent proofs of identity. */

/** The ways to prove a second factor. */
export const FACTOR_METHODS = ['code', 'passkey', 'recoveryCode'] as const;

export type FactorMethod = (typeof FACTOR_METHODS)[number];

const MINUTE_MS = 60_000;

/** After a proof of identity, a person may change their sign-in for this long. */
export const RECENT_PROOF_MS = 15 * MINUTE_MS;

/** The time that a person has for one step of a sign-in. */
export const SIGN_IN_STEP_MS = 10 * MINUTE_MS;

export const PASSKEYS_MAX = 20;

/** The credentials with which a person can sign in. */
export interface SignInWays {
  /** True if a password is set and may be used. */
  readonly hasPassword: boolean;
  /** The number of the person's identities at configured providers. */
  readonly identities: number;
  readonly passkeys: number;
  readonly hasCodeApp: boolean;
}

/** True if the person can sign in. An authenticator app alone is not enough. */
export function canSignIn({ hasPassword, identities, passkeys }: SignInWays): boolean {
  return hasPassword || identities > 0 || passkeys > 0;
}

/**
 * True if the person has a second factor. Recovery codes do not count, because a recovery code only replaces another
 * factor.
 */
export function hasFactor({ passkeys, hasCodeApp }: SignInWays): boolean {
  return passkeys > 0 || hasCodeApp;
}

/** True if the proof of identity is recent enough to change how the person signs in. */
export function isRecentProof(provedAtMs: number | null, nowMs: number): boolean {
  return provedAtMs !== null && nowMs < provedAtMs + RECENT_PROOF_MS;
}
