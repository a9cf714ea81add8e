/**
 * The documentation of a route and the possible responses of its handler. A route without documentation does not
 * compile.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/error-codes';
import type { Deprecation } from '../../domain/compatibility/deprecation';

export const TAGS = {
  'Set-up and sessions': 'The first account, and the cookie that the dashboard uses.',
  'Sign-in': 'Identity providers, second factors and passkeys.',
  Operator: 'All accounts of the installation, for its operators.',
  Account: 'The account, its people, keys and trail.',
  Monitors: 'One request with assertions, on a schedule, from one or more regions.',
  Scenarios: 'Ordered steps that hand extracted values on, and their runs.',
  Secrets: 'Values that can be written but never read.',
  Alerts: 'Channels, incidents, and every message with its deliveries.',
  'Status pages': 'What outsiders may see, once it is switched on.',
  Environments: 'Environments and account variables: values that complete definitions.',
  Maintenance: 'Maintenance windows: no alerts, and no effect on uptime.',
  'Configuration as code': 'Whole sets of definitions by key.',
  Rollouts: 'Changes of many monitors and scenarios that run in the background.',
  'Saved views': 'Filters, order and columns of the list of checks under a name.',
  Service: 'Regions, live events, and this description.',
} as const;

/** Without a schema, the response has no body. */
export interface DocumentedResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Set when the response is not JSON. The handler then writes the response itself. */
  readonly mediaType?: string;
  /** Other media types that the same response may have. */
  readonly otherMediaTypes?: readonly string[];
  /** True means that the response has a `Location` header, like every 201. */
  readonly isLocated?: boolean;
}

/** The responses by status. 304 and errors are left out, because they follow from the schema and the error codes. */
export type DocumentedResponses = Readonly<Record<number, DocumentedResponse>>;

export interface RouteDoc<Responses extends DocumentedResponses = DocumentedResponses> {
  /** A verb and its object. Generated clients use it as a method name, so changing it breaks clients. */
  readonly operationId: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly responses: Responses;
  /** Error codes in addition to the codes that every route with this method and scope may return. */
  readonly codes?: readonly ErrorCode[];
  /** The schema of a merge patch, if the route itself validates only the merged result. */
  readonly documentedBody?: z.ZodType;
  /** Set when the operation will be removed. Responses, the reference and OpenAPI then say so. */
  readonly deprecated?: Deprecation;
  /** An example of a valid body. */
  readonly example?: unknown;
}

/** The documented responses of routes that return no body. */
export const DONE = { 204: { description: 'Done; no body' } } as const;
