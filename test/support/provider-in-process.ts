/**
 * An identity provider in this process. The code of the callback identifies the person, and the provider returns the
 * claims of this person.
 */
import type { ProviderClaims } from '../../src/domain/accounts/provider-claims';
import type { SignInProvider } from '../../src/platform/sign-in/provider';

interface Shape {
  readonly id: string;
  /** The account to which the provider belongs. null if it belongs to the installation. */
  readonly accountId: string | null;
  readonly people: ReadonlyMap<string, ProviderClaims>;
}

export function createProviderInProcess({ id, accountId, people }: Shape): SignInProvider {
  const issuer = `https://${id}.example`;
  const unused = { kind: 'refused', reason: 'not used' } as const;
  return {
    issuer,
    settings: {
      id,
      name: id,
      protocol: 'oidc',
      issuer,
      clientId: 'keepwatch',
      clientSecret: null,
      scopes: [],
      rules: {
        roleClaim: null,
        roles: new Map(),
        defaultRole: null,
        allowedDomains: [],
        domainClaim: null,
        areEmailsTrusted: false,
        isSecondFactorTrusted: false,
      },
      accountId,
    },
    start: async (redirectUri, { state }) => ({
      kind: 'redirect',
      url: `${redirectUri}?state=${state}`,
    }),
    finish: async (callbackUrl) => {
      const sub = callbackUrl.searchParams.get('code') ?? '';
      const claims = people.get(sub);
      return claims === undefined ? unused : { kind: 'claims', claims: { sub, ...claims } };
    },
    readLogoutToken: async () => unused,
  };
}
