/**
 * Lets pages of the given origins call /v1 with an API key (CORS). Cookies are never allowed across origins, because
 * pages of other sites could then act for a signed-in person.
 */
import type { RequestHandler } from 'express';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id';
const EXPOSED_HEADERS =
  'Deprecation, ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id';
const PREFLIGHT_SECONDS = 600;

export function createCrossOrigin(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    const { origin } = request.headers;
    if (!request.path.startsWith('/v1/')) {
      next();
      return;
    }
    response.vary('Origin');
    if (origin === undefined || !allowed.has(origin)) {
      next();
      return;
    }
    response.set('Access-Control-Allow-Origin', origin);
    response.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    const isPreflight =
      request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
    if (!isPreflight) {
      next();
      return;
    }
    response.set('Access-Control-Allow-Methods', METHODS);
    response.set('Access-Control-Allow-Headers', REQUEST_HEADERS);
    response.set('Access-Control-Max-Age', `${PREFLIGHT_SECONDS}`);
    response.status(204).end();
  };
}
