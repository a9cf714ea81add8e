/** Digest authentication (RFC 7616) with or without `qop=auth`, using SHA-256 or MD5. */
import { createHash, randomBytes } from 'node:crypto';
import { isHeaderValue } from '../../domain/definitions/header-rules';
import type { ResponseHead } from '../http/response-head';
import type { WireRequest } from '../http/write-request';
import type { AuthSession } from './auth-session';
import { type Challenge, readChallenges } from './challenges';

interface DigestUser {
  readonly user: string;
  readonly password: string;
}

interface Asked {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** undefined means that the server names no algorithm, which means MD5. */
  readonly algorithm: string | undefined;
  /** False if the server predates qop (RFC 2069). */
  readonly hasQop: boolean;
  readonly hashesUser: boolean;
  readonly isStale: boolean;
}

const HASHES: Readonly<Record<string, 'md5' | 'sha256'>> = {
  md5: 'md5',
  'md5-sess': 'md5',
  'sha-256': 'sha256',
  'sha-256-sess': 'sha256',
};

/**
 * Returns the first supported challenge, because servers list the preferred one first (§3.7). null means that none of
 * the challenges is supported.
 */
function findAsked({ headers }: ResponseHead): Asked | null {
  const asked = readChallenges(headers.get('www-authenticate') ?? '').map(readAsked);
  return asked.find((one) => one !== null) ?? null;
}

function readAsked({ scheme, params }: Challenge): Asked | null {
  const [realm, nonce, algorithm] = [
    params.get('realm'),
    params.get('nonce'),
    params.get('algorithm'),
  ];
  if (scheme !== 'digest' || realm === undefined || nonce === undefined) return null;
  if (algorithm !== undefined && !Object.hasOwn(HASHES, algorithm.toLowerCase())) return null;
  const qop = params.get('qop');
  const hasQop = qop !== undefined;
  if (
    hasQop &&
    !qop
      .toLowerCase()
      .split(/[\s,]+/)
      .includes('auth')
  )
    return null;
  return {
    realm,
    nonce,
    opaque: params.get('opaque'),
    algorithm,
    hasQop,
    hashesUser: params.get('userhash')?.toLowerCase() === 'true',
    isStale: params.get('stale')?.toLowerCase() === 'true',
  };
}

/** How often a nonce of the server has been used, and the nonce of the client. */
interface NonceUse {
  readonly count: number;
  readonly cnonce: string;
}

/** Builds the value of the `Authorization` header (§3.4). */
function buildCredentials(
  { user, password }: DigestUser,
  asked: Asked,
  { method, url }: Pick<WireRequest, 'method' | 'url'>,
  { count, cnonce }: NonceUse,
): string {
  const { realm, nonce, opaque, algorithm = 'MD5', hasQop } = asked;
  const hash = (text: string): string =>
    createHash(HASHES[algorithm.toLowerCase()] ?? 'md5')
      .update(text)
      .digest('hex');
  const isSession = algorithm.toLowerCase().endsWith('-sess');
  const plain = hash(`${user}:${realm}:${password}`);
  const key = isSession ? hash(`${plain}:${nonce}:${cnonce}`) : plain;
  const uri = url.pathname + url.search;
  const nc = count.toString(16).padStart(8, '0');
  const middle = hasQop ? `${nonce}:${nc}:${cnonce}:auth` : nonce;
  const response = hash(`${key}:${middle}:${hash(`${method}:${uri}`)}`);
  const parts = [
    asked.hashesUser ? `username=${quoted(hash(`${user}:${realm}`))}` : userPart(user),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response=${quoted(response)}`,
    ...(asked.algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasQop ? ['qop=auth', `nc=${nc}`] : []),
    ...(hasQop || isSession ? [`cnonce=${quoted(cnonce)}`] : []),
    ...(asked.hashesUser ? ['userhash=true'] : []),
  ];
  return `Digest ${parts.join(', ')}`;
}

/** Formats the user parameter. A name that is not ASCII is encoded as in RFC 8187. */
function userPart(user: string): string {
  if (/^[\x20-\x7e]*$/.test(user)) return `username=${quoted(user)}`;
  const spelled = encodeURIComponent(user).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `username*=UTF-8''${spelled}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function newCnonce(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * Creates the session of one try. The first request has no credentials. After the server's challenge, the request is
 * sent again with credentials, and once more if the nonce has expired.
 */
export function createDigest(user: DigestUser, createCnonce = newCnonce): AuthSession {
  let asked: Asked | null = null;
  let count = 0;
  return {
    sign(request) {
      if (asked === null) return request;
      count += 1;
      const value = buildCredentials(user, asked, request, { count, cnonce: createCnonce() });
      if (!isHeaderValue(value)) return request;
      return { ...request, headers: [{ name: 'authorization', value }, ...request.headers] };
    },
    learn(head) {
      const next = head.status === 401 ? findAsked(head) : null;
      const isRefused = asked !== null && !(next?.isStale === true && next.nonce !== asked.nonce);
      if (next === null || isRefused) return false;
      asked = next;
      count = 0;
      return true;
    },
  };
}
