/** `/mcp`: the tools over streamable HTTP, without sessions. Tools work through /v1 with the API key of the request. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type AskV1, V1Refusal } from '../../mcp/ask-v1';
import { createMcpServer } from '../../mcp/mcp-server';
import { AppError } from '../../platform/errors';
import { readVersion } from '../../platform/version';
import type { Principal } from '../../services/accounts/principal';
import type { Dependencies } from '../../services/ports/dependencies';
import { authenticateRequest } from '../routing/authenticate-request';
import { readJsonBody } from '../routing/read-body';
import { onceClosed } from '../server/once-closed';
import { getRequestId } from '../server/request-id';
import { releaseEarly } from '../server/shed-load';
import type { SendInside } from './inner-requests';

/** The size limit of apply, the tool with the largest input, plus some space for the JSON around it. */
const BODY_RULE = {
  mediaTypes: ['application/json'],
  isOptional: false,
  bytesMax: 4 * 1024 * 1024 + 16 * 1024,
};
/** Headers of the outer request that are passed on to inner requests. */
const PASSED_ON = ['authorization', 'host', 'x-forwarded-for', 'x-forwarded-proto'] as const;

interface McpNeeds {
  readonly services: Dependencies;
  readonly publicUrl: string;
  readonly sendInside: SendInside;
}

export function createMcpRouter(needs: McpNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const handle: RequestHandler = (request, response) => respond(needs, request, response);
  router.all('/mcp', handle);
  return router;
}

async function respond(needs: McpNeeds, request: Request, response: Response): Promise<void> {
  response.locals['route'] = '/mcp';
  refuseForeignPages(request, needs.publicUrl);
  const { actor, accountId } = await authenticate(needs, request);
  Object.assign(response.locals, { actor: actor.id, accountId });
  // Inner requests use their own slots of the load limit. The outer request frees its slot first, so that inner
  // requests never wait for this slot.
  releaseEarly(response);
  if (request.method !== 'POST') {
    response.set('Allow', 'POST');
    throw new AppError('method_not_allowed', 'Send messages by POST. There are no sessions.');
  }
  const message = await readJsonBody(request, response, BODY_RULE);
  if (Array.isArray(message))
    throw new AppError('validation_failed', 'Send one message at a time, not a batch.');
  await connect(createAsk(request, needs.sendInside), { request, response, message });
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly message: unknown;
}

async function connect(ask: AskV1, { request, response, message }: Exchange): Promise<void> {
  const server = await createMcpServer({ version: readVersion(), ask });
  const { StreamableHTTPServerTransport } = await import(
    '@modelcontextprotocol/sdk/server/streamableHttp.js'
  );
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  onceClosed(response, () => void server.close());
  response.set('Cache-Control', 'no-store');
  await server.connect(transport);
  await transport.handleRequest(request, response, message);
}

/** Refuses requests from pages of other origins. Such a page can point its own host name here (DNS rebinding). */
function refuseForeignPages({ headers }: Request, publicUrl: string): void {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new AppError('insufficient_scope', 'Pages of other origins may not use /mcp.');
}

/** Accepts only API keys. If cookies were accepted, pages of other sites could use the tools. */
async function authenticate(
  { services, publicUrl }: McpNeeds,
  { headers, ip = '' }: Request,
): Promise<Principal> {
  if (headers.authorization === undefined)
    throw new AppError('missing_token', 'Send an API key as "Authorization: Bearer <API_KEY>".');
  const asked = { method: 'POST', headers, publicUrl, clientAddress: ip } as const;
  return authenticateRequest(services, asked);
}

function createAsk(request: Request, sendInside: SendInside): AskV1 {
  const { headers: given, socket } = request;
  const { remoteAddress } = socket;
  const headers: Record<string, string> = { 'x-request-id': getRequestId(request) };
  for (const name of PASSED_ON) {
    const value = given[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return async ({ method, path, query = {}, body, idempotencyKey }) => {
    const { status, body: text } = await sendInside({
      method,
      path: `/${path}${queryText(query)}`,
      remoteAddress,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const value: unknown = JSON.parse(text);
    if (status < 400) return value;
    throw new V1Refusal(value);
  };
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, value);
  return search.size === 0 ? '' : `?${search.toString()}`;
}
