/** How a request proves who sends it: a part of every definition. */

export const OAUTH_GRANTS = ['clientCredentials', 'password'] as const;
export type OAuthGrant = (typeof OAUTH_GRANTS)[number];

export const OAUTH_SEND_AS = ['header', 'body'] as const;

/**
 * How a request proves who sends it. A secret field holds one `{{secret:name}}`, and never a value; the others may hold
 * any reference.
 */
export type Auth =
  /** RFC 7617. */
  | { readonly type: 'basic'; readonly user: string; readonly password: string }
  /** RFC 7616. */
  | { readonly type: 'digest'; readonly user: string; readonly password: string }
  /** RFC 6750. */
  | { readonly type: 'bearer'; readonly token: string }
  /** RFC 6749: a token that is fetched at `tokenUrl`, where the credentials go, and then sent as one of RFC 6750. */
  | {
      readonly type: 'oauth2';
      readonly grant: OAuthGrant;
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string | undefined;
      readonly audience?: string | undefined;
      /** Of the grant `password`, as is its password. */
      readonly user?: string | undefined;
      readonly password?: string | undefined;
      /** How the client proves itself: by a header (basic), or in the body. */
      readonly sendAs: (typeof OAUTH_SEND_AS)[number];
      /** Further parameters of the token request. */
      readonly extra?: Readonly<Record<string, string>> | undefined;
    }
  /** Signature Version 4 of AWS. */
  | {
      readonly type: 'sigv4';
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      /** Of temporary credentials. */
      readonly sessionToken?: string | undefined;
      readonly region: string;
      readonly service: string;
    }
  /** Of a step: it does without that of its scenario. */
  | { readonly type: 'none' };
