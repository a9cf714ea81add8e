/**
 * Reads the person and the role from the claims of an identity provider. The caller must check the token's signature,
 * issuer, audience, nonce and times first.
 */
import { MEMBER_ROLES, type MemberRole } from './roles';

export type ProviderClaims = Readonly<Record<string, unknown>>;

/** How the operator has configured the claims of a provider. */
export interface ProviderRules {
  /**
   * The name of the claim with groups or roles. Dots separate the names of nested objects, as in `realm_access.roles`.
   * null means that no claim contains roles.
   */
  readonly roleClaim: string | null;
  /** Maps values of the claim to roles. If several roles match, the highest applies. */
  readonly roles: ReadonlyMap<string, MemberRole>;
  /** The role of people without a mapped role. null means that only members and invited people may sign in. */
  readonly defaultRole: MemberRole | null;
  /** Domains of email addresses, in lower case. Empty means any domain. */
  readonly allowedDomains: readonly string[];
  /**
   * The claim that names the domain of the person's organization. null means that the domain of the email address
   * counts.
   */
  readonly domainClaim: string | null;
  /** True means that email addresses count as verified, because the provider's administrators assign them. */
  readonly areEmailsTrusted: boolean;
  /** True means that the provider always requires a second factor. */
  readonly isSecondFactorTrusted: boolean;
}

/** The person that a provider has authenticated. */
export interface ProvedIdentity {
  readonly subject: string;
  /** The email address in lower case. */
  readonly email: string;
  /** True if the address is verified. Only a verified address may be matched with a person. */
  readonly isEmailVerified: boolean;
  /** The mapped role, or the default role. null means that the provider's rules give no role. */
  readonly role: MemberRole | null;
  /** True means that the role follows the claims at each sign-in. */
  readonly isRoleMapped: boolean;
  /** True means that the provider has checked a second factor. */
  readonly hasSecondFactor: boolean;
  /** The provider's id of its session with the person (`sid`). */
  readonly providerSession: string | null;
}

export type ClaimsRefusal =
  | 'claims_incomplete'
  | 'domain_not_allowed'
  | 'email_unverified'
  | 'role_missing';

export type IdentityReading =
  | { readonly kind: 'identity'; readonly identity: ProvedIdentity }
  | { readonly kind: 'refused'; readonly reason: ClaimsRefusal };

const SUBJECT_MAX = 255;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

/** Reads the identity. Returns a refusal for claims of an unexpected shape, and never throws. */
export function readIdentity(rules: ProviderRules, claims: ProviderClaims): IdentityReading {
  const { sub, email: given, sid } = claims;
  const email = typeof given === 'string' ? given.toLowerCase() : '';
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_MAX || !EMAIL.test(email))
    return refused('claims_incomplete');
  const isEmailVerified = rules.areEmailsTrusted || isTrue(claims['email_verified']);
  const domainRefusal = findDomainRefusal(rules, claims, { email, isEmailVerified });
  if (domainRefusal !== null) return refused(domainRefusal);
  const mapped = mapRole(rules, claims);
  if (rules.roleClaim !== null && mapped === null && rules.defaultRole === null)
    return refused('role_missing');
  const identity = {
    subject: sub,
    email,
    isEmailVerified,
    role: mapped ?? rules.defaultRole,
    isRoleMapped: rules.roleClaim !== null,
    hasSecondFactor: rules.isSecondFactorTrusted || listTexts(claims['amr']).includes('mfa'),
    providerSession: typeof sid === 'string' && sid !== '' ? sid.slice(0, SUBJECT_MAX) : null,
  };
  return { kind: 'identity', identity };
}

function refused(reason: ClaimsRefusal): IdentityReading {
  return { kind: 'refused', reason };
}

/** True for `true` and for the text `"true"`, because some providers send booleans as text. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}

/** Returns why the domain is refused. An unverified email address proves no domain. */
function findDomainRefusal(
  { allowedDomains, domainClaim }: ProviderRules,
  claims: ProviderClaims,
  { email, isEmailVerified }: Pick<ProvedIdentity, 'email' | 'isEmailVerified'>,
): ClaimsRefusal | null {
  if (allowedDomains.length === 0) return null;
  if (!isEmailVerified) return 'email_unverified';
  const claimed = domainClaim === null ? readDomain(email) : claims[domainClaim];
  const isAllowed = typeof claimed === 'string' && allowedDomains.includes(claimed.toLowerCase());
  return isAllowed ? null : 'domain_not_allowed';
}

function readDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** Returns the highest role that the claim maps to. null if there is none. */
function mapRole({ roleClaim, roles }: ProviderRules, claims: ProviderClaims): MemberRole | null {
  if (roleClaim === null) return null;
  const held = listTexts(readClaim(claims, roleClaim)).map((value) => roles.get(value));
  return MEMBER_ROLES.find((role) => held.includes(role)) ?? null;
}

/** Reads a claim by its path. A claim whose name itself contains dots takes precedence. */
function readClaim(claims: ProviderClaims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null;
    value = Reflect.get(value, part);
  }
  return value;
}

function listTexts(claim: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.filter((value) => typeof value === 'string');
}
