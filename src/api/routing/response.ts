/** The result of a handler. It does not depend on Express; `mountRoutes` sends all responses. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { toCanonicalJson } from '../../platform/canonical-json';
import type { ResponseOf } from '../../schemas/responses/parts';
import type { RecordedChange } from '../../services/accounts/audit-events';
import type { Principal } from '../../services/accounts/principal';
import type { ListPage } from '../../services/lists/read-list';
import type { StreamExchange } from './event-stream';
import type { DocumentedResponse, DocumentedResponses } from './route-doc';

/** The parts of a response that have no schema. */
interface Envelope {
  readonly headers?: Readonly<Record<string, string>>;
  /** Who acted, for the audit trail of routes without credentials. */
  readonly actedAs?: Pick<Principal, 'accountId' | 'actor'>;
  /** The changes of a route that changes more than one resource. */
  readonly changes?: readonly RecordedChange[];
}

/** Writes the response itself. May throw before it sends anything. */
type Stream = (exchange: StreamExchange) => Promise<void>;

export interface RouteResponse extends Envelope {
  readonly status: number;
  /** The body of the response. If absent, the response has none. */
  readonly body?: unknown;
  readonly stream?: Stream;
}

export type ResponseTo<Responses extends DocumentedResponses> = {
  [Status in keyof Responses & number]: Envelope & { readonly status: Status } & Content<
      Responses[Status]
    >;
}[keyof Responses & number];

type Content<Documented extends DocumentedResponse> = Documented extends { mediaType: string }
  ? { readonly stream: Stream }
  : Documented extends { schema: infer Schema extends z.ZodType }
    ? // The type of a generic schema is known only to the caller.
      { readonly body: z.output<Schema> | ResponseOf<Schema> }
    : { readonly body?: undefined };

interface Ok<Body> extends Envelope {
  readonly status: 200;
  readonly body: Body;
}

interface Created<Body> extends Envelope {
  readonly status: 201;
  readonly body: Body;
}

interface Versioned {
  readonly version: number;
}

/** Responds with a resource. Its `ETag` (RFC 9110 §8.8.3) consists of its version and a hash of its visible state. */
export function resourceResponse<Resource extends Versioned>(resource: Resource): Ok<Resource> {
  return { status: 200, headers: { ETag: hashResource(resource) }, body: resource };
}

/**
 * Responds with 201 and the path of a resource that was just created. The `ETag` is the same as in resourceResponse.
 */
export function createdResponse<Resource extends Versioned>(
  resource: Resource,
  path: string,
): Created<Resource> {
  return { status: 201, headers: { ETag: hashResource(resource), Location: path }, body: resource };
}

/**
 * Responds with a page of a list, with a `Link` to the next page (RFC 8288). `url` is the path and query of the
 * request.
 */
export function listResponse<Page extends ListPage<unknown>>(page: Page, url: string): Ok<Page> {
  const { nextCursor } = page;
  if (nextCursor === null) return { status: 200, body: page };
  const next = new URL(url, 'http://localhost');
  next.searchParams.set('cursor', nextCursor);
  const headers = { Link: `<${next.pathname}${next.search}>; rel="next"` };
  return { status: 200, headers, body: page };
}

export function okResponse<Body>(body: Body): Ok<Body> {
  return { status: 200, body };
}

export const NO_CONTENT = { status: 204 } as const;

const STATE_CHARACTERS = 16;

/** Returns `"<version>.<state>"`. The state changes whenever anything in the response changes. */
function hashResource(resource: Versioned): string {
  const state = createHash('sha256').update(toCanonicalJson(resource)).digest('base64url');
  return `"${resource.version}.${state.slice(0, STATE_CHARACTERS)}"`;
}
