/**
 * The last middlewares: they respond to unknown routes, and turn every error into a problem document. Nothing else
 * responds to errors.
 */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { AppError } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import { buildProblem, buildProblemHeaders, toRefusal } from './problem';
import { getRequestId } from './request-id';

export const refuseUnknownPath: RequestHandler = ({ path }) => {
  const advice = path.length > 1 && path.endsWith('/') ? ' Leave out the slash at the end.' : '';
  throw new AppError('not_found', `No such endpoint.${advice}`);
};

/** The statuses for unauthenticated requests, forbidden requests, and too many requests. */
const SECURITY_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** Returns facts that help to detect intruders. Leaves out keys, passwords and the path, which may contain a token. */
function describeCaller({ ip }: Request, { locals }: Response, { about }: AppError) {
  const route: unknown = locals['route'];
  const actor: unknown = locals['actor'];
  return {
    event: 'refused',
    route: typeof route === 'string' ? route : 'other',
    ip: ip ?? null,
    actor: actor ?? null,
    ...(about !== undefined && { about }),
  };
}

/** A missing token is logged as `info`, because signed-out people cause it by opening a page. */
function refusalLevel({ code }: AppError): 'info' | 'warn' {
  return code === 'missing_token' ? 'info' : 'warn';
}

/** Logs internal errors with their cause, and requests without permission. Does not log invalid input. */
export function createErrorHandler(
  logger: Pick<Logger, 'error' | 'warn' | 'info'>,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const refusal = toRefusal(error);
    const problem = buildProblem(refusal, getRequestId(request));
    const facts = { requestId: problem.requestId, method: request.method, code: problem.code };
    response.locals['refusal'] = problem.code;
    if (SECURITY_STATUSES.has(problem.status))
      logger[refusalLevel(refusal)](
        { ...facts, ...describeCaller(request, response, refusal) },
        'request not allowed',
      );
    if (problem.status === 500) logger.error({ ...facts, err: refusal.cause }, 'request failed');
    if (problem.status === 503 && !response.closed)
      logger.warn({ ...facts, err: refusal.cause }, 'request refused');
    if (response.headersSent) {
      next(error);
      return;
    }
    response.status(problem.status).set(buildProblemHeaders(refusal));
    response.set('Cache-Control', 'no-store').type('application/problem+json');
    response.send(JSON.stringify(problem));
  };
}
