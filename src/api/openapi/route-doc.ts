/**
 * What the reference says of a route beside what the route itself knows: a title, where it belongs,
 * and what it answers. A route without such words fails a test by name.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/error-codes';

export const TAGS = {
  'Set-up and sessions': 'The first account, and the cookie that the dashboard uses.',
  Account: 'The account, its people, keys and trail.',
  Monitors: 'One request with assertions, on a schedule, from one or more regions.',
  Scenarios: 'Ordered steps that hand extracted values on, and their runs.',
  Secrets: 'Values that are written and never read back.',
  Alerts: 'Channels, incidents, and the messages that were owed to people.',
  'Status pages': 'What outsiders may see, once it is switched on.',
  Maintenance: 'Times that count for nothing and page nobody.',
  'Configuration as code': 'Whole sets of definitions by key.',
  Service: 'Regions, live events, and this description.',
} as const;

/** What one status means; without a shape there is no body. */
export interface DocumentedResponse {
  readonly says: string;
  readonly shape?: z.ZodType;
  /** When it is not JSON. */
  readonly mediaType?: string;
  /** It carries a `Location`, as every 201 does. */
  readonly isLocated?: boolean;
}

export interface RouteDoc {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** By status; refusals are listed by their codes. */
  readonly answers: Readonly<Record<number, DocumentedResponse>>;
  /** Codes beside those that every route of its kind may answer. */
  readonly codes?: readonly ErrorCode[];
  /** What a merge patch may hold, where the route itself looks at its outcome only. */
  readonly body?: z.ZodType;
  /** A body that the service accepts. */
  readonly example?: unknown;
}

export type RouteDocs = Readonly<Record<string, RouteDoc>>;
