/** The operations of the OpenAPI document, with all references resolved. */
import type { oas31 } from 'zod-openapi';
import type { OpenApiDocument } from '../../openapi/document';
import { buildExample, type Schemas } from './example';
import type { Schema } from './field-list';

const VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Body {
  readonly mediaType: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** undefined means that the document contains no example. */
  readonly example: unknown;
}

interface Response {
  readonly status: string;
  readonly description: string;
  /** null means that the response has no body. */
  readonly mediaType: string | null;
  readonly schema: Schema;
  /** Derived from the schema. undefined means that the response is an error, or not JSON. */
  readonly example: unknown;
}

export interface Operation {
  readonly id: string;
  readonly tag: string;
  /** In capitals, for example `GET`. */
  readonly method: string;
  /** For example `/v1/monitors/{monitorId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The URL of the document that explains the operation, on the same origin. null means that there is none. */
  readonly guide: string | null;
  readonly isDeprecated: boolean;
  readonly needsKey: boolean;
  readonly parameters: readonly oas31.ParameterObject[];
  readonly body: Body | null;
  readonly responses: readonly Response[];
}

/** Lists the operations in the order of the document. */
export function listOperations(document: OpenApiDocument): readonly Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    VERBS.flatMap((verb) => {
      const operation = item[verb];
      return operation === undefined ? [] : [readOperation(document, operation, { verb, path })];
    }),
  );
}

function readOperation(
  { components = {} }: OpenApiDocument,
  operation: oas31.OperationObject,
  { verb, path }: { readonly verb: string; readonly path: string },
): Operation {
  const { operationId = '', tags = [], summary = '', description = '', security } = operation;
  const { parameters = [], responses = {}, externalDocs } = operation;
  const listed: readonly (readonly [string, Referred<oas31.ResponseObject>])[] =
    Object.entries(responses);
  return {
    id: operationId,
    tag: tags[0] ?? '',
    method: verb.toUpperCase(),
    path,
    summary,
    description,
    guide: externalDocs === undefined ? null : withoutOrigin(externalDocs.url),
    isDeprecated: operation.deprecated === true,
    needsKey: security?.length !== 0,
    parameters: parameters.map((given) => resolve(given, components.parameters)),
    body: readBody(operation),
    responses: listed.map(([status, given]) =>
      readResponse(status, resolve(given, components.responses), components.schemas),
    ),
  };
}

function withoutOrigin(url: string): string {
  const { pathname, hash } = new URL(url);
  return `${pathname}${hash}`;
}

function readBody({ requestBody }: oas31.OperationObject): Body | null {
  if (requestBody === undefined) return null;
  const { content, required = false } = resolve(requestBody, {});
  const [[mediaType, { schema = {}, example }] = ['', {}]] = Object.entries(content);
  return { mediaType, schema, isRequired: required, example };
}

function readResponse(
  status: string,
  { description, content = {} }: oas31.ResponseObject,
  schemas: Schemas = {},
): Response {
  const [[mediaType, { schema = {} }] = [null, {}]] = Object.entries(content);
  const hasExample = status.startsWith('2') && mediaType === 'application/json';
  const example = hasExample ? buildExample(schema, schemas) : undefined;
  return { status, description, mediaType, schema, example };
}

type Referred<Part> = Part | oas31.ReferenceObject;

function resolve<Part extends object>(
  part: Referred<Part>,
  known: Readonly<Record<string, Referred<Part>>> = {},
): Part {
  if (!isReference(part)) return part;
  const found = known[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)];
  if (found === undefined || isReference(found)) throw new Error(`${part.$ref} does not exist`);
  return found;
}

function isReference<Part extends object>(part: Referred<Part>): part is oas31.ReferenceObject {
  return '$ref' in part;
}
