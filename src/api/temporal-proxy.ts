/**
 * The Temporal UI at `/temporal` of our own origin, behind the login: whoever may read sees it, and
 * only admins may change something there. It knows nothing of workflows.
 */
import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { AppError } from '../platform/errors';
import type { Logger } from '../platform/logger';
import type { Dependencies } from '../services/dependencies';
import { requireScope } from '../services/principal';
import { TEMPORAL_UI_PATH } from '../services/workflow-url';
import { authenticateRequest } from './authenticate-request';
import { problemHeaders, problemOf } from './problem';
import { requestIdOf } from './request-id';
import { withoutSessionCookie } from './session-cookie';

const ANSWERS_WITHIN_MS = 30_000;
const READING_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

interface TemporalProxyOptions {
  readonly services: Dependencies;
  readonly publicUrl: string;
  /** Where the UI listens, with its public path `/temporal`. */
  readonly uiUrl: string;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Sends people who are not logged in to the login, and refuses programs with a problem. */
export function createTemporalProxy(options: TemporalProxyOptions): Router {
  const router = Router();
  const guard = async (request: Request, response: Response, next: NextFunction) => {
    response.set(securityHeaders(options.publicUrl));
    const refusal = await findRefusal(options, request);
    if (refusal === null) next();
    else if (isPageWithoutLogin(request, refusal)) response.redirect(303, loginFor(request));
    else throw refusal;
  };
  router.use(TEMPORAL_UI_PATH, guard, forwardTo(options));
  return router;
}

async function findRefusal(
  { services, publicUrl }: TemporalProxyOptions,
  { method, headers, ip = '' }: Request,
): Promise<AppError | null> {
  const isReading = READING_METHODS.includes(method);
  const asked = {
    method: isReading ? 'GET' : 'POST',
    headers,
    publicUrl,
    clientAddress: ip,
  } as const;
  try {
    requireScope(await authenticateRequest(services, asked), isReading ? 'read' : 'admin');
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function isPageWithoutLogin(request: Request, refusal: AppError): boolean {
  const isLoginMissing = problemHeaders(refusal)['WWW-Authenticate'] !== undefined;
  const accepted = request.headers.accept ?? '';
  return isLoginMissing && request.method === 'GET' && accepted.includes('text/html');
}

function loginFor({ originalUrl }: Request): string {
  return `/login?next=${encodeURIComponent(originalUrl)}`;
}

/** The UI brings a policy of its own for scripts; what else our pages send holds for it, too. */
function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  };
}

function forwardTo({ uiUrl, logger }: TemporalProxyOptions) {
  return createProxyMiddleware<Request, Response>({
    target: uiUrl,
    changeOrigin: true,
    agent: new Agent({ keepAlive: true }),
    timeout: ANSWERS_WITHIN_MS,
    proxyTimeout: ANSWERS_WITHIN_MS,
    on: {
      proxyReq: dropCredentials,
      proxyRes: ({ headers }) => {
        headers['x-frame-options'] = 'DENY';
      },
      error: (error, request, response) => {
        logger.warn({ err: error, requestId: requestIdOf(request) }, 'the Temporal UI is away');
        if ('writeHead' in response) refuse(response, requestIdOf(request));
        else response.destroy();
      },
    },
  });
}

/** Our session and keys are none of the UI's business. */
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
  const refusal = new AppError('engine_unavailable', 'The Temporal UI does not answer.');
  const headers = { ...problemHeaders(refusal), 'Content-Type': 'application/problem+json' };
  const problem = problemOf(refusal, requestId);
  response.writeHead(problem.status, headers).end(JSON.stringify(problem));
}
