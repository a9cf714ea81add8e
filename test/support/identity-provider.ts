/**
 * A real OpenID Connect provider on loopback (oidc-provider), and a browser that signs in there. A test can alter the
 * provider's tokens and documents.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type Configuration, Provider } from 'oidc-provider';
import { listenOnLoopback } from './loopback-server';

export const CLIENT_ID = 'keepwatch';
export const CLIENT_SECRET = 'secret-of-the-client-in-tests';
const KEY_ID = 'key-of-the-provider';

export type Claims = Record<string, unknown>;

interface Altered {
  readonly claims: Claims;
  readonly header?: Claims;
  /** The key for the signature. null means no signature, undefined means the key of the provider. */
  readonly key?: KeyObject | null;
}

export interface IdentityProvider {
  readonly url: string;
  /** The claims of each person, by subject. */
  readonly people: Map<string, Claims>;
  /** Handlers that replace the provider's response, by path. */
  readonly overrides: Map<string, RequestListener>;
  /** Changes the next ID tokens. null means that they stay as they are. */
  alterToken: ((claims: Claims) => Altered) | null;
  /** The paths of the requests, in order. */
  readonly asked: string[];
  /** Signs a token as the provider does. */
  readonly sign: (claims: Claims, header?: Claims, key?: KeyObject | null) => string;
  /** Signs in at the page. Resolves to the URL to which the provider sends the browser back. */
  readonly visit: (url: string, subject: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function startIdentityProvider(
  redirectUris: readonly string[],
): Promise<IdentityProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const people = new Map<string, Claims>();
  const overrides = new Map<string, RequestListener>();
  const asked: string[] = [];
  let respond: RequestListener = (_request, response) => response.end();
  const { url, close } = await listenOnLoopback(createServer((...args) => respond(...args)));
  const signWith = (claims: Claims, header: Claims = {}, key: KeyObject | null = privateKey) =>
    signToken(claims, header, key);
  const self: IdentityProvider = {
    url,
    people,
    overrides,
    alterToken: null,
    asked,
    sign: signWith,
    visit: visitPage,
    close,
  };
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const provider = new Provider(url, configure({ redirectUris, people, jwk }));
  const serve = provider.callback();
  respond = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    asked.push(pathname);
    const override = overrides.get(pathname);
    if (override !== undefined) return override(request, response);
    if (pathname.startsWith('/interaction/')) {
      const login = { accountId: searchParams.get('subject') ?? '' };
      void provider.interactionFinished(request, response, { login });
      return;
    }
    if (pathname === '/token') alterResponse(response, self, signWith);
    void serve(request, response);
  };
  return self;
}

interface Configuring {
  readonly redirectUris: readonly string[];
  readonly people: ReadonlyMap<string, Claims>;
  readonly jwk: object;
}

function configure({ redirectUris, people, jwk }: Configuring): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: ['for-tests-only'] },
    jwks: { keys: [jwk] },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'groups', 'amr'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: async (_context, subject) => ({
      accountId: subject,
      claims: async () => ({ ...people.get(subject), sub: subject }),
    }),
    loadExistingGrant: async (context) => {
      const accountId = context.oidc.session?.accountId;
      const clientId = context.oidc.client?.clientId;
      if (accountId === undefined || clientId === undefined) return undefined;
      const grant = new context.oidc.provider.Grant({ accountId, clientId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  };
}

/** Rewrites the ID token of the response if the test has set `alterToken`. */
function alterResponse(
  response: ServerResponse,
  provider: IdentityProvider,
  signWith: IdentityProvider['sign'],
): void {
  const end = response.end.bind(response);
  const replace = (body: unknown): ServerResponse => {
    const { alterToken } = provider;
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '';
    if (alterToken === null || !text.includes('id_token')) return end(text);
    const parsed: Claims = JSON.parse(text);
    const [, payload = ''] = String(parsed['id_token']).split('.');
    const claims: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const altered = alterToken(claims);
    const token = signWith(altered.claims, altered.header, altered.key);
    const changed = JSON.stringify({ ...parsed, id_token: token });
    response.setHeader('Content-Length', Buffer.byteLength(changed));
    return end(changed);
  };
  response.end = replace as typeof response.end;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signToken(claims: Claims, header: Claims, key: KeyObject | null): string {
  const signed = `${encode({ alg: 'RS256', kid: KEY_ID, typ: 'JWT', ...header })}.${encode(claims)}`;
  const signature =
    key === null ? '' : sign('sha256', Buffer.from(signed), key).toString('base64url');
  return `${signed}.${signature}`;
}

const REDIRECTS_MAX = 10;

/** Opens the page and follows redirects on the host of the provider, with its cookies. */
async function visitPage(url: string, subject: string): Promise<string> {
  const { host } = new URL(url);
  const cookies = new Map<string, string>();
  let next = new URL(url);
  for (let times = 0; times < REDIRECTS_MAX; times += 1) {
    if (next.host !== host) return next.href;
    if (next.pathname.startsWith('/interaction/')) next.searchParams.set('subject', subject);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${next.pathname}: ${await response.text()}`);
    next = new URL(location, next);
  }
  throw new Error('the provider never sends the browser back');
}
