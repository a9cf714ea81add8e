/**
 * Mounts the route table on an Express router. Checks method, credentials and scope first, so that the other checks
 * reveal nothing to people without permission.
 */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { SCOPES } from '../../domain/accounts/roles';
import { buildDeprecationHeaders } from '../../domain/compatibility/deprecation';
import { isId } from '../../domain/definitions/ids';
import { runUntil } from '../../platform/abandon';
import { AppError } from '../../platform/errors';
import { createQueues, type Enqueue } from '../../platform/queues';
import { beginWork } from '../../platform/watch-event-loop';
import type { Principal } from '../../services/accounts/principal';
import type { Dependencies } from '../../services/ports/dependencies';
import { withDeadline } from '../server/deadline';
import { ID_PARAMETERS } from '../server/id-parameters';
import { onceClosed } from '../server/once-closed';
import { getRequestId } from '../server/request-id';
import { releaseEarly } from '../server/shed-load';
import { createWorkLimits, type WorkLimits } from '../server/work-limits';
import { type CallerGate, createCallerGate, type Exchange } from './admit-caller';
import { type AuditedRespond, withAuditTrail } from './audit-trail';
import { isNotModified } from './preconditions';
import { readJsonBody } from './read-body';
import {
  createIdempotentResponder,
  type IdempotentResponse,
  type RespondIdempotently,
  readIdempotencyKey,
} from './respond-idempotently';
import type { RouteResponse } from './response';
import type { RawInput, Route } from './route';
import { hideTargetAdvice } from './target-advice';

export interface MountOptions {
  readonly services: Dependencies;
  readonly publicUrl: string;
  /** The keys that encrypt the responses stored for idempotency keys. */
  readonly secretKeys: readonly string[];
  /** Timeout of handlers whose route sets none; default: 3 s. */
  readonly requestDeadlineMs?: number | undefined;
}

interface MountNeeds extends MountOptions {
  readonly respondOnce: RespondIdempotently;
  readonly gate: CallerGate;
  readonly limits: WorkLimits;
  /** Runs writes to the same resource one after another. Between processes, versions prevent conflicting writes. */
  readonly enqueue: Enqueue;
}

/** A route whose handler records changes in the audit trail. */
type Mounted = Route & { readonly respond: AuditedRespond; readonly deadlineMs: number };

const DEADLINE_MS = 3_000;

/**
 * Time that remains for the request's own work after it has waited for an earlier request with the same idempotency
 * key.
 */
const OWN_WORK_MS = 1_000;

const EXPRESS_NAMES = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const;

/** Creates a router with these routes. Throws immediately if a route declares no scope or is mounted twice. */
export function mountRoutes(routes: readonly Route[], options: MountOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const respondOnce = createIdempotentResponder(options.services, options.secretKeys);
  const gate = createCallerGate(options.services, options.publicUrl);
  const needs = {
    ...options,
    gate,
    respondOnce,
    limits: createWorkLimits(),
    enqueue: createQueues(),
  };
  const routesOf = new Map<string, Route[]>();
  for (const entry of routes) {
    requireDeclaredScope(entry);
    const { method, path } = entry;
    const others = routesOf.get(path) ?? [];
    if (others.some((other) => other.method === method))
      throw new Error(`${method} ${path} is mounted twice`);
    routesOf.set(path, [...others, entry]);
  }
  // Mounts all methods of a path before the next path. Otherwise, a request with a method that a fixed path lacks could
  // reach a later path with parameters.
  for (const [path, entries] of routesOf) {
    for (const declared of entries) {
      const respond = withAuditTrail(declared, routes, options.services);
      const { deadlineMs = options.requestDeadlineMs ?? DEADLINE_MS } = declared;
      const entry: Mounted = { ...declared, deadlineMs, respond };
      const handle = (request: Request, response: Response): Promise<void> =>
        handleRequest(entry, needs, { request, response });
      router[EXPRESS_NAMES[entry.method]](path, announceRemoval(entry, options), handle);
    }
    const methods = entries.map(({ method }) => method);
    router.all(path, (request, response) => refuseMethod(request, response, methods));
  }
  return router;
}

/**
 * Adds headers to every response of a deprecated operation, including refusals. The headers say how long the operation
 * works.
 */
function announceRemoval({ doc }: Route, { publicUrl }: MountOptions): RequestHandler {
  if (doc.deprecated === undefined) return (_request, _response, next) => next();
  const headers = buildDeprecationHeaders(doc.deprecated, publicUrl);
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
}

async function handleRequest(
  entry: Mounted,
  needs: MountNeeds,
  { request, response }: Exchange,
): Promise<void> {
  const { method, bodyRule } = entry;
  const { headers } = request;
  // Stores the path template instead of the path, so that metrics by route have few label values.
  response.locals['route'] = entry.path;
  const abandon = new AbortController();
  const handling = async (): Promise<IdempotentResponse> => {
    const principal = await needs.gate.admit(entry, { request, response });
    const params = readParams(request);
    const key = principal === null || method !== 'POST' ? null : readIdempotencyKey(headers);
    // With an idempotency key, the ids are checked later, so that the refusal is stored like any
    // other response.
    if (key === null) refuseMalformedIds(params);
    const body = bodyRule === null ? undefined : await readJsonBody(request, response, bodyRule);
    const { query, originalUrl: url, path } = request;
    const origin = { requestId: getRequestId(request), clientAddress: readClientIp(request) };
    const { services } = needs;
    const input = { services, principal, params, query, body, headers, url, ...origin };
    const respond = () => respondTo(entry, input);
    const work = mayOutliveClient(entry) ? respond : () => runUntil(abandon.signal, respond);
    if (principal === null) return firstTime(await work());
    const inTurn = () => runInTurn(work, needs.limits, { entry, principal, response });
    const { accountId } = principal;
    if (isChange(entry)) return firstTime(await needs.enqueue(`${accountId} ${path}`, inTurn));
    if (key === null) return firstTime(await inTurn());
    const { deadlineMs } = entry;
    const waitMs = deadlineMs - OWN_WORK_MS;
    const keyed = {
      accountId,
      actorId: principal.actor.id,
      method,
      path,
      key,
      body,
      deadlineMs,
      waitMs,
    };
    return needs.respondOnce(keyed, inTurn);
  };
  const endWork = beginWork(`${method} ${entry.path}`);
  onceClosed(response, () => {
    endWork();
    abandon.abort(new AppError('unavailable', 'The client has disconnected.'));
  });
  const { result, isReplayed } = await withDeadline(handling(), entry.deadlineMs, abandon);
  if (isReplayed) response.set('Idempotency-Replayed', 'true');
  const { stream, ...whole } = result();
  if (stream === undefined || request.method === 'HEAD') {
    send(request, response, whole);
    return;
  }
  response.locals['isStream'] = true;
  const admitAgain = (): Promise<void> => needs.gate.admitAgain(entry, request);
  await stream({ request, response, admitAgain });
}

async function respondTo(entry: Mounted, input: RawInput): Promise<RouteResponse> {
  refuseMalformedIds(input.params);
  try {
    return await entry.respond(input);
  } catch (error) {
    throw await hideTargetAdvice(error, input.services, input.principal);
  }
}

/** True for work that continues after its client has disconnected: writes, and loops that several clients share. */
function mayOutliveClient({ method, load }: Route): boolean {
  return method !== 'GET' || load === 'stream' || load === 'wait';
}

function isChange({ method }: Route): boolean {
  return method === 'PUT' || method === 'PATCH' || method === 'DELETE';
}

interface Turn {
  readonly entry: Route;
  readonly principal: Principal;
  readonly response: Response;
}

/**
 * Runs the work in a turn. Turns limit how many expensive requests run at the same time. The turn ends when both the
 * work and the response have ended.
 */
async function runInTurn(
  work: () => Promise<RouteResponse>,
  limits: WorkLimits,
  { entry, principal, response }: Turn,
): Promise<RouteResponse> {
  const { load } = entry;
  if (load === undefined) return work();
  const end = limits.begin(load, principal);
  releaseEarly(response);
  const closed = new Promise<void>((resolve) => onceClosed(response, resolve));
  const working = work();
  void Promise.allSettled([working, closed]).then(end);
  return working;
}

/** Returns the client's IP address. Express takes it from a proxy's header only if it trusts the proxy. */
function readClientIp({ ip }: Request): string {
  return ip ?? '';
}

function firstTime(result: RouteResponse): IdempotentResponse {
  return { result: () => result, isReplayed: false };
}

function send(request: Request, response: Response, result: RouteResponse): void {
  response.set('Cache-Control', 'no-store');
  // A deprecated operation has a Link header already, so the link of the result is appended.
  const { Link: link, ...headers } = result.headers ?? {};
  response.set(headers);
  if (link !== undefined) response.append('Link', link);
  const etag = result.headers?.['ETag'];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && isNotModified(request.headers['if-none-match'], etag)) {
    response.status(304).end();
    return;
  }
  response.status(result.status);
  if (result.body === undefined) response.end();
  else response.json(result.body);
}

function requireDeclaredScope({ method, path, scope }: Route): void {
  const known: readonly string[] = [...SCOPES, 'operator', 'public'];
  if (!known.includes(scope)) throw new Error(`${method} ${path} declares no scope`);
}

function refuseMethod(request: Request, response: Response, methods: readonly string[]): void {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  response.set('Allow', allowed.join(', '));
  throw new AppError('method_not_allowed', `${request.method} is not allowed here.`);
}

function readParams(request: Request): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  for (const [name, value] of Object.entries(request.params))
    params.set(name, typeof value === 'string' ? value : value.join('/'));
  return params;
}

/** Throws `not_found` for malformed ids, as for unknown ids. */
function refuseMalformedIds(params: ReadonlyMap<string, string>): void {
  for (const [name, text] of params) {
    const kind = ID_PARAMETERS.get(name);
    if (kind !== undefined && !isId(kind, text)) throw new AppError('not_found', 'Not found.');
  }
}
