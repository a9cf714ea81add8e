/**
 * The error responses in the reference. Routes with the same error codes share one component, named after its most
 * distinctive codes.
 */
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ERROR_STATUSES, type ErrorCode } from '../../contracts/error-codes';
import { problem } from '../../schemas/responses/parts';
import { findOpenWhileSuspended } from '../routing/open-while-suspended';
import type { Route } from '../routing/route';
import { buildResponseHeaders, listHeaderNames } from './response-headers';
import { listQueryFields } from './shape-facts';

const EVERY_ROUTE: readonly ErrorCode[] = ['invalid_query', 'internal', 'unavailable'];
const SCOPED: readonly ErrorCode[] = [
  'missing_token',
  'invalid_token',
  'expired_token',
  'revoked_token',
  'plan_required',
  'rate_limited',
];
const WITH_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
];

/** Codes that are left out of component names, because the rest of the name implies them. */
const ONE_OF_A_STATUS: readonly ErrorCode[] = [
  'not_found',
  'version_mismatch',
  'rate_limited',
  'idempotency_conflict',
];

type RefusalStatus = (typeof ERROR_STATUSES)[ErrorCode];

const STATUS_NAMES: Readonly<Record<RefusalStatus, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

type Refusals = Readonly<Record<string, ZodOpenApiResponseObject>>;

/** Lists the codes of every refusal that the route may return. */
export function listCodes(entry: Route): readonly ErrorCode[] {
  const isScoped = entry.scope !== 'public';
  return [
    ...EVERY_ROUTE,
    ...(isScoped ? SCOPED : []),
    ...(isScoped && findOpenWhileSuspended(entry) !== 'everyone'
      ? (['account_suspended'] as const)
      : []),
    ...(isScoped && !entry.isOpenWithoutFactor ? (['second_factor_required'] as const) : []),
    // Every key has the scope `read`, so reads are never refused for a missing scope.
    ...(isScoped && entry.scope !== 'read' ? (['insufficient_scope'] as const) : []),
    ...(entry.bodyRule === null ? [] : WITH_BODY),
    ...(isScoped && entry.method === 'POST' ? (['idempotency_conflict'] as const) : []),
    ...(entry.path.includes(':') ? (['not_found'] as const) : []),
    ...('cursor' in listQueryFields(entry) ? (['invalid_cursor'] as const) : []),
    ...(entry.doc.codes ?? []),
  ];
}

/**
 * Creates a function that returns the error responses of a route by status. The first route with a set of codes defines
 * a component. Later routes with the same codes only reference the component.
 */
export function createRefusals(): (entry: Route) => Refusals {
  const known = new Map<string, ZodOpenApiResponseObject>();
  return (entry) => {
    const byStatus = codesByStatus(listCodes(entry));
    const refusals = [...byStatus].map(([status, codes]) => {
      const id = buildName(entry, { status, codes });
      const refusal = known.get(id) ?? describe(entry, { id, status, codes });
      known.set(id, refusal);
      return [String(status), refusal] as const;
    });
    return Object.fromEntries(refusals);
  };
}

interface Refusal {
  readonly status: RefusalStatus;
  readonly codes: readonly ErrorCode[];
}

function describe(
  entry: Route,
  { id, status, codes }: Refusal & { readonly id: string },
): ZodOpenApiResponseObject {
  return {
    id,
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: buildResponseHeaders(entry, { status }),
    content: { 'application/problem+json': { schema: problem } },
  };
}

/**
 * Builds the name of the component from the codes that are unusual for such routes. Each set of codes therefore gets
 * its own name.
 */
function buildName(entry: Route, { status, codes }: Refusal): string {
  const isScoped = entry.scope !== 'public';
  const scoped: readonly ErrorCode[] = isScoped ? [...SCOPED, 'second_factor_required'] : [];
  const usual = [...EVERY_ROUTE, ...scoped, ...WITH_BODY, ...ONE_OF_A_STATUS, 'account_suspended'];
  const peculiar = codes.filter((code) => !usual.includes(code)).map(capitalised);
  const body = codes.includes('validation_failed') ? 'Body' : '';
  const replayed = listHeaderNames(entry, { status }).includes('Idempotency-Replayed')
    ? 'Replayable'
    : '';
  const access = isScoped ? '' : 'Public';
  return [access, replayed, STATUS_NAMES[status], body, ...peculiar].join('');
}

/** Turns `key_taken` into `KeyTaken`. */
function capitalised(code: string): string {
  const words = code.split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function codesByStatus(
  codes: readonly ErrorCode[],
): ReadonlyMap<RefusalStatus, readonly ErrorCode[]> {
  const grouped = new Map<RefusalStatus, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = ERROR_STATUSES[code];
    grouped.set(status, [...(grouped.get(status) ?? []), code]);
  }
  return new Map([...grouped].sort(([a], [b]) => a - b));
}
