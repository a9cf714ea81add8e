/** The headers of responses, for the reference. Each header is described once and then referenced. */
import { z } from 'zod';
import { ERROR_STATUSES } from '../../contracts/error-codes';
import type { Route } from '../routing/route';
import type { DocumentedResponse } from '../routing/route-doc';
import { isPaged, isVersioned } from './shape-facts';

function text(id: string, description: string): z.ZodType {
  return z.string().meta({ header: { id, description } });
}

/** Creates a header that only some responses with this status have. */
function maybe(id: string, description: string): z.ZodType {
  return z.string().optional().meta({ header: { id, description } });
}

const HEADERS = {
  'X-Request-Id': text('XRequestId', "The client's, if it sent a sane one"),
  'RateLimit-Policy': maybe('RateLimitPolicy', 'The windows of the plan; absent for sessions'),
  RateLimit: maybe('RateLimit', 'What is left of them; absent for sessions'),
  'WWW-Authenticate': text('WwwAuthenticate', '`Bearer`'),
  'Retry-After': z
    .int()
    .min(0)
    .meta({ header: { id: 'RetryAfter', description: 'Seconds' } }),
  'Idempotency-Replayed': z
    .literal('true')
    .optional()
    .meta({
      header: { id: 'IdempotencyReplayed', description: 'Nothing was done again; else absent' },
    }),
  Location: text('Location', 'The path of what was made'),
  ETag: text('ETag', 'For `If-Match`, and for `If-None-Match` on GET'),
  Link: maybe('Link', 'The next page, as `<…>; rel="next"`; absent on the last one (RFC 8288)'),
  Deprecation: text('Deprecation', 'Since when the operation is deprecated (RFC 9745)'),
  Sunset: text('Sunset', 'How long the operation works (RFC 8594)'),
};
type HeaderName = keyof typeof HEADERS;

interface Described {
  readonly status: number;
  /** Absent for error responses. */
  readonly response?: DocumentedResponse;
}

/** Returns the headers of responses of a route with one status. */
export function buildResponseHeaders(entry: Route, described: Described): z.ZodObject {
  const headers = listHeaderNames(entry, described).map((name) => [name, HEADERS[name]] as const);
  return z.object(Object.fromEntries(headers));
}

export function listHeaderNames(
  entry: Route,
  { status, response }: Described,
): readonly HeaderName[] {
  const isScoped = entry.scope !== 'public';
  const names: readonly (readonly [HeaderName, boolean])[] = [
    ['X-Request-Id', true],
    ['RateLimit-Policy', isScoped && status !== 401],
    ['RateLimit', isScoped && status !== 401],
    ['WWW-Authenticate', status === 401],
    ['Retry-After', status === 429 || status === 503],
    ['Idempotency-Replayed', isScoped && entry.method === 'POST' && isKept(entry, status)],
    ['Location', response !== undefined && (status === 201 || response.isLocated === true)],
    ['ETag', response !== undefined && (status === 304 || isVersioned(response.schema))],
    ['Link', response !== undefined && isPaged(response.schema)],
    ['Deprecation', response !== undefined && entry.doc.deprecated !== undefined],
    ['Sunset', response !== undefined && entry.doc.deprecated !== undefined],
  ];
  return names.filter(([, isCarried]) => isCarried).map(([name]) => name);
}

/**
 * True if responses with this status are stored for idempotency keys. Errors that occur before the key is read, and
 * responses with status 429, 500 or 503, are not stored.
 */
function isKept({ doc }: Route, status: number): boolean {
  if (status === 403) return (doc.codes ?? []).some((code) => ERROR_STATUSES[code] === status);
  return status < 500 && ![401, 403, 413, 415, 429].includes(status);
}
