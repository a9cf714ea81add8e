/**
 * Adapts the document to client generators without changing the accepted values. Literals become enums, bodies and
 * branches of unions get names, and each union names its discriminating field.
 */

interface Json {
  readonly [name: string]: unknown;
}
type Schemas = Record<string, Json>;

interface DocumentParts {
  readonly paths?: object | undefined;
  readonly components?: { readonly schemas?: object | undefined } | undefined;
}

interface Parts {
  readonly schemas: Schemas;
  /** Maps the content of a schema to its name. */
  readonly names: Map<string, string>;
}

const PREFIX = '#/components/schemas/';

/** Returns the document with a component for each part. Existing components keep their names and order. */
export function nameParts<Document extends DocumentParts>(document: Document): Document;
export function nameParts(document: DocumentParts): DocumentParts {
  const { paths, components } = document;
  const parts: Parts = { schemas: {}, names: new Map() };
  const named = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) => [name, asEnums(schema)] as const,
  );
  for (const [name, schema] of named) if (isJson(schema)) parts.schemas[name] = schema;
  for (const [name, schema] of named) {
    const next = withNames(schema, name, parts);
    if (isJson(next)) parts.schemas[name] = next;
  }
  const next = pathsWithNames(asEnums(paths), parts);
  return {
    ...document,
    ...(isJson(next) && { paths: next }),
    components: { ...asEnumsIn(components), schemas: parts.schemas },
  };
}

function asEnumsIn(components: object | undefined): object {
  const read = asEnums({ ...components });
  return isJson(read) ? read : {};
}

/** Replaces `const` by `enum`. Few generators understand `const` inside a union; all understand `enum`. */
function asEnums(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asEnums);
  if (!isJson(node)) return node;
  const entries = Object.entries(node).map(([name, value]) =>
    name === 'const' && !isJson(value)
      ? (['enum', [value]] as const)
      : ([name, asEnums(value)] as const),
  );
  return Object.fromEntries(entries);
}

/** Names the bodies of requests after their operation. */
function pathsWithNames(node: unknown, parts: Parts): unknown {
  return mapJson(node, (item) =>
    mapJson(item, (operation) => {
      if (!isJson(operation)) return operation;
      const { operationId, requestBody } = operation;
      if (typeof operationId !== 'string') return operation;
      const name = capitalised(operationId);
      const body = mapJson(requestBody, (content, key) =>
        key === 'content'
          ? mapJson(content, (media) => {
              if (!isJson(media)) return media;
              const schema = withNames(media['schema'], `${name}Body`, parts);
              return { ...media, schema: hoisted(schema, `${name}Body`, parts) };
            })
          : content,
      );
      return { ...operation, ...(requestBody !== undefined && { requestBody: body }) };
    }),
  );
}

/** Moves the schema's unions of objects into components. The names of the components start with `base`. */
function withNames(node: unknown, base: string, parts: Parts): unknown {
  if (!isJson(node)) return node;
  const inner = Object.entries(node).map(([key, value]) => {
    if (key === 'properties')
      return [
        key,
        mapJson(value, (each, name) => withNames(each, base + capitalised(name), parts)),
      ];
    if (key === 'items' || key === 'additionalProperties' || key === 'propertyNames')
      return [key, withNames(value, base, parts)];
    if ((key === 'anyOf' || key === 'oneOf' || key === 'allOf') && Array.isArray(value)) {
      const branches = value.map((each) => withNames(each, base, parts));
      return [key, branchesWithNames(key === 'anyOf' ? flat(branches) : branches, base, parts)];
    }
    return [key, value];
  });
  return withDiscriminator({ ...findDescription(node), ...Object.fromEntries(inner) }, parts);
}

/** Returns the description of a nested union, which would be lost when the unions are merged. */
function findDescription({ anyOf }: Json): Json {
  const inner = Array.isArray(anyOf) ? anyOf.find((each) => isJson(each) && 'anyOf' in each) : null;
  return isJson(inner) && 'description' in inner ? { description: inner['description'] } : {};
}

/** Flattens nested unions. Some generators fail if both the inner and the outer union allow null. */
function flat(branches: readonly unknown[]): readonly unknown[] {
  const all = branches.flatMap((branch) =>
    isJson(branch) && Array.isArray(branch['anyOf']) ? flat(branch['anyOf']) : [branch],
  );
  return [...new Map(all.map((branch) => [JSON.stringify(branch), branch])).values()];
}

function branchesWithNames(
  branches: readonly unknown[],
  base: string,
  parts: Parts,
): readonly unknown[] {
  const objects = branches.filter(isObjectSchema);
  if (objects.length < 2) return branches;
  const field = decidingField(objects);
  return branches.map((branch) => {
    if (!isObjectSchema(branch)) return branch;
    const value = field === null ? null : findLiteral(branch, field);
    const [first = ''] = readRequired(branch);
    const name = value === null ? base + capitalised(first) : capitalised(value) + base;
    return hoisted(branch, name, parts);
  });
}

/** Moves the schema into a component and returns a reference to it; references stay unchanged. */
function hoisted(schema: unknown, name: string, { schemas, names }: Parts): unknown {
  if (!isJson(schema) || '$ref' in schema) return schema;
  const text = JSON.stringify(schema);
  const known = names.get(text) ?? findFreeName(name, schemas);
  names.set(text, known);
  schemas[known] = schema;
  return { $ref: PREFIX + known };
}

function findFreeName(name: string, schemas: Schemas): string {
  let free = name;
  for (let number = 2; free in schemas; number += 1) free = `${name}${number}`;
  return free;
}

/** Adds the discriminator only if the field is required in every branch, as OpenAPI demands. */
function withDiscriminator(node: Json, { schemas }: Parts): Json {
  const { discriminator, ...undecided } = node;
  const { oneOf } = undecided;
  const isDecided = isJson(discriminator) && 'mapping' in discriminator;
  if (!Array.isArray(oneOf) || isDecided) return node;
  const references = oneOf.map(readReference);
  const targets = references.flatMap((name): readonly Json[] => {
    const target = name === null ? undefined : schemas[name];
    return target === undefined ? [] : [target];
  });
  if (targets.length < 2 || targets.length !== oneOf.length) return undecided;
  const propertyName = decidingField(targets);
  if (propertyName === null) return undecided;
  if (!targets.every((target) => readRequired(target).includes(propertyName))) return undecided;
  const mapping = Object.fromEntries(
    targets.map((target, index) => [
      findLiteral(target, propertyName),
      PREFIX + String(references[index]),
    ]),
  );
  return { ...undecided, discriminator: { propertyName, mapping } };
}

/** Finds a field that has a different constant value in each object. null if there is no such field. */
function decidingField(objects: readonly Json[]): string | null {
  const [first] = objects;
  const names = isJson(first?.['properties']) ? Object.keys(first['properties']) : [];
  const found = names.find((name) => {
    const values = objects.map((object) => findLiteral(object, name));
    return !values.includes(null) && new Set(values).size === objects.length;
  });
  return found ?? null;
}

function findLiteral({ properties }: Json, name: string): string | null {
  const field = isJson(properties) ? properties[name] : undefined;
  const values = isJson(field) ? field['enum'] : undefined;
  const [value, ...others]: readonly unknown[] = Array.isArray(values) ? values : [];
  return typeof value === 'string' && others.length === 0 ? value : null;
}

function readRequired({ required }: Json): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function readReference(node: unknown): string | null {
  const reference = isJson(node) ? node['$ref'] : undefined;
  return typeof reference === 'string' && reference.startsWith(PREFIX)
    ? reference.slice(PREFIX.length)
    : null;
}

function isObjectSchema(node: unknown): node is Json {
  return isJson(node) && isJson(node['properties']);
}

function isJson(node: unknown): node is Json {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function mapJson(node: unknown, change: (value: unknown, name: string) => unknown): unknown {
  if (!isJson(node)) return node;
  const entries = Object.entries(node).map(([name, value]) => [name, change(value, name)] as const);
  return Object.fromEntries(entries);
}

/** Turns `jsonPath` into `JsonPath`, and `a-b` into `AB`. */
function capitalised(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
