/** Tests which claims of an identity provider admit a person, and with which role. */
import {
  type ProviderClaims,
  type ProviderRules,
  readIdentity,
} from '../../../src/domain/accounts/provider-claims';

const RULES: ProviderRules = {
  roleClaim: null,
  roles: new Map(),
  defaultRole: null,
  allowedDomains: [],
  domainClaim: null,
  areEmailsTrusted: false,
  isSecondFactorTrusted: false,
};
const CLAIMS = { sub: 'ann-1', email: 'Ann@Example.com', email_verified: true };

const read = (rules: Partial<ProviderRules>, claims: ProviderClaims) =>
  readIdentity({ ...RULES, ...rules }, { ...CLAIMS, ...claims });

test('an identity from a provider has the subject and the email address of the claims, in lower case', () => {
  expect(read({}, { sid: 'session-1' })).toEqual({
    kind: 'identity',
    identity: {
      subject: 'ann-1',
      email: 'ann@example.com',
      isEmailVerified: true,
      role: null,
      isRoleMapped: false,
      hasSecondFactor: false,
      providerSession: 'session-1',
    },
  });
});

test.each<[string, ProviderClaims]>([
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a subject that is a number', { sub: 7 }],
  ['a subject that is too long', { sub: 'x'.repeat(256) }],
  ['no address', { email: undefined }],
  ['an address that is a list', { email: ['ann@example.com'] }],
  ['two addresses in one', { email: 'ann@example.com bob@example.com' }],
])("a provider's claims with %s are refused", (_name, claims) => {
  expect(read({}, claims)).toEqual({ kind: 'refused', reason: 'claims_incomplete' });
});

test.each<[string, Partial<ProviderRules>, ProviderClaims, boolean]>([
  ['true', {}, { email_verified: true }, true],
  ['the text true', {}, { email_verified: 'true' }, true],
  ['false', {}, { email_verified: false }, false],
  ['absent', {}, { email_verified: undefined }, false],
  ['1', {}, { email_verified: 1 }, false],
  [
    'absent, at a trusted provider',
    { areEmailsTrusted: true },
    { email_verified: undefined },
    true,
  ],
])(
  'an address with email_verified %s is accepted only if the claim or the provider is trusted',
  (_name, rules, claims, isEmailVerified) => {
    expect(read(rules, claims)).toMatchObject({ identity: { isEmailVerified } });
  },
);

const DOMAINS = { allowedDomains: ['example.com'] };

test.each<[string, Partial<ProviderRules>, ProviderClaims, string]>([
  ['of another domain', DOMAINS, { email: 'ann@other.example' }, 'domain_not_allowed'],
  ['of a subdomain', DOMAINS, { email: 'ann@sub.example.com' }, 'domain_not_allowed'],
  ['that only ends alike', DOMAINS, { email: 'ann@notexample.com' }, 'domain_not_allowed'],
  ['that is not verified', DOMAINS, { email_verified: false }, 'email_unverified'],
  [
    'without the claim of the organization',
    { ...DOMAINS, domainClaim: 'hd' },
    {},
    'domain_not_allowed',
  ],
  [
    'of another organization',
    { ...DOMAINS, domainClaim: 'hd' },
    { hd: 'other.example' },
    'domain_not_allowed',
  ],
])('with allowed domains, an address %s is refused', (_name, rules, claims, reason) => {
  expect(read(rules, claims)).toEqual({ kind: 'refused', reason });
});

test('with allowed domains, an address of an allowed domain or organization is accepted', () => {
  expect(read(DOMAINS, {})).toMatchObject({ kind: 'identity' });
  expect(read({ ...DOMAINS, domainClaim: 'hd' }, { hd: 'Example.com' })).toMatchObject({
    kind: 'identity',
  });
});

const ROLES: Partial<ProviderRules> = {
  roleClaim: 'realm_access.roles',
  roles: new Map([
    ['kw-admin', 'admin'],
    ['kw-view', 'viewer'],
  ]),
};

test.each<[string, ProviderClaims, string | null]>([
  ['the highest of several roles', { realm_access: { roles: ['kw-view', 'kw-admin'] } }, 'admin'],
  ['a role that is a text', { realm_access: { roles: 'kw-view' } }, 'viewer'],
  ['a claim whose name has a dot', { 'realm_access.roles': ['kw-admin'] }, 'admin'],
])('roles of the provider are mapped: %s', (_name, claims, role) => {
  expect(read(ROLES, claims)).toMatchObject({ identity: { role, isRoleMapped: true } });
});

test.each<[string, ProviderClaims]>([
  ['no role claim', {}],
  ['an unknown role', { realm_access: { roles: ['other'] } }],
  ['a role of another spelling', { realm_access: { roles: ['KW-ADMIN'] } }],
  ['an inherited property instead of roles', { realm_access: 'constructor' }],
  ['roles in an object', { realm_access: { roles: { 'kw-admin': true } } }],
])('people with %s are refused, or get the default role if one is configured', (_name, claims) => {
  expect(read(ROLES, claims)).toEqual({ kind: 'refused', reason: 'role_missing' });
  expect(read({ ...ROLES, defaultRole: 'viewer' }, claims)).toMatchObject({
    identity: { role: 'viewer', isRoleMapped: true },
  });
});

test('an identity has a second factor if the claims report one or the provider is trusted', () => {
  expect(read({}, { amr: ['pwd', 'mfa'] })).toMatchObject({ identity: { hasSecondFactor: true } });
  expect(read({}, { amr: ['pwd'] })).toMatchObject({ identity: { hasSecondFactor: false } });
  expect(read({ isSecondFactorTrusted: true }, {})).toMatchObject({
    identity: { hasSecondFactor: true },
  });
});
