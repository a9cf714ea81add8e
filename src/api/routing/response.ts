/** What a handler answers, free of Express: the mount writes it to the wire in one place. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../platform/canonical-json';
import type { Principal } from '../../services/accounts/principal';
import type { RecordedChange } from '../../services/accounts/record-changes';
import type { ListPage } from '../../services/lists/list-page';
import type { StreamExchange } from './event-stream';

export interface RouteResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: no body. */
  readonly body?: unknown;
  /** Writes the answer itself, instead of a body; it may refuse before it sends anything. */
  readonly stream?: (exchange: StreamExchange) => Promise<void>;
  /** Who turned out to have acted, where no credentials were read. */
  readonly actedAs?: Pick<Principal, 'accountId' | 'actor'>;
  /** What changed, where it is more than the one thing of the path. */
  readonly changes?: readonly RecordedChange[];
}

/** A resource that carries its version and what is shown of it as `ETag` (RFC 9110 §8.8.3). */
export function resourceResponse(
  resource: { readonly version: number },
  created?: { readonly location: string },
): RouteResponse {
  const etag = etagOf(resource);
  if (created === undefined) return { status: 200, headers: { ETag: etag }, body: resource };
  return { status: 201, headers: { ETag: etag, Location: created.location }, body: resource };
}

/** A page with its `Link` to the next one (RFC 8288). `url` is the path and query of the request. */
export function listResponse(page: ListPage<unknown>, url: string): RouteResponse {
  const { nextCursor } = page;
  if (nextCursor === null) return { status: 200, body: page };
  const next = new URL(url, 'http://localhost');
  next.searchParams.set('cursor', nextCursor);
  const headers = { Link: `<${next.pathname}${next.search}>; rel="next"` };
  return { status: 200, headers, body: page };
}

export function okResponse(body: unknown): RouteResponse {
  return { status: 200, body };
}

export const NO_CONTENT: RouteResponse = { status: 204 };

const STATE_CHARACTERS = 16;

/** `"<version>.<state>"`: the state is another one whenever anything that is shown is. */
function etagOf(resource: { readonly version: number }): string {
  const state = createHash('sha256').update(canonicalJson(resource)).digest('base64url');
  return `"${resource.version}.${state.slice(0, STATE_CHARACTERS)}"`;
}
