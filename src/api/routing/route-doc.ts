/**
 * The documentation of a route and the possible responses of its handler. A route without documentation does not
 * compile.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/error-codes';
import type { Deprecation } from '../../domain/compatibility/deprecation';

/** The groups of the reference, in the order in which they are shown. The most used groups come first. */
export const TAGS = {
  Monitors: 'Checks of one target on a schedule, from one or more regions.',
  Results: 'What the checks of a monitor found.',
  Scenarios: 'Ordered steps that pass extracted values on, on a schedule or on demand.',
  Runs: 'Executions of a scenario, with a record of each step.',
  Heartbeats:
    'Monitors of the type `heartbeat` wait for pings of your jobs. Create, change and list them as monitors.',
  Checks: 'Monitors and scenarios together: lists, counts, trends and bulk actions.',
  Incidents: 'Outages with their timeline, and who works on them.',
  Alerts: 'The channels that carry alerts, and every message with its deliveries.',
  'Alert policies': 'Whom to notify one after the other, and which policy applies to which check.',
  Maintenance: 'Maintenance windows and hours, outside of which no one is notified.',
  'Status pages': 'What the public sees about your checks.',
  'Status page posts': 'Incidents and maintenance in your own words, with updates.',
  Subscribers: 'People and systems that get the posts of a status page.',
  Secrets: 'Values that can be stored but not read again.',
  Environments: 'Environments and account variables: values that complete definitions.',
  Profiles: 'Values that monitors and scenarios inherit.',
  'Configuration as code': 'Whole sets of definitions, matched by key.',
  Rollouts: 'Changes of many monitors and scenarios that run in the background.',
  'Saved views': 'Filters, order and columns of the list of checks under a name.',
  Regions: 'The regions that checks run from.',
  'Live events': 'A stream of changes.',
  Service: 'The description of this API.',
  Account: 'The account, its plan and its audit trail.',
  People: 'Members and invitations.',
  'API keys': 'Keys for programs, and pipelines that need no stored key.',
  'Sign-in': 'Identity providers, second factors and passkeys.',
  'Set-up and sessions': 'The first account, and the sessions that the dashboard uses.',
  Probes: 'Keys of probes, for the first account of the installation.',
  Operator: 'All accounts of the installation, for its operators.',
} as const;

export type Guide = `docs/${string}.md` | `docs/${string}.md#${string}`;

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
  /** A verb in the imperative and its object: `Update a monitor`. Unique among all operations. */
  readonly summary: string;
  /** One to three sentences: the effect, the limits of the effect, and whether the operation can be repeated or undone. */
  readonly description: string;
  /** The document that explains more, with or without a heading: `docs/api/monitors.md#filters`. */
  readonly guide: Guide;
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
