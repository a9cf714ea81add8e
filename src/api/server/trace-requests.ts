/**
 * Creates one span per request, named after its route. Trace headers are ignored, so that callers cannot influence
 * sampling. Ids are the only part of the URL that is traced.
 */
import type { RequestHandler } from 'express';
import type { Tracing } from '../../platform/tracing';
import { getRequestId } from './request-id';
import { formatTracedPath } from './traced-path';

/** Paths that are not traced, because machines request them every few seconds. */
const UNINTERESTING = /^\/(healthz|readyz|metrics|internal\/probe\/.*)$/;

export function createRequestTraces(tracing: Tracing): RequestHandler {
  return (request, response, next) => {
    const { method, path, protocol } = request;
    if (UNINTERESTING.test(path)) {
      next();
      return;
    }
    const span = tracing.begin({
      name: method,
      kind: 'SERVER',
      facts: {
        'http.request.method': method,
        'url.scheme': protocol,
        'keepwatch.request_id': getRequestId(request),
      },
    });
    response.once('close', () => {
      const route: unknown = response.locals['route'];
      const { statusCode } = response;
      if (typeof route === 'string') {
        span.rename(`${method} ${route}`);
        span.add({ 'http.route': route, 'url.path': formatTracedPath(route, path) });
      }
      span.add({ 'http.response.status_code': statusCode });
      span.end(statusCode >= 500 ? String(statusCode) : undefined);
    });
    span.run(next);
  };
}
