/** Lists the fields of an object in a JSON Schema as a flat list. */
import type { oas31 } from 'zod-openapi';

/** The parts of a schema or reference that the reference pages use. */
export type Schema = Pick<
  oas31.SchemaObject,
  | '$ref'
  | 'additionalProperties'
  | 'allOf'
  | 'anyOf'
  | 'const'
  | 'description'
  | 'enum'
  | 'example'
  | 'format'
  | 'items'
  | 'maxItems'
  | 'maxLength'
  | 'maxProperties'
  | 'maximum'
  | 'minItems'
  | 'minLength'
  | 'minProperties'
  | 'minimum'
  | 'oneOf'
  | 'properties'
  | 'required'
  | 'type'
>;

export interface Field {
  /** The path of the field in the object, for example `until.everySeconds`. */
  readonly path: string;
  /** One schema, or several if the variants of the object differ in this field. */
  readonly schemas: readonly Schema[];
  readonly isRequired: boolean;
  /** The variants that have this field, for example `header`. Empty means that all variants have it. */
  readonly only: readonly string[];
  /** Empty if the schema has no description. */
  readonly description: string;
}

/**
 * Lists the fields of every variant of a union, and of objects inside lists and maps. A field precedes its nested
 * fields.
 */
export function listFields(schema: Schema, prefix = ''): readonly Field[] {
  const objects = listObjects(schema);
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].flatMap((name) => {
    const having = objects.filter(({ properties = {} }) => name in properties);
    const schemas = distinct(having.flatMap(({ properties = {} }) => properties[name] ?? []));
    const path = `${prefix}${name}`;
    const field: Field = {
      path,
      schemas,
      isRequired: having.every(({ required = [] }) => required.includes(name)),
      only: having.length === objects.length ? [] : having.flatMap(listConstants),
      description: schemas.map(describe).find((text) => text !== '') ?? '',
    };
    return [field, ...listFields({ anyOf: [...schemas] }, `${path}.`)];
  });
}

/** Returns the variants of a union. For any other schema, returns the schema itself. */
export function listVariants(schema: Schema): readonly Schema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema;
  const variants = [...anyOf, ...oneOf, ...allOf];
  return variants.length === 0 ? [schema] : variants.flatMap(listVariants);
}

/** Lists the constant texts in the object's fields, which distinguish variants. */
export function listConstants({ properties = {} }: Schema): readonly string[] {
  return Object.values(properties).flatMap((field: Schema) => {
    const value: unknown = field.const;
    return typeof value === 'string' ? [value] : [];
  });
}

/** Returns the description, even if it is inside a nullable schema. */
function describe({ description, anyOf: [variant] = [] }: Schema): string {
  return description ?? (variant === undefined ? '' : describe(variant));
}

/**
 * Lists the objects in a schema, including those in lists and maps. Leaves out named schemas, because they are
 * described under their names.
 */
function listObjects(schema: Schema): readonly Schema[] {
  return listVariants(schema).flatMap((variant) => {
    const { properties, items, additionalProperties } = variant;
    if (properties !== undefined) return [variant];
    if (items !== undefined) return listObjects(items);
    return typeof additionalProperties === 'object' ? listObjects(additionalProperties) : [];
  });
}

function distinct(schemas: readonly Schema[]): readonly Schema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
