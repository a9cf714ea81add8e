/** Tests the settings for signing in: identity providers and their presets, and who may use a password. */
import { readSettings, SettingsError } from '../../src/config/settings';

const SERVERS = {
  MONGODB_URI: 'mongodb://127.0.0.1/x',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  KEEPWATCH_SECRET_KEY: 'a'.repeat(64),
};
const SECRET = 'a-secret-of-the-client';
const TENANT = '01234567-89ab-cdef-0123-456789abcdef';

const read = (providers: unknown, others: Record<string, string> = {}) =>
  readSettings('api', {
    ...SERVERS,
    KEEPWATCH_SIGN_IN_PROVIDERS:
      typeof providers === 'string' ? providers : JSON.stringify(providers),
    ...others,
  });

function problemsOf(providers: unknown, others: Record<string, string> = {}): readonly string[] {
  try {
    read(providers, others);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

const CLIENT = { clientId: 'keepwatch', clientSecret: SECRET };

test('without sign-in settings, everyone signs in with a password and there are no providers', () => {
  const settings = readSettings('api', SERVERS);
  expect(settings.KEEPWATCH_SIGN_IN_PROVIDERS).toEqual([]);
  expect(settings.KEEPWATCH_PASSWORDS).toBe('on');
});

test('presets of sign-in providers fill in names, issuers and scopes', () => {
  const { KEEPWATCH_SIGN_IN_PROVIDERS: providers } = read([
    { preset: 'google', ...CLIENT, allowedDomains: ['Example.com'], defaultRole: 'viewer' },
    { preset: 'github', ...CLIENT, roleClaim: 'teams', roles: { 'acme/ops': 'admin' } },
    { preset: 'microsoft', tenant: TENANT, ...CLIENT, trustEmail: true },
    { id: 'company', name: 'Example SSO', issuer: 'https://sso.example.com/', ...CLIENT },
  ]);
  expect(providers).toMatchObject([
    {
      id: 'google',
      name: 'Google',
      issuer: 'https://accounts.google.com',
      scopes: ['openid', 'email'],
      rules: { allowedDomains: ['example.com'], domainClaim: 'hd', defaultRole: 'viewer' },
    },
    {
      id: 'github',
      protocol: 'github',
      issuer: 'https://github.com',
      scopes: ['user:email', 'read:org'],
      rules: { roleClaim: 'teams', roles: new Map([['acme/ops', 'admin']]) },
    },
    {
      id: 'microsoft',
      issuer: `https://login.microsoftonline.com/${TENANT}/v2.0`,
      rules: { areEmailsTrusted: true },
    },
    { id: 'company', name: 'Example SSO', issuer: 'https://sso.example.com', accountId: null },
  ]);
});

test.each<[string, unknown, RegExp]>([
  ['text that is not JSON', 'google', /must be a list in JSON/],
  ['an object instead of a list', CLIENT, /must be a list/],
  [
    'an unknown field',
    [{ preset: 'google', ...CLIENT, secret: 'x' }],
    /\[0\]\.secret is not a known field/,
  ],
  ['a missing client', [{ preset: 'google' }], /\[0\]\.clientId is required/],
  ['a provider without issuer and preset', [CLIENT], /id is required.*issuer is required/],
  [
    'an issuer that is not a URL',
    [{ id: 'a', issuer: 'sso', ...CLIENT }],
    /\[0\]\.issuer must begin with http/,
  ],
  [
    'the issuer of a preset',
    [{ preset: 'google', issuer: 'https://a.example', ...CLIENT }],
    /remove it/,
  ],
  [
    'every tenant of Microsoft',
    [{ preset: 'microsoft', tenant: 'common', ...CLIENT }],
    /the id of one tenant/,
  ],
  ['Microsoft without a tenant', [{ preset: 'microsoft', ...CLIENT }], /tenant is required/],
  [
    'everyone at Google',
    [{ preset: 'google', ...CLIENT, defaultRole: 'viewer' }],
    /set allowedDomains/,
  ],
  ['GitHub without a secret', [{ preset: 'github', clientId: 'a' }], /clientSecret is required/],
  [
    'another claim of GitHub',
    [{ preset: 'github', ...CLIENT, roleClaim: 'groups', roles: { a: 'admin' } }],
    /must be teams/,
  ],
  [
    'a claim without roles',
    [{ preset: 'google', ...CLIENT, roleClaim: 'groups' }],
    /roles must map/,
  ],
  [
    'roles without a claim',
    [{ preset: 'google', ...CLIENT, roles: { a: 'admin' } }],
    /roleClaim is required/,
  ],
  [
    'an unknown role',
    [{ preset: 'google', ...CLIENT, roleClaim: 'g', roles: { a: 'boss' } }],
    /owner, admin, editor, viewer/,
  ],
  [
    'two providers with one id',
    [
      { preset: 'google', ...CLIENT },
      { preset: 'google', ...CLIENT },
    ],
    /an id of its own/,
  ],
])(
  'the sign-in setting %s is refused, without showing the secret',
  (_name, providers, expected) => {
    const problems = problemsOf(providers).join('\n');
    expect(problems).toMatch(expected);
    expect(problems).toContain('KEEPWATCH_SIGN_IN_PROVIDERS');
    expect(problems).not.toContain(SECRET);
  },
);

test('passwords cannot be off while there is no provider', () => {
  expect(problemsOf('[]', { KEEPWATCH_PASSWORDS: 'off' }).join()).toContain('no one could sign in');
  const google = { preset: 'google', ...CLIENT };
  expect(problemsOf([google], { KEEPWATCH_PASSWORDS: 'off' })).toEqual([]);
  expect(problemsOf('[]', { KEEPWATCH_PASSWORDS: 'owners' })).toEqual([]);
});
