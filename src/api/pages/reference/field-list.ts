/** What a JSON Schema says of the fields of an object, as a flat list. It writes no page. */
import type { oas31 } from 'zod-openapi';

/** What is read of a schema, or of a reference to one. */
export type Schema = Pick<
  oas31.SchemaObject,
  | '$ref'
  | 'additionalProperties'
  | 'allOf'
  | 'anyOf'
  | 'const'
  | 'description'
  | 'enum'
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
  /** Like `until.everySeconds`. */
  readonly path: string;
  /** Several where variants of the object differ in it. */
  readonly schemas: readonly Schema[];
  readonly isRequired: boolean;
  /** Variants that have it, like `header`; empty: all. */
  readonly only: readonly string[];
  /** Empty where the schema has none. */
  readonly description: string;
}

/** Those of all variants of a union, and of objects inside lists and maps; each stands before its own fields. */
export function fieldsOf(schema: Schema, prefix = ''): readonly Field[] {
  const objects = objectsOf(schema);
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].flatMap((name) => {
    const having = objects.filter(({ properties = {} }) => name in properties);
    const schemas = distinct(having.flatMap(({ properties = {} }) => properties[name] ?? []));
    const path = `${prefix}${name}`;
    const field: Field = {
      path,
      schemas,
      isRequired: having.every(({ required = [] }) => required.includes(name)),
      only: having.length === objects.length ? [] : having.flatMap(constantsOf),
      description: schemas.map(describe).find((text) => text !== '') ?? '',
    };
    return [field, ...fieldsOf({ anyOf: [...schemas] }, `${path}.`)];
  });
}

/** The variants of a union; of anything else, itself. */
export function variantsOf(schema: Schema): readonly Schema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema;
  const variants = [...anyOf, ...oneOf, ...allOf];
  return variants.length === 0 ? [schema] : variants.flatMap(variantsOf);
}

/** Texts that a field of the object must be equal to: how variants are told from each other. */
export function constantsOf({ properties = {} }: Schema): readonly string[] {
  return Object.values(properties).flatMap((field: Schema) => {
    const value: unknown = field.const;
    return typeof value === 'string' ? [value] : [];
  });
}

/** Also where the text stands inside of what may be null. */
function describe(schema: Schema): string {
  const { description = variantsOf(schema)[0]?.description ?? '' } = schema;
  return description;
}

/** What has a name is described under it, and not again. */
function objectsOf(schema: Schema): readonly Schema[] {
  return variantsOf(schema).flatMap((variant) => {
    const { properties, items, additionalProperties } = variant;
    if (properties !== undefined) return [variant];
    if (items !== undefined) return objectsOf(items);
    return typeof additionalProperties === 'object' ? objectsOf(additionalProperties) : [];
  });
}

function distinct(schemas: readonly Schema[]): readonly Schema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
