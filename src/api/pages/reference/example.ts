/** Derives the example of a response from its schema. */
import type { Schema } from './field-list';

export type Schemas = Readonly<Record<string, Schema>>;

const INSTANT = '2026-01-31T12:00:00.000Z';

/**
 * Returns a value that the schema accepts. The same schema always has the same example. Each field has the example of
 * its schema, or null if the schema allows null, or the first value of its type. Optional fields are left out.
 */
export function buildExample(schema: Schema, schemas: Schemas): unknown {
  const { $ref, example, enum: choices = [] } = schema;
  if (example !== undefined) return example;
  if ($ref !== undefined)
    return buildExample(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas);
  if (schema.const !== undefined) return schema.const;
  if (choices.length > 0) return choices[0];
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (variants.some((each: Schema) => each.type === 'null')) return null;
  const [variant] = variants;
  return variant === undefined ? buildTyped(schema, schemas) : buildExample(variant, schemas);
}

function buildTyped(schema: Schema, schemas: Schemas): unknown {
  switch (schema.type) {
    case 'object':
      return buildObject(schema, schemas);
    case 'array':
      return buildList(schema, schemas);
    case 'string':
      return buildText(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
    case undefined:
      break;
  }
  // A list of types, such as text or null, also has the example null.
  return null;
}

function buildObject({ properties = {}, required = [] }: Schema, schemas: Schemas): unknown {
  const fields = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, buildExample(field, schemas)] as const),
  );
}

/** Builds a list of objects with at least one entry. Other lists have only the required number of entries. */
function buildList({ items = {}, minItems = 0 }: Schema, schemas: Schemas): readonly unknown[] {
  const entry = buildExample(items, schemas);
  const count = typeof entry === 'object' && entry !== null ? Math.max(1, minItems) : minItems;
  return Array.from({ length: count }, () => entry);
}

function buildText({ format }: Schema): string {
  if (format === 'date-time') return INSTANT;
  return format === 'date' ? INSTANT.slice(0, 10) : 'text';
}
