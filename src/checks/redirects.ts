/** Builds the next request after a redirect (RFC 9110 §15.4), without credentials and secrets for other origins. */
import type { NamedValue } from '../contracts/definition';
import { TRACEPARENT } from '../contracts/trace';
import { isSensitiveHeaderName } from '../domain/secrets/sensitive-headers';
import type { ResponseHead } from './http/response-head';
import type { WireRequest } from './http/write-request';
import { StepFailure } from './step-failure';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const ORIGIN_BOUND_HEADERS = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'host',
  TRACEPARENT,
]);
const BODY_HEADERS = new Set([
  'content-type',
  'content-encoding',
  'content-language',
  'content-location',
]);

/** Reports for each text whether it contains a secret that belongs to the first origin. */
export type HoldSecrets = (texts: readonly string[]) => Promise<readonly boolean[]>;

function nextUrl(location: string, current: URL): URL {
  if (!URL.canParse(location, current.href)) {
    const message = 'The redirect target is not a valid URL.';
    throw new StepFailure('invalid_response', message, 'ttfb');
  }
  const url = new URL(location, current);
  url.username = '';
  url.password = '';
  return url;
}

function without(
  headers: readonly NamedValue[],
  names: ReadonlySet<string>,
): readonly NamedValue[] {
  return headers.filter(({ name }) => !names.has(name.toLowerCase()));
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'HEAD' && method !== 'GET';
  return (status === 301 || status === 302) && method === 'POST';
}

/**
 * Returns the redirected request. null means that the response is not a redirect. Another origin gets no credentials
 * and no header with a secret. Throws StepFailure if the body contains a secret.
 */
export async function followRedirect(
  request: WireRequest,
  head: ResponseHead,
  holdSecrets: HoldSecrets,
): Promise<WireRequest | null> {
  const location = head.headers.get('location');
  if (!REDIRECT_STATUSES.has(head.status) || location === undefined) return null;
  const url = nextUrl(location, request.url);
  const next: WireRequest = becomesGet(head.status, request.method)
    ? { method: 'GET', url, headers: without(request.headers, BODY_HEADERS), body: null }
    : { ...request, url };
  if (url.origin === request.url.origin) return next;
  const headers = without(next.headers, ORIGIN_BOUND_HEADERS).filter(
    ({ name }) => !isSensitiveHeaderName(name),
  );
  const texts = [next.body?.toString('utf8') ?? '', ...headers.map(({ value }) => value)];
  const [isBodySecret, ...areSecret] = await holdSecrets(texts);
  if (next.body !== null && isBodySecret !== false) {
    const message = 'The redirect would carry a secret to another origin.';
    throw new StepFailure('blocked_target', message, 'send');
  }
  return { ...next, headers: headers.filter((_, index) => areSecret[index] === false) };
}
