/**
 * Routes as data: endpoint, scope, input, responses, and name in the audit trail. A handler gets validated input and
 * does not know Express.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Scope } from '../../domain/accounts/roles';
import { validate } from '../../schemas/issues';
import type { Principal } from '../../services/accounts/principal';
import { readChange } from '../../services/lists/read-change';
import type { Dependencies } from '../../services/ports/dependencies';
import type { Load } from '../server/work-limits';
import type { BodyRule } from './read-body';
import { type BodyShape, readBody, readQuery } from './read-shape';
import type { ResponseTo, RouteResponse } from './response';
import type { DocumentedResponses, RouteDoc } from './route-doc';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** A resource type and the action on it, for example `monitor.update`. */
type AuditAction = `${string}.${string}`;

/** The name of a change in the audit trail. By default, the resource type is the action's first word. */
export interface AuditName {
  readonly action: AuditAction;
  readonly resourceType: string;
}

/**
 * Writes declare an audit name; null leaves a write out of the audit trail. Reads declare a name only if they change
 * something, for example at the end of a sign-in.
 */
type Recorded =
  | { readonly endpoint: `GET /${string}`; readonly audit?: AuditAction | AuditName }
  | {
      readonly endpoint: `${Exclude<Method, 'GET'>} /${string}`;
      readonly audit: AuditAction | AuditName | null;
    };

/** The input of a route after authentication. */
export interface RawInput {
  readonly services: Dependencies;
  readonly principal: Principal | null;
  readonly params: ReadonlyMap<string, string>;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Requested path and query. */
  readonly url: string;
  readonly requestId: string;
  /** The client's IP address. Only trusted proxies may report it. */
  readonly clientAddress: string;
}

export interface Route {
  readonly method: Method;
  /** The path in Express's syntax, for example `/v1/monitors/:monitorId`. */
  readonly path: string;
  /** `public` means that no credentials are read. `operator` means operators of the installation, and their keys. */
  readonly scope: Scope | 'operator' | 'public';
  /** null means that the route reads no body. */
  readonly bodyRule: BodyRule | null;
  /** Timeout of the handler. undefined means the default of `mountRoutes`. */
  readonly deadlineMs: number | undefined;
  /** Set for expensive requests. Determines how many may run at once. */
  readonly load: Load | undefined;
  /** True means that the route also accepts people who must prove a second factor first. */
  readonly isOpenWithoutFactor: boolean;
  /** The schemas of the request, for the reference. */
  readonly shapes: { readonly body: z.ZodType | null; readonly query: z.ZodType };
  readonly doc: RouteDoc;
  /** null means that the route is not recorded in the audit trail. */
  readonly audit: AuditName | null;
  readonly respond: (input: RawInput) => Promise<RouteResponse>;
}

interface Reads<Body, Query> {
  /** Default: NO_BODY. */
  readonly body: BodyShape<Body>;
  /** Default: NO_QUERY. */
  readonly query: z.ZodType<Query>;
}

type Shapes<Body, Query> = Recorded &
  Partial<Reads<Body, Query>> & {
    /** True means that a missing body counts as `{}`. */
    readonly isBodyOptional?: boolean;
    /** Set when the body may be larger than usual. */
    readonly bodyBytesMax?: number;
    /** True means that the body is a form instead of JSON, and its fields become texts. */
    readonly isForm?: boolean;
    readonly isOpenWithoutFactor?: boolean;
    readonly deadlineMs?: number;
    readonly load?: Load;
  };

interface Input<Body, Query> {
  readonly services: Dependencies;
  /** Returns a path parameter. Throws for a name that is not in the path. */
  readonly param: (name: string) => string;
  readonly body: Body;
  /** The raw body, without defaults. It shows which fields the client left out. */
  readonly sent: unknown;
  readonly query: Query;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly requestId: string;
  readonly clientAddress: string;
}

type StoredInput = Pick<Input<unknown, unknown>, 'services' | 'param'>;

type ScopedSpec<Body, Query, Responses extends DocumentedResponses> = Shapes<Body, Query> &
  RouteDoc<Responses> & {
    readonly scope: Scope | 'operator';
    /** Reads the stored object to find out which problems it already had. Called only if the body has problems. */
    readonly readStored?: (principal: Principal, input: StoredInput) => Promise<unknown>;
    readonly handler: (
      principal: Principal,
      input: Input<Body, Query>,
    ) => Promise<ResponseTo<NoInfer<Responses>>>;
  };

type PublicSpec<Body, Query, Responses extends DocumentedResponses> = Shapes<Body, Query> &
  RouteDoc<Responses> & {
    readonly handler: (input: Input<Body, Query>) => Promise<ResponseTo<NoInfer<Responses>>>;
  };

type Whole<Body, Query> = Shapes<Body, Query> & Reads<Body, Query>;

/** The body of routes that read no body. */
const NO_BODY = z.undefined();

/** The body of actions without input: no body, or `{}`. */
export const EMPTY_BODY = z.strictObject({});

/** The query of routes without parameters. */
const NO_QUERY = z.strictObject({});

/** The body of PATCH: a merge patch. The merged result is validated against the schema of the resource. */
export const PATCH_BODY = z.looseObject({});

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MERGE_PATCH_TYPE = 'application/merge-patch+json';

function withDefaults<Spec, Body, Query>(
  spec: Spec & Partial<Reads<Body, Query>>,
): Spec & Reads<Body, Query>;
function withDefaults(spec: object): object {
  return { body: NO_BODY, query: NO_QUERY, ...spec };
}

/** Creates a route for callers with the given scope. */
export function route<Body, Query, Responses extends DocumentedResponses>(
  given: ScopedSpec<Body, Query, Responses>,
): Route {
  const spec = withDefaults(given);
  return {
    ...buildBase(spec, spec.scope),
    respond: async ({ principal, ...raw }) => {
      if (principal === null) throw new Error(`${spec.endpoint} was called without a principal`);
      return spec.handler(principal, await checkChange(spec, principal, raw));
    },
  };
}

/** Creates a route that needs no credentials. */
export function publicRoute<Body, Query, Responses extends DocumentedResponses>(
  given: PublicSpec<Body, Query, Responses>,
): Route {
  const spec = withDefaults(given);
  return { ...buildBase(spec, 'public'), respond: async (raw) => spec.handler(check(spec, raw)) };
}

function buildBase<Body, Query>(spec: Whole<Body, Query> & RouteDoc, scope: Route['scope']) {
  const { endpoint, isBodyOptional = false, bodyBytesMax, load, deadlineMs } = spec;
  const { isForm = false, isOpenWithoutFactor = false } = spec;
  const [word = '', path = ''] = endpoint.split(' ');
  const method = METHODS.find((known) => known === word);
  if (method === undefined) throw new Error(`${endpoint} has an unknown method`);
  const readsBody: boolean = !(spec.body instanceof z.ZodUndefined);
  const jsonTypes = method === 'PATCH' ? [MERGE_PATCH_TYPE, JSON_TYPE] : [JSON_TYPE];
  const mediaTypes = isForm ? [FORM_TYPE] : jsonTypes;
  const bodyRule = readsBody
    ? { mediaTypes, isOptional: isBodyOptional, bytesMax: bodyBytesMax, isForm }
    : null;
  const bodyShape = spec.body instanceof z.ZodType ? spec.body : spec.body.shape;
  const shapes = { body: readsBody ? bodyShape : null, query: spec.query };
  const audit = readAuditName(spec.audit ?? null);
  const limits = { deadlineMs, load, isOpenWithoutFactor };
  return { method, path, scope, ...limits, bodyRule, shapes, doc: spec, audit };
}

function readAuditName(audit: AuditAction | AuditName | null): AuditName | null {
  if (typeof audit !== 'string') return audit;
  const [resourceType = ''] = audit.split('.');
  return { action: audit, resourceType };
}

type Unauthenticated = Omit<RawInput, 'principal'>;

/** Validates a change like `check`, but ignores problems that the stored object already had. */
async function checkChange<Body, Query, Responses extends DocumentedResponses>(
  spec: ScopedSpec<Body, Query, Responses> & Reads<Body, Query>,
  principal: Principal,
  raw: Unauthenticated,
): Promise<Input<Body, Query>> {
  const { readStored } = spec;
  if (readStored === undefined || validate(spec.body, raw.body).ok) return check(spec, raw);
  const { services } = raw;
  const stored = await readStored(principal, { services, param: paramReader(spec, raw) });
  return buildInput(spec, raw, readChange(spec.body, { sent: raw.body, stored }));
}

function check<Body, Query>(spec: Whole<Body, Query>, raw: Unauthenticated): Input<Body, Query> {
  return buildInput(spec, raw, readBody(spec.body, raw.body));
}

function buildInput<Body, Query>(
  spec: Whole<Body, Query>,
  raw: Unauthenticated,
  body: Body,
): Input<Body, Query> {
  const { services, headers, url, requestId, clientAddress, body: sent } = raw;
  const query = readQuery(spec.query, raw.query);
  const param = paramReader(spec, raw);
  return { services, param, headers, url, requestId, clientAddress, sent, query, body };
}

function paramReader<Body, Query>(
  { endpoint }: Shapes<Body, Query>,
  { params }: Unauthenticated,
): Input<Body, Query>['param'] {
  return (name) => {
    const value = params.get(name);
    if (value === undefined) throw new Error(`${endpoint} has no parameter ${name}`);
    return value;
  };
}
