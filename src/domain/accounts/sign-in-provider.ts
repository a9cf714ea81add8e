/** The shape of an identity provider, as the settings of the installation describe it. */
import type { ProviderRules } from './provider-claims';

/** The people who may sign in with a password. `owners`: only people who own an account. */
export const PASSWORD_POLICIES = ['on', 'owners', 'off'] as const;

export type PasswordPolicy = (typeof PASSWORD_POLICIES)[number];

export interface SignInProviderSettings {
  /** Names the provider in URLs. */
  readonly id: string;
  /** The name on the button. */
  readonly name: string;
  /** `github`: OAuth 2.0 without discovery and ID tokens; the person is read from GitHub's API. */
  readonly protocol: 'oidc' | 'github';
  /** The URL of the issuer; for `github`, the URL of the server. */
  readonly issuer: string;
  readonly clientId: string;
  /** null means a public client, protected by PKCE only. */
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
  readonly rules: ProviderRules;
  /**
   * The account that new people become members of. null means the first account of the
   * installation.
   */
  readonly accountId: string | null;
}
