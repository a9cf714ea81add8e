/**
 * Logs one line per request for the operator. The line contains the route instead of the URL, because URLs may contain
 * ids and text that people typed.
 */
import type { RequestHandler } from 'express';
import { PROBE_RESULTS_PATH } from '../../contracts/probe-protocol';
import type { Logger } from '../../platform/logger';
import { getRequestId } from './request-id';

/** Paths that are not logged, because machines request them every few seconds. */
const UNINTERESTING: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Logs when the response has ended or the client has disconnected. Must be mounted after the middlewares for request
 * ids and for accepted pings.
 */
export function createRequestLog(logger: Pick<Logger, 'info'>): RequestHandler {
  return (request, response, next) => {
    const startedAtMs = performance.now();
    if (UNINTERESTING.has(request.path)) {
      next();
      return;
    }
    const isReport = request.path === PROBE_RESULTS_PATH;
    response.once('close', () => {
      // Successful reports of probes are not logged, because probes report constantly. The stored results show that the
      // reports succeed.
      if (isReport && response.statusCode < 300) return;
      const route: unknown = response.locals['route'];
      const facts = {
        requestId: getRequestId(request),
        method: request.method,
        route: typeof route === 'string' ? route : 'other',
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAtMs),
        ...(!response.writableFinished && { isCut: true }),
      };
      logger.info(facts, 'request');
    });
    next();
  };
}
