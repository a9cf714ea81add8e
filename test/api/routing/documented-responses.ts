/**
 * Compares every response that the tests get from the service with the reference. The status and code must be
 * documented, and the body must have exactly the documented shape.
 */
import type { Express } from 'express';
import express from 'express';
import { formatEndpoint } from '../../../src/api/openapi/document';
import { listCodes } from '../../../src/api/openapi/refusals';
import { listHeaderNames } from '../../../src/api/openapi/response-headers';
import type { Route } from '../../../src/api/routing/route';
import type { DocumentedResponse } from '../../../src/api/routing/route-doc';
import { problem } from '../../../src/schemas/responses/parts';

export interface WatchedApp {
  readonly app: Express;
  /** Responses whose status, code or body differs from the reference. */
  readonly undocumented: readonly string[];
}

/** Wraps the application so that each response is compared with the reference. */
export function watchAnswers(inner: Express, routes: readonly Route[]): WatchedApp {
  const undocumented: string[] = [];
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    const send = response.send.bind(response);
    let body: unknown;
    response.send = (given) => {
      body = typeof given === 'string' ? parse(given) : given;
      return send(given);
    };
    response.once('finish', () => {
      const entry = findRoute(routes, request.method, request.path);
      const fault =
        entry === null
          ? null
          : faultOf(entry, { status: response.statusCode, body, headers: response.getHeaders() });
      if (entry !== null && fault !== null) undocumented.push(`${formatEndpoint(entry)}: ${fault}`);
    });
    next();
  });
  app.use(inner);
  return { app, undocumented };
}

/** Cache of the path pattern of each route. */
const patterns = new WeakMap<Route, RegExp>();

function patternOf(entry: Route): RegExp {
  const known = patterns.get(entry);
  if (known !== undefined) return known;
  const { path } = entry;
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}$`);
  patterns.set(entry, pattern);
  return pattern;
}

/** Returns the parsed body. A body that is not JSON, such as a page, is returned as text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function findRoute(routes: readonly Route[], method: string, path: string): Route | null {
  const asked = method === 'HEAD' ? 'GET' : method;
  // A route with a fixed path is preferred to a route with parameters.
  const fixed = routes.filter((entry) => entry.path === path);
  if (fixed.length > 0) return fixed.find((entry) => entry.method === asked) ?? null;
  const found = routes.find((entry) => entry.method === asked && patternOf(entry).test(path));
  return found ?? null;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Headers that a route sets on purpose. A response may lack some of them, for example Link on a last page. */
const OWN_HEADERS = ['ETag', 'Location', 'Link', 'Retry-After', 'Idempotency-Replayed'] as const;
const ALWAYS_THERE = ['ETag', 'Location'] as const;

function headerFault(entry: Route, { status, headers }: Answered): string | null {
  const response = responseOf(entry, status);
  const documented = listHeaderNames(
    entry,
    response === undefined ? { status } : { status, response },
  );
  const isCarried = (name: string) => headers[name.toLowerCase()] !== undefined;
  const stray = OWN_HEADERS.find((name) => isCarried(name) && !documented.includes(name));
  if (stray !== undefined) return `${status} carries ${stray}, which is not documented`;
  const missing = ALWAYS_THERE.find((name) => documented.includes(name) && !isCarried(name));
  return missing === undefined ? null : `${status} lacks ${missing}, which is documented`;
}

function responseOf({ method, doc }: Route, status: number): DocumentedResponse | undefined {
  const isHeld = status === 304 && method === 'GET';
  return isHeld ? { description: 'Unchanged' } : doc.responses[status];
}

function faultOf(entry: Route, answered: Answered): string | null {
  return headerFault(entry, answered) ?? bodyFault(entry, answered);
}

function bodyFault(entry: Route, { status, body }: Answered): string | null {
  if (status >= 400) return problemFault(body, listCodes(entry));
  const response = responseOf(entry, status);
  if (response === undefined) return `${status} is not documented`;
  if (response.schema === undefined || body === undefined) return null;
  const parsed = response.schema.safeParse(body);
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  return `${status} ${issue?.path.join('.')}: ${issue?.message}`;
}

function problemFault(body: unknown, codes: readonly string[]): string | null {
  const parsed = problem.safeParse(body);
  if (!parsed.success) return `not a problem document: ${parsed.error.issues[0]?.message}`;
  const { code, detail } = parsed.data;
  return codes.includes(code) ? null : `${code} is not documented (${detail})`;
}
