/**
 * Reads ID tokens (OpenID Connect Core 1.0 §2, RFC 7519) of trusted issuers. The discovery document of an issuer names
 * the URL of its keys. If a token was signed with an unknown key, the keys are read again, at most every 30 s.
 */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Clock } from './clock';
import { createIssuerRequests, IssuerAway, type SendToIssuer } from './sign-in/issuer-requests';

/** Time limit for the discovery document. The keys have the same time limit. */
const DEADLINE_MS = 3_000;
/** After an issuer did not respond, wait this many milliseconds before the next request. */
const AWAY_MS = 5_000;
/** Maximum difference between a CI service's clock and ours. */
const SKEW_SECONDS = 60;
/** The maximum age of a token, even if the token itself expires later. */
const AGE_MAX_SECONDS = 86_400;
/** Accepted algorithms. They are all asymmetric, so that no secret is shared (RFC 8725 §3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'PS256'];

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

export type IdentityReading =
  | { readonly kind: 'claims'; readonly claims: Readonly<Record<string, unknown>> }
  /** The token is not valid, or has expired. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The keys of the issuer cannot be read, so it is not known whether the token is valid. */
  | { readonly kind: 'away'; readonly reason: string };

/** Reads a token. The token must be for this audience and for no other audience. Never rejects. */
export type ReadIdentityToken = (
  token: string,
  expected: { readonly issuer: string; readonly audience: string },
) => Promise<IdentityReading>;

interface Outage {
  readonly untilMs: number;
  readonly reason: string;
}

interface IdentityTokenOptions {
  readonly clock: Clock;
  /** PEM certificates of authorities that are trusted for issuers in addition to the public ones. */
  readonly authorities?: readonly string[];
  /** Time limit for each document. */
  readonly deadlineMs?: number;
}

export function createIdentityTokens({
  clock,
  authorities = [],
  deadlineMs = DEADLINE_MS,
}: IdentityTokenOptions): ReadIdentityToken {
  const known = new Map<string, Promise<JWTVerifyGetKey>>();
  const outages = new Map<string, Outage>();
  const findKeys = (issuer: string): Promise<JWTVerifyGetKey> => {
    const keys = known.get(issuer) ?? discoverKeys(issuer, { authorities, deadlineMs });
    known.set(issuer, keys);
    return keys;
  };
  return async (token, { issuer, audience }) => {
    const outage = outages.get(issuer);
    if (outage !== undefined && clock.now() < outage.untilMs)
      return { kind: 'away', reason: outage.reason };
    try {
      const { payload } = await jwtVerify(token, await findKeys(issuer), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: SKEW_SECONDS,
        maxTokenAge: AGE_MAX_SECONDS,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      // A token for several audiences is refused, because each of these audiences has the token and could use it here.
      if (Array.isArray(payload.aud) && payload.aud.length > 1)
        return { kind: 'refused', reason: 'the token is for several audiences' };
      return { kind: 'claims', claims: payload };
    } catch (error) {
      const reason = readReason(error);
      if (!isAway(error)) return { kind: 'refused', reason };
      // The discovery document must be read again, because the issuer may have moved its keys to a new URL.
      known.delete(issuer);
      outages.set(issuer, { untilMs: clock.now() + AWAY_MS, reason });
      return { kind: 'away', reason };
    }
  };
}

interface Way {
  readonly authorities: readonly string[];
  readonly deadlineMs: number;
}

async function discoverKeys(issuer: string, way: Way): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const send = createIssuerRequests(issuer, way);
  const found = discovery.safeParse(await readDocument(url, send));
  if (!found.success || found.data.issuer !== issuer)
    throw new IssuerAway(`${url} does not describe this issuer`);
  const keys = new URL(found.data.jwks_uri);
  if (issuer.startsWith('https:') && keys.protocol !== 'https:')
    throw new IssuerAway(`${url} names keys that are not served over https`);
  return createRemoteJWKSet(keys, {
    // The library's timeout is longer than our own, so that ours ends the request. The error of our own timeout is more
    // informative.
    timeoutDuration: way.deadlineMs * 2,
    [customFetch]: async (from) => new Response(JSON.stringify(await readDocument(from, send))),
  });
}

/**
 * Reads JSON of limited size from exactly this URL. Throws IssuerAway if the status is not 200 or the body is not JSON.
 */
async function readDocument(url: string, send: SendToIssuer): Promise<unknown> {
  const { status, text } = await send(url);
  if (status !== 200) throw new IssuerAway(`${url}: it responds with ${status}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new IssuerAway(`${url}: ${readReason(error)}`);
  }
}

/** True if the issuer is unavailable. Errors that a forged token can cause do not count as unavailable. */
function isAway(error: unknown): boolean {
  return error instanceof IssuerAway || error instanceof errors.JWKSInvalid;
}

function readReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
