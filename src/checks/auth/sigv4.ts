/**
 * Signs requests for AWS with Signature Version 4.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from 'node:crypto';
import type { NamedValue } from '../../contracts/definition';
import { isHeaderValue } from '../../domain/definitions/header-rules';
import type { WireRequest } from '../http/write-request';
import { createTemplateFailure } from '../rendered';
import type { AuthSession } from './auth-session';

interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** null means that the keys are long-lived. */
  readonly sessionToken: string | null;
  readonly region: string;
  readonly service: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const DATE = 'x-amz-date';
const TOKEN = 'x-amz-security-token';
const BODY_HASH = 'x-amz-content-sha256';
/** Headers that are not signed. AWS does not need them, and proxies may change them. */
const UNSIGNED = new Set(['accept', 'accept-encoding', 'traceparent', 'user-agent']);

/** Creates a session that signs every request, because a signature is valid for one URL and a few minutes. */
export function createSigV4(
  credentials: AwsCredentials,
  now: () => number = Date.now,
): AuthSession {
  return {
    sign: (request) => signRequest(request, credentials, new Date(now())),
    learn: () => false,
  };
}

function signRequest(
  request: WireRequest,
  { accessKeyId, secretAccessKey, sessionToken, region, service }: AwsCredentials,
  at: Date,
): WireRequest {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const bodyHash = findHeader(request.headers, BODY_HASH) ?? hash(request.body ?? '');
  const added = [
    { name: DATE, value: time },
    ...(sessionToken === null ? [] : [{ name: TOKEN, value: sessionToken }]),
    ...(isS3(service) && findHeader(request.headers, BODY_HASH) === undefined
      ? [{ name: BODY_HASH, value: bodyHash }]
      : []),
  ];
  const signed = canonicalHeaders({ ...request, headers: [...request.headers, ...added] });
  const names = signed.map(({ name }) => name).join(';');
  const canonical = [
    request.method,
    canonicalPath(request.url.pathname, service),
    canonicalQuery(request.url.search),
    ...signed.map(({ name, value }) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n');
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const toSign = [ALGORITHM, time, scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const proof = `Credential=${[accessKeyId, ...scope].join('/')}, SignedHeaders=${names}, Signature=${signature}`;
  const headers = [{ name: 'authorization', value: `${ALGORITHM} ${proof}` }, ...added];
  if (!headers.every(({ value }) => isHeaderValue(value)))
    throw createTemplateFailure(
      'The credentials in auth contain characters that are not allowed in headers.',
    );
  return { ...request, headers: [...headers, ...request.headers] };
}

/** True for S3. Only S3 requires the hash of the body as a header, and a path that is encoded once instead of twice. */
function isS3(service: string): boolean {
  return /^s3(?:-|express|$)/.test(service);
}

function findHeader(headers: readonly NamedValue[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

/** Returns the headers to sign, sorted by name. Values of the same name are joined. */
function canonicalHeaders({ url, headers }: WireRequest): readonly NamedValue[] {
  const joined = new Map([['host', findHeader(headers, 'host') ?? url.host]]);
  for (const { name, value } of headers) {
    const lower = name.toLowerCase();
    if (lower === 'host' || UNSIGNED.has(lower)) continue;
    const before = joined.get(lower);
    const plain = value.trim().replaceAll(/ +/g, ' ');
    joined.set(lower, before === undefined ? plain : `${before},${plain}`);
  }
  return [...joined].toSorted(byText).map(([name, value]) => ({ name, value }));
}

/** Returns the path in the form to sign. The path of a URL is already encoded once. */
function canonicalPath(path: string, service: string): string {
  if (isS3(service)) return decode(path).split('/').map(encode).join('/');
  return path
    .replaceAll(/\/{2,}/g, '/')
    .split('/')
    .map(encode)
    .join('/');
}

function canonicalQuery(search: string): string {
  const pairs = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '');
  return pairs
    .map((pair): readonly [string, string] => {
      const [name = '', ...value] = pair.replaceAll('+', ' ').split('=').map(decode).map(encode);
      return [name, value.join('%3D')];
    })
    .toSorted((one, other) => byText(one, other) || byText([one[1]], [other[1]]))
    .map((pair) => pair.join('='))
    .join('&');
}

function byText([one = '']: readonly string[], [other = '']: readonly string[]): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Returns the text unchanged if it cannot be decoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes everything except the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hash(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
