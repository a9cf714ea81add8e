/** The supported JSON Schema keywords, and which of them contain schemas. */
import type { JsonValue } from '../../contracts/definition';
import { isJsonList } from '../../contracts/json';

export type JsonObject = { readonly [name: string]: JsonValue };
export type SchemaPath = readonly (string | number)[];

/** The kind of value that a keyword has. */
export type KeywordRole =
  | 'schema'
  | 'items'
  | 'schemas'
  | 'schemaMap'
  | 'dependencies'
  | 'namesMap'
  | 'names'
  | 'count'
  | 'number'
  | 'positive'
  | 'flag'
  | 'type'
  | 'values'
  | 'anything'
  | 'pattern'
  | 'text'
  | 'anchor'
  | 'reference';

const ROLES: readonly (readonly [KeywordRole, string])[] = [
  ['schema', 'additionalItems unevaluatedItems contains additionalProperties'],
  ['schema', 'unevaluatedProperties propertyNames not if then else'],
  ['items', 'items'],
  ['schemas', 'prefixItems allOf anyOf oneOf'],
  ['schemaMap', '$defs definitions properties dependentSchemas'],
  ['dependencies', 'dependencies'],
  ['namesMap', 'dependentRequired'],
  ['names', 'required'],
  ['count', 'minLength maxLength minItems maxItems minProperties maxProperties'],
  ['count', 'minContains maxContains'],
  ['number', 'minimum maximum exclusiveMinimum exclusiveMaximum'],
  ['positive', 'multipleOf'],
  ['flag', 'uniqueItems'],
  ['type', 'type'],
  ['values', 'enum'],
  ['anything', 'const'],
  ['pattern', 'pattern'],
  ['text', 'format'],
  ['anchor', '$anchor'],
  ['reference', '$ref'],
];

/**
 * Supported keywords by name. All other keywords, except refused ones, are annotations without effect, as in the
 * standard.
 */
export const KEYWORD_ROLES: ReadonlyMap<string, KeywordRole> = new Map(
  ROLES.flatMap(([role, names]) => names.split(' ').map((name) => [name, role] as const)),
);

/** Keywords whose inner schemas validate the same value as the outer schema. */
export const SAME_VALUE_KEYWORDS: ReadonlySet<string> = new Set(
  'allOf anyOf oneOf not if then else dependentSchemas dependencies'.split(' '),
);

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

interface Part {
  readonly path: SchemaPath;
  readonly value: JsonValue;
}

/** Returns the schemas inside one keyword, with paths relative to its schema. */
export function listSubschemas(keyword: string, value: JsonValue): readonly Part[] {
  const list = (): Part[] =>
    isJsonList(value) ? value.map((one, index) => ({ path: [keyword, index], value: one })) : [];
  const members = (): Part[] =>
    isObject(value)
      ? Object.entries(value).map(([name, one]) => ({ path: [keyword, name], value: one }))
      : [];
  const role = KEYWORD_ROLES.get(keyword);
  if (role === 'schema') return [{ path: [keyword], value }];
  if (role === 'items') return isJsonList(value) ? list() : [{ path: [keyword], value }];
  if (role === 'schemas') return list();
  if (role === 'schemaMap') return members();
  return role === 'dependencies' ? members().filter((part) => !isJsonList(part.value)) : [];
}

/** The drafts of the standard, each with a part of its `$schema` by which it is recognised. */
const DRAFTS = [
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
  ['2020-12', '2020-12'],
] as const;
export type Draft = (typeof DRAFTS)[number][1];

/**
 * Returns the draft that `$schema` names, or 2020-12 if `$schema` is absent. null means that the draft is not
 * supported.
 */
export function findDraft(schema: JsonValue): Draft | null {
  const named = isObject(schema) ? schema['$schema'] : undefined;
  if (named === undefined) return '2020-12';
  if (typeof named !== 'string') return null;
  return DRAFTS.find(([part]) => named.includes(part))?.[1] ?? null;
}

/** Returns the path or anchor of a `$ref`. null means that the reference is malformed or points outside the schema. */
export function readReference(
  reference: string,
): { readonly path: readonly string[] } | { readonly anchor: string } | null {
  if (!reference.startsWith('#')) return null;
  try {
    const fragment = decodeURIComponent(reference.slice(1));
    if (fragment === '') return { path: [] };
    if (!fragment.startsWith('/')) return { anchor: fragment };
    const parts = fragment.slice(1).split('/');
    return { path: parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')) };
  } catch {
    return null;
  }
}
