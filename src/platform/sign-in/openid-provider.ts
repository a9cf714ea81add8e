/**
 * One provider of OpenID Connect. Its documents are read for each sign-in, so that rotated keys take effect at once.
 */
import { createRemoteJWKSet, customFetch as fetchKeys, jwtVerify } from 'jose';
import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import { z } from 'zod';
import type { ProviderClaims } from '../../domain/accounts/provider-claims';
import type { SignInProviderSettings } from '../../domain/accounts/sign-in-provider';
import { createIssuerRequests, IssuerAway, type SendToIssuer } from './issuer-requests';
import type {
  LogoutReading,
  ProviderOptions,
  ProviderReading,
  ProviderStart,
  SignInProvider,
} from './provider';

/** Maximum difference between the provider's clock and ours. */
const SKEW_SECONDS = 60;
/** The maximum age of a logout token (Back-Channel Logout §2.4 recommends that tokens expire after two minutes). */
const LOGOUT_AGE_MAX_SECONDS = 300;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Accepted algorithms, which are all asymmetric (RFC 8725 §3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];

type Library = typeof import('openid-client');

const loadLibrary = (): Promise<Library> => import('openid-client');

interface Connected {
  readonly library: Library;
  readonly config: Configuration;
}

export function createOpenIdProvider(
  settings: SignInProviderSettings,
  options: ProviderOptions,
): SignInProvider {
  const { issuer } = settings;
  const send = createIssuerRequests(issuer, options);
  const connect = () => discover(settings, options, send);
  return {
    settings,
    issuer,
    async start(redirectUri, { state, nonce, verifier }): Promise<ProviderStart> {
      try {
        const { library, config } = await connect();
        const url = library.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: settings.scopes.join(' '),
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { kind: 'redirect', url: url.href };
      } catch (error) {
        return { kind: 'away', reason: readReason(error) };
      }
    },
    async finish(callbackUrl, { state, nonce, verifier }): Promise<ProviderReading> {
      if (callbackUrl.searchParams.get('error') === 'access_denied') return { kind: 'declined' };
      try {
        const connected = await connect();
        const tokens = await connected.library.authorizationCodeGrant(
          connected.config,
          callbackUrl,
          { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        );
        const claims: ProviderClaims = { ...tokens.claims() };
        return {
          kind: 'claims',
          claims: await addUserInfo(settings, connected, { claims, tokens }),
        };
      } catch (error) {
        return toReading(error);
      }
    },
    readLogoutToken: (token) => readLogoutToken(settings, { options, send, connect }, token),
  };
}

/** Reads the provider's documents. Throws IssuerAway if they name another issuer or have no usable endpoints. */
async function discover(
  settings: SignInProviderSettings,
  { clock }: ProviderOptions,
  send: SendToIssuer,
): Promise<Connected> {
  const { issuer, clientId, clientSecret } = settings;
  const library = await loadLibrary();
  const metadata = await readMetadata(issuer, send);
  const skew = Math.round((clock.now() - Date.now()) / 1000);
  const client = { [library.clockSkew]: skew, [library.clockTolerance]: SKEW_SECONDS };
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const prove =
    clientSecret === null
      ? library.None()
      : methods.includes('client_secret_basic')
        ? library.ClientSecretBasic(clientSecret)
        : library.ClientSecretPost(clientSecret);
  const config = new library.Configuration(metadata, clientId, client, prove);
  config[library.customFetch] = toFetch(send);
  if (issuer.startsWith('http:')) library.allowInsecureRequests(config);
  // By default, the library does not check the signature of an ID token that comes directly from the token endpoint.
  // This call turns the check on.
  library.enableNonRepudiationChecks(config);
  return { library, config };
}

const discovery = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  jwks_uri: z.url({ protocol: /^https?$/ }),
  userinfo_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

async function readMetadata(issuer: string, send: SendToIssuer): Promise<ServerMetadata> {
  const url = `${issuer}/.well-known/openid-configuration`;
  const { status, text } = await send(url);
  const found = discovery.safeParse(status === 200 ? parseJson(text) : null);
  // A final slash is ignored, because the name that an issuer gives itself may end with a slash that the setting does
  // not have.
  if (!found.success || found.data.issuer.replace(/\/$/, '') !== issuer)
    throw new IssuerAway(`${url} does not describe this issuer`);
  const { data } = found;
  const isSafe = !issuer.startsWith('https:') || data.authorization_endpoint.startsWith('https:');
  if (!isSafe) throw new IssuerAway(`${url} names a page that is not served over https`);
  // Removes undefined fields, because the library requires such fields to be absent.
  return JSON.parse(JSON.stringify(data));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function toFetch(send: SendToIssuer): CustomFetch {
  return async (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? undefined : bodyText(body);
    const {
      status,
      headers: received,
      text: content,
    } = await send(url, {
      method,
      headers,
      ...(text === undefined ? {} : { body: text }),
    });
    const type = received['content-type'];
    return new Response(content === '' ? null : content, {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  };
}

function bodyText(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new Error('a request to an issuer has a body that is not a form');
}

interface Granted {
  readonly claims: ProviderClaims;
  readonly tokens: { readonly access_token: string };
}

/**
 * If the ID token lacks the address or the role claim, adds the claims of the user info, where many providers put them.
 * The user info must have the same subject as the token.
 */
async function addUserInfo(
  { rules }: SignInProviderSettings,
  { library, config }: Connected,
  { claims, tokens }: Granted,
): Promise<ProviderClaims> {
  const [roleName = ''] = rules.roleClaim?.split('.') ?? [];
  const needed = ['email', ...(roleName === '' ? [] : [roleName])];
  const isComplete = needed.every((name) => name in claims);
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  const info = await library.fetchUserInfo(config, tokens.access_token, String(claims['sub']));
  // The claims of the ID token take precedence, because the token is signed.
  return { ...info, ...claims };
}

interface LogoutNeeds {
  readonly options: ProviderOptions;
  readonly send: SendToIssuer;
  readonly connect: () => Promise<Connected>;
}

const logoutShape = z.looseObject({
  sub: z.string().min(1).max(255).optional(),
  sid: z.string().min(1).max(255).optional(),
  jti: z.string().min(1).max(255),
  exp: z.number(),
  events: z.looseObject({ [LOGOUT_EVENT]: z.looseObject({}) }),
});

async function readLogoutToken(
  { clientId }: SignInProviderSettings,
  { options, send, connect }: LogoutNeeds,
  token: string,
): Promise<LogoutReading> {
  try {
    const { config } = await connect();
    const { issuer, jwks_uri: keysUrl = '' } = config.serverMetadata();
    const keys = createRemoteJWKSet(new URL(keysUrl), { [fetchKeys]: toKeysFetch(send) });
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      typ: 'logout+jwt',
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: LOGOUT_AGE_MAX_SECONDS,
      currentDate: new Date(options.clock.now()),
      requiredClaims: ['exp', 'iat', 'jti', 'events'],
    });
    // A token with a nonce is an ID token and not a logout token, so the schema refuses a nonce.
    const read = logoutShape.safeParse(payload);
    const { sub: subject = null, sid: providerSession = null } = read.data ?? {};
    if (!read.success || 'nonce' in payload || (subject === null && providerSession === null))
      return { kind: 'refused', reason: 'it is not a logout token' };
    const { jti: tokenId, exp } = read.data;
    const expiresAtMs = (exp + SKEW_SECONDS) * 1000;
    return { kind: 'logout', logout: { subject, providerSession, tokenId, expiresAtMs } };
  } catch (error) {
    const reading = toReading(error);
    return reading.kind === 'away' ? reading : { kind: 'refused', reason: readReason(error) };
  }
}

function toKeysFetch(send: SendToIssuer) {
  return async (url: string): Promise<Response> => {
    const { status, text } = await send(url);
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
}

/** Converts an error. If one of our own requests failed, the provider counts as unreachable. */
export function toReading(error: unknown): Exclude<ProviderReading, { readonly kind: 'claims' }> {
  const reason = readReason(error);
  return { kind: isAway(error) ? 'away' : 'refused', reason };
}

function isAway(error: unknown): boolean {
  if (error instanceof IssuerAway) return true;
  return error instanceof Error && error.cause !== undefined && isAway(error.cause);
}

export function readReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'error' in error && typeof error.error === 'string' ? ` (${error.error})` : '';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${code}${cause}`;
}
