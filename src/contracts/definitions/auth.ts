/** The authentication of a request, which is a part of every definition. */

export const OAUTH_GRANTS = ['clientCredentials', 'password'] as const;
export type OAuthGrant = (typeof OAUTH_GRANTS)[number];

export const OAUTH_SEND_AS = ['header', 'body'] as const;

/**
 * The authentication of a request. A secret field contains one `{{secret:name}}` instead of the value. Other fields may
 * contain any reference.
 */
export type Auth =
  /** Basic authentication (RFC 7617). */
  | { readonly type: 'basic'; readonly user: string; readonly password: string }
  /** Digest authentication (RFC 7616). */
  | { readonly type: 'digest'; readonly user: string; readonly password: string }
  /** A bearer token (RFC 6750). */
  | { readonly type: 'bearer'; readonly token: string }
  /** OAuth 2.0 (RFC 6749). `tokenUrl` gets the credentials and returns a token, which is sent as in RFC 6750. */
  | {
      readonly type: 'oauth2';
      readonly grant: OAuthGrant;
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string | undefined;
      readonly audience?: string | undefined;
      /** The user name. It is used only with the grant `password`, like the password. */
      readonly user?: string | undefined;
      readonly password?: string | undefined;
      /** How the client authenticates itself: with a header (basic), or in the body. */
      readonly sendAs: (typeof OAUTH_SEND_AS)[number];
      /** Further parameters of the token request. */
      readonly extra?: Readonly<Record<string, string>> | undefined;
    }
  /** Signature Version 4 of AWS. */
  | {
      readonly type: 'sigv4';
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      /** The session token of temporary credentials. */
      readonly sessionToken?: string | undefined;
      readonly region: string;
      readonly service: string;
    }
  /** No authentication, even if the scenario of the step has one. */
  | { readonly type: 'none' };
