/**
 * Reads the operations and schemas of `/v1` as a surface. Uses the OpenAPI document without its texts, and the error
 * codes of the operations.
 */
import { createServedDocument } from '../api/openapi/document';
import { listCodes } from '../api/openapi/refusals';
import type { Route } from '../api/routing/route';
import { readList, readRecord, readText } from '../schemas/loose';
import type { Json, OperationSurface, ParameterSurface, Surface } from './surface';

/** Parts of a schema on which clients cannot depend. */
const TEXTS = new Set(['description', 'example', 'examples', 'title', 'discriminator', 'default']);
const ANNOUNCED = ['deprecated', 'x-announced', 'x-sunset'] as const;
/** From this status on, responses are errors with codes. */
const REFUSALS_FROM = 400;

export function readOperations(routes: readonly Route[]): Pick<Surface, 'operations' | 'schemas'> {
  const publicUrl = 'https://keepwatch.example';
  const document = readRecord(createServedDocument({ routes, version: '', publicUrl }));
  const components = readRecord(document['components']);
  const paths = readRecord(document['paths']);
  const operations = routes.map((route) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const operation = readRecord(readRecord(paths[path])[route.method.toLowerCase()]);
    return [`${route.method} ${path}`, readOperation(route, operation, components)] as const;
  });
  const schemas = Object.entries(readRecord(components['schemas'])).map(
    ([name, schema]) => [name, withoutTexts(readRecord(schema))] as const,
  );
  return { operations: Object.fromEntries(operations), schemas: Object.fromEntries(schemas) };
}

function readOperation(route: Route, operation: Json, components: Json): OperationSurface {
  const parameters = readList(operation['parameters']).map((given) => {
    const parameter = resolve(readRecord(given), readRecord(components['parameters']));
    const name = `${readText(parameter['in'])} ${readText(parameter['name'])}`;
    return [name, readParameter(parameter)] as const;
  });
  return {
    operationId: readText(operation['operationId']),
    scope: route.scope,
    codes: [...new Set(listCodes(route))].toSorted(),
    ...pickAnnounced(operation),
    parameters: Object.fromEntries(parameters),
    body: readBody(operation),
    responses: readResponses(operation),
  };
}

function readParameter(parameter: Json): ParameterSurface {
  const schema = withoutTexts(readRecord(parameter['schema']));
  const announced = { ...pickAnnounced(schema), ...pickAnnounced(parameter) };
  return { isRequired: parameter['required'] === true, schema, ...announced };
}

function readBody({ requestBody }: Json): OperationSurface['body'] {
  if (requestBody === undefined) return null;
  const { content, required } = readRecord(requestBody);
  const types = readRecord(content);
  const [first] = Object.values(types);
  return {
    isRequired: required === true,
    mediaTypes: Object.keys(types),
    schema: withoutTexts(readRecord(readRecord(first)['schema'])),
  };
}

function readResponses(operation: Json): OperationSurface['responses'] {
  const responses = Object.entries(readRecord(operation['responses']))
    .filter(([status]) => Number(status) < REFUSALS_FROM)
    .flatMap(([status, given]): (readonly [string, Json | null])[] => {
      const types = Object.entries(readRecord(readRecord(given)['content']));
      if (types.length === 0) return [[status, null]];
      return types.map(([type, media]) => [
        `${status} ${type}`,
        withoutTexts(readRecord(readRecord(media)['schema'])),
      ]);
    });
  return Object.fromEntries(responses);
}

function pickAnnounced(node: Json): object {
  return Object.fromEntries(
    ANNOUNCED.flatMap((name) => (name in node ? [[name, node[name]]] : [])),
  );
}

function resolve(node: Json, known: Json): Json {
  const reference = readText(node['$ref']);
  return reference === ''
    ? node
    : readRecord(known[reference.slice(reference.lastIndexOf('/') + 1)]);
}

/** Removes texts such as `description` from a schema. Keeps properties of objects that have such a name. */
function withoutTexts(schema: Json): Json {
  const parts = Object.entries(schema).flatMap(([name, value]) => {
    if (TEXTS.has(name)) return [];
    return [[name, name === 'properties' ? mapValues(value) : withoutTextsIn(value)]];
  });
  return Object.fromEntries(parts);
}

function mapValues(properties: unknown): object {
  const parts = Object.entries(readRecord(properties)).map(([name, value]) => [
    name,
    withoutTexts(readRecord(value)),
  ]);
  return Object.fromEntries(parts);
}

function withoutTextsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTextsIn);
  return typeof value === 'object' && value !== null ? withoutTexts(readRecord(value)) : value;
}
