/**
 * The OpenAPI 3.1 document of /v1, made from the shapes that validate and those that answers have.
 * It reads the route table and the words about it; it knows no route by name.
 */
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type ErrorCode, STATUS_OF_ERROR } from '../../contracts/error-codes';
import { problem } from '../../schemas/answers/parts';
import type { Route } from '../route';
import { answerHeaders } from './answer-headers';
import { type RouteDoc, type RouteDocs, TAGS } from './route-doc';

export interface DocumentOptions {
  readonly routes: readonly Route[];
  readonly docs: RouteDocs;
  readonly version: string;
}

export type OpenApiDocument = ReturnType<typeof createDocument>;

type Operation = ZodOpenApiOperationObject;

const EVERY_ROUTE: readonly ErrorCode[] = ['invalid_query', 'internal', 'engine_unavailable'];
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

/** Throws when a route has no words, or words have no route. */
export function createOpenApiDocument({ routes, docs, version }: DocumentOptions): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const entry of routes) {
    const path = entry.path.replaceAll(/:(\w+)/g, '{$1}');
    const operation = operationOf(entry, docOf(docs, entry));
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: operation };
  }
  const known = new Set(routes.map(endpointOf));
  const stray = Object.keys(docs).filter((endpoint) => !known.has(endpoint));
  if (stray.length > 0) throw new Error(`documented, but not mounted: ${stray.join(', ')}`);
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Keepwatch',
        version,
        description: 'Uptime monitoring that cannot lose a check.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key, `kw_…`' },
          session: { type: 'apiKey', in: 'cookie', name: 'keepwatch_session' },
        },
      },
    },
    { override: allowNewFields },
  );
}

/** Clients must tolerate new fields in answers, so the document never closes one. */
function allowNewFields({
  jsonSchema,
  io,
}: {
  readonly jsonSchema: { additionalProperties?: unknown };
  readonly io: 'input' | 'output';
}): void {
  if (io === 'output' && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
}

/** The codes of every refusal that a route may answer. */
export function codesOf(entry: Route, doc: RouteDoc): readonly ErrorCode[] {
  const isScoped = entry.scope !== 'public';
  return [
    ...EVERY_ROUTE,
    ...(isScoped ? SCOPED : []),
    // Every key may read.
    ...(isScoped && entry.scope !== 'read' ? (['insufficient_scope'] as const) : []),
    ...(entry.bodyRule === null ? [] : WITH_BODY),
    ...(isScoped && entry.method === 'POST' ? (['idempotency_conflict'] as const) : []),
    ...(entry.path.includes(':') ? (['not_found'] as const) : []),
    ...(queryNames(entry).includes('cursor') ? (['invalid_cursor'] as const) : []),
    ...(doc.codes ?? []),
  ];
}

function docOf(docs: RouteDocs, entry: Route): RouteDoc {
  const doc = docs[endpointOf(entry)];
  if (doc === undefined) throw new Error(`${endpointOf(entry)} is not documented`);
  return doc;
}

export function endpointOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

function operationOf(entry: Route, doc: RouteDoc): Operation {
  const { scope, bodyRule, shapes } = entry;
  const security = scope === 'public' ? [] : [{ key: [] }, { session: [] }];
  return {
    operationId: operationId(entry),
    summary: doc.summary,
    description: scope === 'public' ? 'Needs no credentials.' : `Needs the scope \`${scope}\`.`,
    tags: [doc.tag],
    security,
    requestParams: paramsOf(entry),
    ...(bodyRule !== null &&
      shapes.body !== null && {
        requestBody: {
          required: !bodyRule.isOptional,
          content: Object.fromEntries(
            bodyRule.mediaTypes.map((type) => [
              type,
              {
                schema: shapes.body ?? z.unknown(),
                ...(doc.example !== undefined && { example: doc.example }),
              },
            ]),
          ),
        },
      }),
    responses: responsesOf(entry, doc),
  };
}

/** `GET /v1/monitors/:monitorId/results` → `getMonitorsMonitorIdResults`. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && word !== 'v1');
  const capitalised = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + capitalised.join('');
}

function queryNames({ shapes }: Route): readonly string[] {
  return Object.keys(objectOf(shapes.query)?.shape ?? {});
}

/** The object behind refinements and transformations. */
function objectOf(shape: unknown): z.ZodObject | null {
  if (shape instanceof z.ZodObject) return shape;
  return shape instanceof z.ZodPipe ? objectOf(shape.in) : null;
}

function paramsOf(entry: Route): ZodOpenApiParameters {
  const names = [...entry.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const query = objectOf(entry.shapes.query);
  const isVersioned = ['PUT', 'PATCH', 'DELETE'].includes(entry.method) && names.length > 0;
  const isKeyed = entry.method === 'POST' && entry.scope !== 'public';
  const header = {
    ...(isVersioned && {
      'If-Match': z.string().optional().meta({ description: 'The quoted version; stale: 412' }),
    }),
    ...(isKeyed && {
      'Idempotency-Key': z.string().min(1).max(255).optional().meta({
        description: 'Kept for 24 h: the same key and body answer as the first time',
      }),
    }),
  };
  return {
    ...(names.length > 0 && {
      path: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    }),
    ...(query !== null && Object.keys(query.shape).length > 0 && { query }),
    ...(Object.keys(header).length > 0 && { header: z.object(header) }),
  };
}

function responsesOf(entry: Route, doc: RouteDoc): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, { says, shape, mediaType = 'application/json' }] of Object.entries(
    doc.answers,
  )) {
    responses[`${Number(status)}` as '200'] = {
      description: says,
      headers: answerHeaders(entry, Number(status)),
      ...(shape !== undefined && { content: { [mediaType]: { schema: shape } } }),
    };
  }
  for (const [status, codes] of codesByStatus(codesOf(entry, doc))) {
    responses[`${status}` as '400'] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: answerHeaders(entry, status),
      content: { 'application/problem+json': { schema: problem } },
    };
  }
  return responses;
}

function codesByStatus(codes: readonly ErrorCode[]): ReadonlyMap<number, readonly ErrorCode[]> {
  const grouped = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = STATUS_OF_ERROR[code];
    grouped.set(status, [...(grouped.get(status) ?? []), code]);
  }
  return new Map([...grouped].sort(([a], [b]) => a - b));
}
