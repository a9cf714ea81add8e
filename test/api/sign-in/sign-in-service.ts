/** Opens a service that is set up. Several sign-in providers lead to one real identity provider. */
import { randomUUID } from 'node:crypto';
import request from 'supertest';
import type { ProviderRules } from '../../../src/domain/accounts/provider-claims';
import type { MemberRole } from '../../../src/domain/accounts/roles';
import type { SignInProviderSettings } from '../../../src/domain/accounts/sign-in-provider';
import { createPasskeys } from '../../../src/platform/sign-in/passkeys';
import { createProviders } from '../../../src/platform/sign-in/providers';
import type { Dependencies } from '../../../src/services/ports/dependencies';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Claims,
  type IdentityProvider,
  startIdentityProvider,
} from '../../support/identity-provider';
import { openTestService, PUBLIC_URL, SETUP_TOKEN, type TestService } from '../test-service';

export const PASSWORD = 'a long password for the tests';
export const OWNER = 'first-owner@example.com';

export const RULES: ProviderRules = {
  roleClaim: null,
  roles: new Map(),
  defaultRole: 'viewer',
  allowedDomains: [],
  domainClaim: null,
  areEmailsTrusted: false,
  isSecondFactorTrusted: false,
};
const ROLES = new Map<string, MemberRole>([
  ['kw-owners', 'owner'],
  ['kw-admins', 'admin'],
  ['kw-editors', 'editor'],
]);

/** The rules of each provider. All providers lead to the same server. */
const PROVIDERS: Readonly<Record<string, Partial<ProviderRules>>> = {
  company: {},
  roles: { roleClaim: 'groups', roles: ROLES, defaultRole: null },
  domain: { allowedDomains: ['example.com'] },
  invited: { defaultRole: null },
  away: {},
  impostor: {},
};

const callbackUrl = (id: string): string => `${PUBLIC_URL}/v1/sign-in/oidc/${id}/callback`;

export interface SignInService {
  readonly service: TestService;
  readonly provider: IdentityProvider;
  readonly signIn: Dependencies['signIn'];
  readonly accountId: string;
  readonly close: () => Promise<void>;
}

export async function openSignInService(): Promise<SignInService> {
  const provider = await startIdentityProvider(Object.keys(PROVIDERS).map(callbackUrl));
  const clock = { now: () => service.clock.nowMs };
  const settings = Object.entries(PROVIDERS).map(
    ([id, rules]): SignInProviderSettings => ({
      id,
      name: `Example ${id}`,
      protocol: 'oidc',
      issuer: id === 'away' ? 'http://127.0.0.1:1' : provider.url,
      clientId: CLIENT_ID,
      clientSecret: id === 'impostor' ? 'not-the-secret' : CLIENT_SECRET,
      scopes: ['openid', 'email'],
      rules: { ...RULES, ...rules },
      accountId: null,
    }),
  );
  const signIn = {
    passwords: 'on',
    providers: createProviders(settings, { clock }),
    passkeys: createPasskeys('http://localhost'),
  } as const;
  const service: TestService = await openTestService({ signIn });
  const set = await request(service.app)
    .post('/v1/setup')
    .send({ setupToken: SETUP_TOKEN, accountName: 'First', email: OWNER, password: PASSWORD });
  const close = async (): Promise<void> => {
    await provider.close();
    await service.close();
  };
  return { service, provider, signIn, accountId: set.body.account.id, close };
}

/** Adds a new person at the provider. Each test has its own person. */
export function addPerson({ provider }: SignInService, claims: Claims = {}) {
  const subject = `person-${randomUUID()}`;
  const email = `${subject}@example.com`;
  provider.people.set(subject, { email, email_verified: true, ...claims });
  return { subject, email };
}

export function readCookie(headers: Record<string, unknown>, name: string): string | null {
  const lines = [headers['set-cookie'] ?? []].flat().map(String);
  const line = lines.find((one) => one.startsWith(`${name}=`) && !one.startsWith(`${name}=;`));
  return line?.split(';')[0] ?? null;
}

export interface Begun {
  readonly location: string;
  /** The cookie that binds the flow to the browser. */
  readonly cookie: string;
}

/** Begins a sign-in, as a browser does. */
export async function begin(
  { service }: Pick<SignInService, 'service'>,
  id: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Begun> {
  const started = await request(service.app)
    .get(`/v1/sign-in/oidc/${id}/start${query}`)
    .set(headers);
  const { location } = started.headers;
  return {
    location: String(location),
    cookie: readCookie(started.headers, 'keepwatch_sign_in') ?? '',
  };
}

/** Returns from the provider to the service with this cookie. */
export async function comeBack(
  { service }: Pick<SignInService, 'service'>,
  url: string,
  cookie: string,
) {
  const { pathname, search } = new URL(url);
  return request(service.app).get(`${pathname}${search}`).set('Cookie', cookie);
}

/** Signs in through the provider as a browser does, from beginning to end. */
export async function signInAt(all: SignInService, id: string, subject: string, query = '') {
  const begun = await begin(all, id, query);
  const back = await all.provider.visit(begun.location, subject);
  return comeBack(all, back, begun.cookie);
}

/** Returns the reason of a failed sign-in. null if the sign-in succeeded. */
export function readFailure(headers: Record<string, unknown>): string | null {
  return new URL(String(headers['location']), PUBLIC_URL).searchParams.get('failed');
}
