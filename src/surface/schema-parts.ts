/** Reads the parts of JSON Schemas that the comparison needs. It is pure. */
import { readList, readRecord, readText } from '../schemas/loose';
import type { Json } from './surface';

export const UPPER_BOUNDS = [
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
] as const;
export const LOWER_BOUNDS = [
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
] as const;

/**
 * Returns the alternatives of a union, each with the constraints that the union itself has. For any other schema,
 * returns a list with only that schema.
 */
export function listAlternatives(schema: Json): readonly Json[] {
  const { anyOf, oneOf, type, ...rest } = schema;
  const branches = [...readList(anyOf), ...readList(oneOf)];
  if (branches.length > 0)
    return branches.flatMap((branch) => {
      const own = readRecord(branch);
      return '$ref' in own ? [own] : listAlternatives({ ...rest, ...own });
    });
  if (!Array.isArray(type)) return [schema];
  // `type: [string, null]` is a union as well.
  return type.map((each) => (each === 'null' ? { type: 'null' } : { ...rest, type: each }));
}

/**
 * Returns the types that the schema accepts. null means every type. If the schema lists values but no type, returns the
 * types of the values.
 */
export function listTypes(schema: Json): readonly string[] | null {
  const { type } = schema;
  if (Array.isArray(type)) return type.map(readText);
  if (typeof type === 'string') return [type];
  if ('properties' in schema) return ['object'];
  if (schema['enum'] === undefined) return null;
  return [
    ...new Set(readList(schema['enum']).map((value) => (value === null ? 'null' : typeof value))),
  ];
}
