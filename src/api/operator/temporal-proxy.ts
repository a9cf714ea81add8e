/**
 * The Temporal UI at `/temporal`, for operators only, because it shows the workflows of all accounts. Changes are
 * recorded in the audit trail.
 */
import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { AppError } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import { recordChanges } from '../../services/accounts/audit-events';
import { requireTemporalUser } from '../../services/accounts/operators';
import type { Principal } from '../../services/accounts/principal';
import { TEMPORAL_UI_PATH } from '../../services/operations/workflow-url';
import type { Dependencies } from '../../services/ports/dependencies';
import { authenticateRequest } from '../routing/authenticate-request';
import { buildProblem, buildProblemHeaders } from '../server/problem';
import { getRequestId } from '../server/request-id';
import { withoutSessionCookie } from '../server/session-cookie';
import { buildTemporalUiPolicy } from './temporal-policy';

const DEADLINE_MS = 30_000;
const RECORDED_PATH_MAX = 1_000;
const READING_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

interface TemporalProxyOptions {
  readonly services: Dependencies;
  readonly publicUrl: string;
  /** The URL of the Temporal UI, with its public path `/temporal`. */
  readonly uiUrl: string;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Creates the routes of the Temporal UI. They redirect people who are not signed in to the login page, and send a
 * problem document to programs.
 */
export function createTemporalProxy(options: TemporalProxyOptions): Router {
  const router = Router();
  const guard = async (request: Request, response: Response, next: NextFunction) => {
    response.set(securityHeaders(options.publicUrl));
    response.locals['route'] = TEMPORAL_UI_PATH;
    try {
      await admit(options, request, response);
    } catch (refusal) {
      if (!(refusal instanceof AppError) || !isPageWithoutLogin(request, refusal)) throw refusal;
      response.redirect(303, loginFor(request));
      return;
    }
    next();
  };
  router.use(TEMPORAL_UI_PATH, guard, forwardTo(options));
  return router;
}

/**
 * Records a change before the request is forwarded, because the change may take effect even if the UI reports an error.
 */
async function admit(
  options: TemporalProxyOptions,
  request: Request,
  response: Response,
): Promise<void> {
  const { services, publicUrl } = options;
  const { headers, ip = '' } = request;
  const isReading = READING_METHODS.includes(request.method);
  const method = isReading ? 'GET' : 'POST';
  const principal = await authenticateRequest(services, {
    method,
    headers,
    publicUrl,
    clientAddress: ip,
  });
  response.locals['actor'] = principal.actor.id;
  await requireTemporalUser(services, principal);
  if (!isReading) await recordWrite(options, principal, request);
}

function recordWrite(
  { services }: TemporalProxyOptions,
  { accountId, actor }: Principal,
  request: Request,
): Promise<void> {
  const { method, originalUrl, ip = null } = request;
  const [path = ''] = originalUrl.split('?');
  const after = { method, path: path.slice(0, RECORDED_PATH_MAX) };
  return recordChanges(services, { accountId, actor, requestId: getRequestId(request), ip }, [
    {
      action: 'temporal.write',
      resourceType: 'temporal',
      resourceId: null,
      before: null,
      after,
    },
  ]);
}

function isPageWithoutLogin(request: Request, refusal: AppError): boolean {
  const isLoginMissing = buildProblemHeaders(refusal)['WWW-Authenticate'] !== undefined;
  const accepted = request.headers.accept ?? '';
  return isLoginMissing && request.method === 'GET' && accepted.includes('text/html');
}

function loginFor({ originalUrl }: Request): string {
  return `/login?next=${encodeURIComponent(originalUrl)}`;
}

/** Returns the same headers as for our own pages, except for the script policy. */
function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  };
}

function forwardTo({ uiUrl, logger, publicUrl }: TemporalProxyOptions) {
  return createProxyMiddleware<Request, Response>({
    target: uiUrl,
    changeOrigin: true,
    agent: new Agent({ keepAlive: true }),
    timeout: DEADLINE_MS,
    proxyTimeout: DEADLINE_MS,
    on: {
      proxyReq: dropCredentials,
      proxyRes: ({ headers }, request) => {
        const { protocol } = request;
        headers['x-frame-options'] = 'DENY';
        headers['content-security-policy'] = buildTemporalUiPolicy({
          protocol,
          headers: request.headers,
          publicUrl,
        });
      },
      error: (error, request, response) => {
        logger.warn(
          { err: error, requestId: getRequestId(request) },
          'the Temporal UI does not respond',
        );
        if ('writeHead' in response) refuse(response, getRequestId(request));
        else response.destroy();
      },
    },
  });
}

/** Removes our session and our keys from the request, because the UI must not receive them. */
function dropCredentials(forwarded: ClientRequest, { headers }: IncomingMessage): void {
  forwarded.removeHeader('authorization');
  const cookie = withoutSessionCookie(headers.cookie ?? '');
  if (cookie === '') forwarded.removeHeader('cookie');
  else forwarded.setHeader('cookie', cookie);
}

function refuse(response: ServerResponse, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refusal = new AppError('unavailable', 'The Temporal UI does not respond.');
  const headers = { ...buildProblemHeaders(refusal), 'Content-Type': 'application/problem+json' };
  const problem = buildProblem(refusal, requestId);
  response.writeHead(problem.status, headers).end(JSON.stringify(problem));
}
