/** The configuration of an identity provider in the settings of the installation. */
import type { ProviderRules } from './provider-claims';

/** Who may sign in with a password. `owners` means only people who own an account. */
export const PASSWORD_POLICIES = ['on', 'owners', 'off'] as const;

export type PasswordPolicy = (typeof PASSWORD_POLICIES)[number];

export interface SignInProviderSettings {
  /** The name of the provider in URLs. */
  readonly id: string;
  /** The name on the sign-in button. */
  readonly name: string;
  /** `github` means OAuth 2.0 without discovery and ID tokens. The person is read from GitHub's API. */
  readonly protocol: 'oidc' | 'github';
  /** The URL of the issuer. For `github`, the URL of the server. */
  readonly issuer: string;
  readonly clientId: string;
  /** The client secret. null means a public client, which only PKCE protects. */
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
  readonly rules: ProviderRules;
  /** The account that new people become members of. null means the first account of the installation. */
  readonly accountId: string | null;
}
