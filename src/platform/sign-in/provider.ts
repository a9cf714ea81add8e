/**
 * Identity providers: OpenID Connect Core 1.0 with the code flow, PKCE (RFC 7636), state and nonce, and GitHub's OAuth
 * 2.0.
 */
import type { ProviderClaims } from '../../domain/accounts/provider-claims';
import type { SignInProviderSettings } from '../../domain/accounts/sign-in-provider';
import type { Clock } from '../clock';
import type { IssuerRequestOptions } from './issuer-requests';

/** Values that bind an authorization response to the browser. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

export type ProviderReading =
  | { readonly kind: 'claims'; readonly claims: ProviderClaims }
  /** The person declined at the provider's page. */
  | { readonly kind: 'declined' }
  /** The provider's response is not valid for this sign-in. The reason is for the log. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The provider cannot be reached, or its documents are unusable. */
  | { readonly kind: 'away'; readonly reason: string };

export type ProviderStart =
  | { readonly kind: 'redirect'; readonly url: string }
  | Extract<ProviderReading, { readonly kind: 'away' }>;

/**
 * A valid logout token (OpenID Connect Back-Channel Logout 1.0 §2.4). At least one of `subject` and `providerSession`
 * is set.
 */
export interface LogoutClaims {
  readonly subject: string | null;
  readonly providerSession: string | null;
  /** The id of the token, unique per issuer. */
  readonly tokenId: string;
  readonly expiresAtMs: number;
}

export type LogoutReading =
  | { readonly kind: 'logout'; readonly logout: LogoutClaims }
  | Extract<ProviderReading, { readonly kind: 'refused' | 'away' }>;

/** A provider. None of its functions rejects. */
export interface SignInProvider {
  readonly settings: SignInProviderSettings;
  /** The issuer of the subjects. It never changes. */
  readonly issuer: string;
  /** Returns the URL of the provider's page at which the person signs in. */
  readonly start: (redirectUri: string, secrets: FlowSecrets) => Promise<ProviderStart>;
  /** @param callbackUrl The redirect URI, with the query that the provider added. */
  readonly finish: (callbackUrl: URL, secrets: FlowSecrets) => Promise<ProviderReading>;
  readonly readLogoutToken: (token: string) => Promise<LogoutReading>;
}

export interface ProviderOptions extends IssuerRequestOptions {
  readonly clock: Clock;
}
