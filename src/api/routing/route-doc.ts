/**
 * What the reference says of a route, and what its handler may return: one place for both, beside the
 * handler. A route without it does not compile.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/error-codes';

export const TAGS = {
  'Set-up and sessions': 'The first account, and the cookie that the dashboard uses.',
  Account: 'The account, its people, keys and trail.',
  Monitors: 'One request with assertions, on a schedule, from one or more regions.',
  Scenarios: 'Ordered steps that hand extracted values on, and their runs.',
  Secrets: 'Values that can be written but never read.',
  Alerts: 'Channels, incidents, and every message with its deliveries.',
  'Status pages': 'What outsiders may see, once it is switched on.',
  Maintenance: 'Maintenance windows: no alerts, and no effect on uptime.',
  'Configuration as code': 'Whole sets of definitions by key.',
  'Saved views': 'Filters, order and columns of the list of checks under a name.',
  Service: 'Regions, live events, and this description.',
} as const;

/** One status; without a schema there is no body. */
export interface DocumentedResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** When it is not JSON; the handler then writes the response itself. */
  readonly mediaType?: string;
  /** Further types that the same response may have. */
  readonly otherMediaTypes?: readonly string[];
  /** It carries a `Location`, as every 201 does. */
  readonly isLocated?: boolean;
}

/** By status. 304 and refusals are not among them: the one follows from the schema, the others from codes. */
export type DocumentedResponses = Readonly<Record<number, DocumentedResponse>>;

export interface RouteDoc<Responses extends DocumentedResponses = DocumentedResponses> {
  /** A verb and its object, as generated clients call it. Part of the API: clients break when it changes. */
  readonly operationId: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly responses: Responses;
  /** Codes beside those that every route of its kind may return. */
  readonly codes?: readonly ErrorCode[];
  /** What a merge patch may hold, where the route itself looks at its outcome only. */
  readonly documentedBody?: z.ZodType;
  /** A body that the service accepts. */
  readonly example?: unknown;
}

/** Of routes that answer nothing but that it is done. */
export const DONE = { 204: { description: 'Done; no body' } } as const;
