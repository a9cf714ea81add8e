/**
 * One span for each request, by its route. It begins a trace of its own whatever header comes with the
 * request: a caller has no say in what is sampled. Paths and queries stay out.
 */
import type { RequestHandler } from 'express';
import type { Tracing } from '../../platform/tracing';
import { requestIdOf } from './request-id';

/** Asked every few seconds by machines. */
const UNINTERESTING = /^\/(healthz|readyz|metrics|internal\/probe\/.*)$/;

export function createRequestTraces(tracing: Tracing): RequestHandler {
  return (request, response, next) => {
    if (UNINTERESTING.test(request.path)) {
      next();
      return;
    }
    const { method } = request;
    const span = tracing.begin({
      name: method,
      kind: 'SERVER',
      facts: { 'http.request.method': method, 'keepwatch.request_id': requestIdOf(request) },
    });
    response.once('close', () => {
      const route: unknown = response.locals['route'];
      const { statusCode } = response;
      if (typeof route === 'string') span.rename(`${method} ${route}`);
      span.add({ 'http.response.status_code': statusCode });
      span.end(statusCode >= 500 ? String(statusCode) : undefined);
    });
    span.run(next);
  };
}
