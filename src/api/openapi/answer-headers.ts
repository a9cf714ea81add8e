/** The headers that answers carry, for the reference. */
import type { ZodOpenApiHeadersObject } from 'zod-openapi';
import type { Route } from '../route';

type Headers = Record<string, { readonly description: string; readonly schema: object }>;

function text(description: string): Headers[string] {
  return { description, schema: { type: 'string' } };
}

const LIMITS: Headers = {
  'RateLimit-Policy': text('The windows of the plan; absent for sessions'),
  RateLimit: text('What is left of them; absent for sessions'),
};

/** Those of one status of a route. */
export function answerHeaders(entry: Route, status: number): ZodOpenApiHeadersObject {
  const isScoped = entry.scope !== 'public';
  const headers: Headers = {
    'X-Request-Id': text("The client's, if it sent a sane one"),
    ...(isScoped && status !== 401 ? LIMITS : {}),
    ...(status === 401 && { 'WWW-Authenticate': text('`Bearer`') }),
    ...([429, 503].includes(status) && { 'Retry-After': text('Seconds') }),
    ...(isScoped &&
      entry.method === 'POST' &&
      status < 500 && { 'Idempotency-Replayed': text('`true` when nothing was done again') }),
    ...(status === 201 && { Location: text('Where the new resource is') }),
  };
  return headers as ZodOpenApiHeadersObject;
}
