/**
 * The OpenAPI 3.1 document of /v1, generated from the request schemas and the response schemas. It reads the route
 * table and contains no route names.
 */

import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { buildDeprecationFacts, formatDeprecation } from '../../domain/compatibility/deprecation';
import { BODY_BYTES_MAX } from '../routing/read-body';
import type { Route } from '../routing/route';
import { type DocumentedResponses, TAGS } from '../routing/route-doc';
import { copyTexts } from './copy-texts';
import { nameParts } from './name-parts';
import { NAMED_SHAPES } from './named-shapes';
import { buildParameters } from './parameters';
import { createRefusals } from './refusals';
import { buildResponseHeaders } from './response-headers';
import { findObject, isVersioned } from './shape-facts';

export interface DocumentOptions {
  readonly routes: readonly Route[];
  readonly version: string;
  readonly publicUrl: string;
}

export type OpenApiDocument = ReturnType<typeof createDocument>;

type Operation = ZodOpenApiOperationObject;

/** Creates the document that clients download. Client generators can process it. */
export function createServedDocument(options: DocumentOptions): OpenApiDocument {
  return nameParts(createOpenApiDocument(options));
}

/** Creates the document for people. Schemas without a name are inlined where they are used. */
export function createOpenApiDocument({
  routes,
  version,
  publicUrl,
}: DocumentOptions): OpenApiDocument {
  const { origin } = new URL('/', publicUrl);
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Keepwatch',
        version,
        description: 'Uptime monitoring that cannot lose a check.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: origin }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths: buildPaths(routes, origin),
      components: {
        schemas: NAMED_SHAPES,
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key, `kw_…`' },
          session: { type: 'apiKey', in: 'cookie', name: 'keepwatch_session' },
        },
      },
    },
    { override: plain, allowEmptySchema: ANY_JSON },
  );
  copyTexts(document);
  removeCopies(document);
  return withoutUnused(document);
}

/**
 * Removes keywords from references, because the named schema already contains them. A copied `additionalProperties`
 * would even refuse all fields of the named schema. Changes the document.
 */
function removeCopies(node: object): void {
  if ('$ref' in node) {
    if ('pattern' in node) delete node.pattern;
    if ('additionalProperties' in node) delete node.additionalProperties;
  }
  for (const value of Object.values(node) as readonly unknown[])
    if (typeof value === 'object' && value !== null) removeCopies(value);
}

function buildPaths(
  routes: readonly Route[],
  origin: string,
): Record<string, Record<string, Operation>> {
  const refusalsOf = createRefusals();
  const linksOf = createLinks(routes);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const entry of routes) {
    const path = entry.path.replaceAll(/:(\w+)/g, '{$1}');
    const responses = { ...buildResponses(entry, linksOf), ...refusalsOf(entry) };
    const operation = { ...buildOperation(entry, origin), responses };
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: operation };
  }
  return paths;
}

/** Removes schemas that no route returns. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {} } = document.components ?? {};
  const text = JSON.stringify(document);
  const used = Object.entries(schemas).filter(([name]) =>
    text.includes(`"#/components/schemas/${name}"`),
  );
  const isWhole = used.length === Object.keys(schemas).length;
  const rest = {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(used) },
  };
  return isWhole ? document : withoutUnused(rest);
}

/**
 * JSON Schema cannot describe these types, so their input is documented as any JSON. Bodies with a name are also
 * rendered as response schemas, although no route returns them.
 */
const ANY_JSON = { custom: true, pipe: true, transform: true } as const;

interface Rendered {
  readonly jsonSchema: {
    additionalProperties?: unknown;
    format?: unknown;
    pattern?: unknown;
    default?: unknown;
    type?: unknown;
    minimum?: unknown;
    maximum?: unknown;
    description?: string;
  };
  readonly io: 'input' | 'output';
}

/**
 * Adapts schemas to client generators. Response objects allow additional fields, because later versions may add some.
 * If a format is known, the pattern is dropped. A default is described in words, because common generators would treat
 * the field as required.
 */
function plain({ jsonSchema, io }: Rendered): void {
  if (io === 'output' && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.default === undefined) return;
  if (io === 'output') {
    // A schema without a type would be empty without its default, so it keeps the default.
    if (jsonSchema.type !== undefined) delete jsonSchema.default;
    return;
  }
  const words = `Default: ${JSON.stringify(jsonSchema.default)}`;
  const { description } = jsonSchema;
  jsonSchema.description = description === undefined ? words : `${description}. ${words}`;
  delete jsonSchema.default;
}

export function formatEndpoint({ method, path }: Route): string {
  return `${method} ${path}`;
}

const SECURITY = {
  public: [],
  scoped: [{ key: [] }, { session: [] }],
};

function describeScope(scope: Route['scope']): string {
  if (scope === 'public') return 'Needs no credentials.';
  if (scope === 'operator')
    return 'For signed-in operators of the installation, and API keys with `operator: true`.';
  return `Needs the scope \`${scope}\`.`;
}

function buildOperation(entry: Route, origin: string): Omit<Operation, 'responses'> {
  const { scope, doc } = entry;
  const requestBody = buildBody(entry);
  const security = SECURITY[scope === 'public' ? scope : 'scoped'];
  const { deprecated } = doc;
  const sentences = [
    doc.description,
    describeScope(scope),
    ...(deprecated === undefined ? [] : [formatDeprecation(deprecated)]),
  ];
  return {
    operationId: doc.operationId,
    summary: doc.summary,
    description: sentences.join(' '),
    externalDocs: { description: 'Guide', url: `${origin}/${doc.guide}` },
    ...(deprecated !== undefined && buildDeprecationFacts(deprecated)),
    tags: [doc.tag],
    security,
    requestParams: buildParameters(entry),
    ...(requestBody !== null && { requestBody }),
  };
}

function buildBody({ bodyRule, shapes, doc }: Route): ZodOpenApiRequestBodyObject | null {
  if (bodyRule === null || shapes.body === null) return null;
  const schema = doc.documentedBody ?? shapes.body;
  const example = doc.example === undefined ? {} : { example: doc.example };
  const content = bodyRule.mediaTypes.map((type) => [type, { schema, ...example }] as const);
  const description = `At most ${bytesText(bodyRule.bytesMax ?? BODY_BYTES_MAX)}; larger ones: 413`;
  return { description, required: !bodyRule.isOptional, content: Object.fromEntries(content) };
}

function bytesText(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`;
}

function buildResponses(entry: Route, linksOf: LinksOf): ZodOpenApiResponsesObject {
  const responses = Object.entries(documentedResponses(entry)).map(([text, response]) => {
    const { description, schema, mediaType = 'application/json', otherMediaTypes = [] } = response;
    const types = [mediaType, ...otherMediaTypes];
    const links = text === '201' ? linksOf(entry) : null;
    const described = {
      description,
      headers: buildResponseHeaders(entry, { status: Number(text), response }),
      ...(schema !== undefined && {
        content: Object.fromEntries(types.map((type) => [type, { schema }])),
      }),
      ...(links !== null && { links }),
    };
    return [text, described] as const;
  });
  return Object.fromEntries(responses);
}

/** Adds the response 304 for reads of resources with an entity tag. */
function documentedResponses({ method, doc }: Route): DocumentedResponses {
  const isTagged = method === 'GET' && isVersioned(doc.responses[200]?.schema);
  return isTagged ? { ...doc.responses, 304: { description: 'Unchanged' } } : doc.responses;
}

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}
type Links = Readonly<Record<string, Link>>;
type LinksOf = (entry: Route) => Links | null;

/** The rest of a path after its prefix: one id, optionally followed by `/run`. */
const LINKED = /^\/:(\w+)(?:\/run)?$/;

/**
 * Creates a function that links a response to the operations that accept its id. The function returns null if no
 * operation accepts the id, or if the response has no id.
 */
function createLinks(routes: readonly Route[]): LinksOf {
  return (entry) => {
    if (entry.method !== 'POST' || !hasId(entry.doc.responses[201]?.schema)) return null;
    const links = routes.flatMap(({ path, doc: { operationId } }) => {
      if (!path.startsWith(`${entry.path}/`)) return [];
      const [, parameter] = LINKED.exec(path.slice(entry.path.length)) ?? [];
      if (parameter === undefined) return [];
      return [[operationId, { operationId, parameters: { [parameter]: '$response.body#/id' } }]];
    });
    return links.length === 0 ? null : Object.fromEntries(links);
  };
}

function hasId(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.every(hasId);
  const shape = findObject(schema)?.shape;
  return shape !== undefined && 'id' in shape;
}
