/** The rules of second factors and of proofs of identity. */

/** The ways to prove a second factor. */
export const FACTOR_METHODS = ['code', 'passkey', 'recoveryCode'] as const;

export type FactorMethod = (typeof FACTOR_METHODS)[number];

const MINUTE_MS = 60_000;

/** After a proof of identity, a person may change their sign-in for this long. */
export const RECENT_PROOF_MS = 15 * MINUTE_MS;

/** The time that a person has for one step of a sign-in. */
export const SIGN_IN_STEP_MS = 10 * MINUTE_MS;

export const PASSKEYS_MAX = 20;

/** The ways in which a person can sign in. */
export interface SignInWays {
  /** A password is set and may be used. */
  readonly hasPassword: boolean;
  /** Identities at providers that are set up. */
  readonly identities: number;
  readonly passkeys: number;
  readonly hasCodeApp: boolean;
}

/** True if the person could still sign in. An authenticator app alone is not enough. */
export function canSignIn({ hasPassword, identities, passkeys }: SignInWays): boolean {
  return hasPassword || identities > 0 || passkeys > 0;
}

/** Recovery codes do not count: they only replace a second factor. */
export function hasFactor({ passkeys, hasCodeApp }: SignInWays): boolean {
  return passkeys > 0 || hasCodeApp;
}

/** True if the proof is recent enough for changes of the person's ways to sign in. */
export function isRecentProof(provedAtMs: number | null, nowMs: number): boolean {
  return provedAtMs !== null && nowMs < provedAtMs + RECENT_PROOF_MS;
}
