/**
 * Sign-in through GitHub's OAuth 2.0, which has no discovery, ID tokens or logout. The person's data is read from
 * GitHub's API with an access token, which only the holder of the client secret gets.
 */
import { z } from 'zod';
import type { ProviderClaims } from '../../domain/accounts/provider-claims';
import type { SignInProviderSettings } from '../../domain/accounts/sign-in-provider';
import { createIssuerRequests, IssuerAway, type SendToIssuer } from './issuer-requests';
import { readReason, toFetch, toReading } from './openid-provider';
import type { ProviderOptions, ProviderReading, ProviderStart, SignInProvider } from './provider';

const PUBLIC_SERVER = 'https://github.com';
const PAGE = 'per_page=100';

const userShape = z.looseObject({ id: z.int().positive() });
const emailsShape = z.array(
  z.looseObject({ email: z.string(), verified: z.boolean(), primary: z.boolean() }),
);
const teamsShape = z.array(
  z.looseObject({ slug: z.string(), organization: z.looseObject({ login: z.string() }) }),
);

export function createGithubProvider(
  settings: SignInProviderSettings,
  options: ProviderOptions,
): SignInProvider {
  const { issuer: server } = settings;
  const send = createIssuerRequests(server, options);
  const issuer = `${server}/login/oauth`;
  return {
    settings,
    issuer,
    async start(redirectUri, { state, verifier }): Promise<ProviderStart> {
      try {
        const { library, config } = await connect(settings, issuer, send);
        const url = library.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: settings.scopes.join(' '),
          state,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { kind: 'redirect', url: url.href };
      } catch (error) {
        return { kind: 'away', reason: readReason(error) };
      }
    },
    async finish(callbackUrl, { state, verifier }): Promise<ProviderReading> {
      if (callbackUrl.searchParams.get('error') === 'access_denied') return { kind: 'declined' };
      try {
        const { library, config } = await connect(settings, issuer, send);
        const { access_token: token } = await library.authorizationCodeGrant(config, callbackUrl, {
          expectedState: state,
          pkceCodeVerifier: verifier,
        });
        return { kind: 'claims', claims: await readPerson(settings, send, token) };
      } catch (error) {
        return toReading(error);
      }
    },
    readLogoutToken: async () => ({ kind: 'refused', reason: 'GitHub sends no logout tokens' }),
  };
}

async function connect(settings: SignInProviderSettings, issuer: string, send: SendToIssuer) {
  const library = await import('openid-client');
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/access_token`,
  };
  const { clientId, clientSecret } = settings;
  const prove = library.ClientSecretPost(clientSecret ?? '');
  const config = new library.Configuration(metadata, clientId, undefined, prove);
  config[library.customFetch] = toFetch(send);
  if (issuer.startsWith('http:')) library.allowInsecureRequests(config);
  return { library, config };
}

/** Returns claims with the names of OpenID Connect, and `teams` in the form `organization/team`. */
async function readPerson(
  settings: SignInProviderSettings,
  send: SendToIssuer,
  token: string,
): Promise<ProviderClaims> {
  const { issuer: server, rules } = settings;
  const api = server === PUBLIC_SERVER ? 'https://api.github.com' : `${server}/api/v3`;
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' };
  const read = async <Shape>(path: string, shape: z.ZodType<Shape>): Promise<Shape> => {
    const { status, text } = await send(`${api}${path}`, { headers });
    const found = shape.safeParse(status === 200 ? JSON.parse(text) : null);
    if (!found.success) throw new IssuerAway(`${api}${path} responds with ${status}`);
    return found.data;
  };
  const { id } = await read('/user', userShape);
  const emails = await read(`/user/emails?${PAGE}`, emailsShape);
  const email = chooseEmail(emails, rules.allowedDomains);
  const claims = { sub: String(id), email: email?.email, email_verified: email?.verified };
  if (rules.roleClaim === null) return claims;
  const teams = await read(`/user/teams?${PAGE}`, teamsShape);
  return { ...claims, teams: teams.map(({ slug, organization: { login } }) => `${login}/${slug}`) };
}

type Email = z.output<typeof emailsShape>[number];

/** Returns the verified address in an allowed domain. If there is none, returns the primary address. */
function chooseEmail(emails: readonly Email[], domains: readonly string[]): Email | undefined {
  const primaryFirst = emails.toSorted((a, b) => Number(b.primary) - Number(a.primary));
  const isAllowed = ({ email, verified }: Email): boolean =>
    verified && domains.some((domain) => email.toLowerCase().endsWith(`@${domain}`));
  return primaryFirst.find(isAllowed) ?? primaryFirst[0];
}
