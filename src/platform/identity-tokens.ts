/**
 * Verifies ID tokens (OpenID Connect Core 1.0 §2, RFC 7519) of issuers that the operator trusts. An issuer's keys are
 * found through its discovery document and cached; an unknown key id causes another fetch, at most every 30 s.
 */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';

/** Applies separately to the discovery document and to the key set. */
const DEADLINE_MS = 3_000;
/** Between the clocks of CI services and ours. */
const SKEW_SECONDS = 60;
/** Asymmetric only, never a key that both sides know (RFC 8725 §3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'PS256'];

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

export type IdentityReading =
  | { readonly kind: 'claims'; readonly claims: Readonly<Record<string, unknown>> }
  /** The token is not valid, or has expired. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The issuer did not respond. */
  | { readonly kind: 'away'; readonly reason: string };

/** Never rejects. The token must be for exactly this audience. */
export type ReadIdentityToken = (
  token: string,
  expected: { readonly issuer: string; readonly audience: string },
) => Promise<IdentityReading>;

class IssuerAway extends Error {}

export function createIdentityTokens(): ReadIdentityToken {
  const known = new Map<string, Promise<JWTVerifyGetKey>>();
  const keysOf = (issuer: string): Promise<JWTVerifyGetKey> => {
    const before = known.get(issuer);
    if (before !== undefined) return before;
    const keys = readKeys(issuer);
    known.set(issuer, keys);
    // A failed read is not cached.
    keys.catch(() => known.delete(issuer));
    return keys;
  };
  return async (token, { issuer, audience }) => {
    try {
      const keys = await keysOf(issuer);
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: SKEW_SECONDS,
        requiredClaims: ['exp', 'iat'],
      });
      return { kind: 'claims', claims: payload };
    } catch (error) {
      return { kind: isAway(error) ? 'away' : 'refused', reason: reasonOf(error) };
    }
  };
}

async function readKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch((error: unknown) => {
    throw new IssuerAway(`${url}: ${reasonOf(error)}`);
  });
  if (!response.ok) throw new IssuerAway(`${url} responds with ${response.status}`);
  const found = discovery.safeParse(await response.json().catch(() => null));
  if (!found.success || found.data.issuer !== issuer)
    throw new IssuerAway(`${url} does not describe this issuer`);
  return createRemoteJWKSet(new URL(found.data.jwks_uri), { timeoutDuration: DEADLINE_MS });
}

/** True when the issuer's keys could not be read, which does not mean that the token is invalid. */
function isAway(error: unknown): boolean {
  if (error instanceof IssuerAway || error instanceof errors.JWKSTimeout) return true;
  if (error instanceof errors.JWKSInvalid) return true;
  // Errors of fetch() itself, and responses other than 200.
  return !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
