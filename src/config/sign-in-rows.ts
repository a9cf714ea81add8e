/** Sign-in settings: identity providers with their presets, and who may use a password. */
import { z } from 'zod';
import { MEMBER_ROLES } from '../domain/accounts/roles';
import {
  PASSWORD_POLICIES,
  type SignInProviderSettings,
} from '../domain/accounts/sign-in-provider';
import { isId } from '../domain/definitions/ids';
import { buildPlainMessage } from '../schemas/plain-message';
import { defineSecretSetting, defineSetting } from './setting-row';
import { issuerUrl } from './url-shapes';

const PROVIDERS_MAX = 20;
const VALUES_MAX = 100;

const word = z.string().min(1).max(200);
const role = z.enum(MEMBER_ROLES);
const domain = z
  .string()
  .max(253)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain like example.com')
  .transform((text) => text.toLowerCase());
/**
 * The id of a tenant. The words `common`, `organizations` and `consumers` are refused, because they would let in people
 * of every tenant.
 */
const tenant = z
  .string()
  .regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i, 'must be the id of one tenant, a UUID')
  .transform((text) => text.toLowerCase());

const providerShape = z.strictObject({
  preset: z.enum(['google', 'github', 'microsoft']).optional(),
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must have lower-case letters, digits and -, like company')
    .optional(),
  name: z.string().min(1).max(50).optional(),
  issuer: issuerUrl.optional(),
  tenant: tenant.optional(),
  clientId: word,
  clientSecret: z.string().min(1).max(1000).optional(),
  scopes: z
    .array(word.regex(/^[!-~]+$/, 'must have no spaces'))
    .max(VALUES_MAX)
    .default([]),
  roleClaim: word.optional(),
  roles: z.record(word, role).default({}),
  defaultRole: role.optional(),
  allowedDomains: z.array(domain).max(VALUES_MAX).default([]),
  trustEmail: z.boolean().default(false),
  trustSecondFactor: z.boolean().default(false),
  account: z
    .string()
    .refine((text) => isId('account', text), 'must be the id of an account, like acc_…')
    .optional(),
});

type GivenProvider = z.output<typeof providerShape>;

/**
 * The fields that a preset fills in. Anyone can get an account at Google and GitHub, so these presets need further
 * limits.
 */
const PRESETS = {
  google: { name: 'Google', issuer: 'https://accounts.google.com', isPublic: true },
  github: { name: 'GitHub', issuer: 'https://github.com', isPublic: true },
  microsoft: { name: 'Microsoft', issuer: undefined, isPublic: false },
} as const;

const providers = z.string().transform((text, context) => {
  const refuse = (message: string): never => {
    // The message does not contain the value, because it contains secrets.
    context.issues.push({ code: 'custom', message, input: null });
    return z.NEVER;
  };
  const parsed = parseJson(text);
  if (parsed === undefined) return refuse('must be a list in JSON, like [{"preset": "google", …}]');
  const read = z
    .array(providerShape)
    .max(PROVIDERS_MAX)
    .safeParse(parsed, { error: buildPlainMessage });
  if (!read.success) return refuse(read.error.issues.map(describeIssue).join('; '));
  const faults = read.data.flatMap((given, index) =>
    findFaults(given).map((fault) => `[${index}].${fault}`),
  );
  const ids = read.data.map(readId);
  if (new Set(ids).size < ids.length) faults.push('must give each provider an id of its own');
  return faults.length > 0 ? refuse(faults.join('; ')) : read.data.map(completeProvider);
});

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeIssue({ path, message, ...issue }: z.core.$ZodIssue): string {
  const at = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  const keys = 'keys' in issue && Array.isArray(issue.keys) ? `.${issue.keys.join(', .')}` : '';
  return `${at.join('')}${keys} ${message}`;
}

/** Lists the problems that concern several fields. Each begins with the name of a field. */
function findFaults(given: GivenProvider): string[] {
  const { preset, issuer, id, roleClaim, roles, defaultRole, allowedDomains } = given;
  const faults: string[] = [];
  if (preset === undefined && id === undefined) faults.push('id is required without a preset');
  if (preset === undefined && issuer === undefined)
    faults.push('issuer is required without a preset');
  if (preset === 'microsoft' && given.tenant === undefined) faults.push('tenant is required');
  if (preset !== 'microsoft' && given.tenant !== undefined)
    faults.push('tenant belongs to the preset microsoft');
  if (issuer !== undefined && (preset === 'google' || preset === 'microsoft'))
    faults.push(`issuer is known from the preset ${preset}: remove it`);
  if (preset === 'github' && given.clientSecret === undefined)
    faults.push('clientSecret is required by GitHub');
  if (preset === 'github' && roleClaim !== undefined && roleClaim !== 'teams')
    faults.push('roleClaim must be teams for GitHub, which has no other claim');
  if (roleClaim !== undefined && Object.keys(roles).length === 0)
    faults.push('roles must map at least one value of roleClaim to a role');
  if (roleClaim === undefined && Object.keys(roles).length > 0)
    faults.push('roleClaim is required by roles');
  const isPublic = preset !== undefined && PRESETS[preset].isPublic;
  if (isPublic && defaultRole !== undefined && allowedDomains.length === 0)
    faults.push(`defaultRole would let in everyone with an account there: set allowedDomains, too`);
  return faults;
}

function readId({ id, preset }: GivenProvider): string {
  return id ?? preset ?? '';
}

function completeProvider(given: GivenProvider): SignInProviderSettings {
  const { preset, roleClaim = null, defaultRole = null, allowedDomains } = given;
  const known = preset === undefined ? null : PRESETS[preset];
  const issuer =
    preset === 'microsoft'
      ? `https://login.microsoftonline.com/${given.tenant ?? ''}/v2.0`
      : (given.issuer ?? known?.issuer ?? '');
  const id = readId(given);
  return {
    id,
    name: given.name ?? known?.name ?? id,
    protocol: preset === 'github' ? 'github' : 'oidc',
    issuer,
    clientId: given.clientId,
    clientSecret: given.clientSecret ?? null,
    scopes: [...new Set([...listScopes(given), ...given.scopes])],
    rules: {
      roleClaim,
      roles: new Map(Object.entries(given.roles)),
      defaultRole,
      allowedDomains,
      // A Google account can have any email address, so its domain proves nothing. `hd` names the
      // organization that manages the account.
      domainClaim: preset === 'google' ? 'hd' : null,
      areEmailsTrusted: given.trustEmail,
      isSecondFactorTrusted: given.trustSecondFactor,
    },
    accountId: given.account ?? null,
  };
}

function listScopes({ preset, roleClaim }: GivenProvider): readonly string[] {
  if (preset !== 'github') return ['openid', 'email'];
  return roleClaim === undefined ? ['user:email'] : ['user:email', 'read:org'];
}

export const SIGN_IN_ROWS = {
  KEEPWATCH_SIGN_IN_PROVIDERS: defineSecretSetting(
    ['api'],
    providers.default([]),
    '',
    'identity providers that people may sign in with, as a list in JSON: `[{"preset": "google", "clientId": "…", "clientSecret": "…", "allowedDomains": ["example.com"], "defaultRole": "viewer"}]`. See docs/self-hosting.md',
  ),
  KEEPWATCH_PASSWORDS: defineSetting(
    ['api'],
    z.enum(PASSWORD_POLICIES).default('on'),
    'on',
    'who may sign in with a password. on: everyone. owners: only owners of an account. off: no one; needs KEEPWATCH_SIGN_IN_PROVIDERS. `npm run doctor -- owner-link` lets an owner in regardless',
  ),
};

interface SignInSettings {
  readonly KEEPWATCH_SIGN_IN_PROVIDERS: readonly unknown[];
  readonly KEEPWATCH_PASSWORDS: string;
}

/** Returns a problem if neither passwords nor providers are configured, because no one could sign in then. */
export function findSignInProblems(settings: SignInSettings): readonly string[] {
  const { KEEPWATCH_SIGN_IN_PROVIDERS: given, KEEPWATCH_PASSWORDS: policy } = settings;
  if (policy !== 'off' || given.length > 0) return [];
  return [
    'KEEPWATCH_PASSWORDS is off and KEEPWATCH_SIGN_IN_PROVIDERS is empty, so no one could sign in: set a provider, or on or owners',
  ];
}
