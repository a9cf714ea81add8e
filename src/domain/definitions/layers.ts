/** Composes a definition in layers: each field has its own value, its profile's value, or the default. Pure. */
import { isRecord } from '../../contracts/json';

export type Fields = Readonly<Record<string, unknown>>;

/** The part of a profile from which definitions are composed. */
export interface ProfileLayer {
  readonly key: string;
  readonly version: number;
  readonly set: Fields;
}

/** The stored definition: effective values, and the names of its own fields. */
export interface Composed {
  readonly view: Fields;
  readonly own: readonly string[];
}

/** The facts about a type of resource that are needed to compose its definitions in layers. */
export interface LayerRules {
  /** Fields that a profile may set for this type. */
  readonly inheritable: { readonly has: (field: string) => boolean };
  /** True if both values mean the same. undefined means the default. */
  readonly isSame: (field: string, one: unknown, other: unknown) => boolean;
}

/** Fields that identify one check or its target. No profile may set them. */
export const NEVER_INHERITED: readonly string[] = [
  'type',
  'name',
  'key',
  'url',
  'host',
  'port',
  'record',
  'steps',
  'enabled',
  'profile',
  'dependsOn',
  'expectedStatus',
  'expectedText',
];

/**
 * Fields whose entries are inherited separately, each with a function for the names of its entries. Names of headers
 * are case-insensitive.
 */
const NORMALIZE_ENTRY: Readonly<Record<string, (name: string) => string>> = {
  headers: (name) => name.toLowerCase(),
  variables: (name) => name,
};

/** Fields whose entries are inherited separately. */
export const MERGED_FIELDS: readonly string[] = Object.keys(NORMALIZE_ENTRY);

/**
 * Returns the profile's values and the own values together. An own value replaces the profile's value. null in `own`
 * clears an inherited value, so that the default applies.
 */
export function composeFields(
  own: Fields,
  set: Fields,
  { inheritable }: Pick<LayerRules, 'inheritable'>,
): Fields {
  const fields = new Map(Object.entries(set));
  for (const [field, value] of Object.entries(own)) {
    const isMerged = MERGED_FIELDS.includes(field) && inheritable.has(field);
    if (isMerged && isRecord(value)) fields.set(field, mergeEntries(field, set[field], value));
    else if (value === null && inheritable.has(field)) fields.delete(field);
    else fields.set(field, value);
  }
  return Object.fromEntries(fields);
}

function mergeEntries(field: string, inherited: unknown, own: Fields): Fields {
  const names = new Set(Object.keys(own).map((name) => nameEntry(field, name)));
  return Object.fromEntries([
    ...listEntries(inherited).filter(([name]) => !names.has(nameEntry(field, name))),
    ...Object.entries(own).filter(([, value]) => value !== null),
  ]);
}

/**
 * Lists the names of the inheritable fields, sorted. Entries of headers and variables have names like `headers.x-team`.
 */
export function listFieldNames(
  fields: Fields,
  { inheritable }: Pick<LayerRules, 'inheritable'>,
): readonly string[] {
  const names = Object.entries(fields).flatMap(([field, value]) => {
    if (value === undefined || !inheritable.has(field)) return [];
    if (!MERGED_FIELDS.includes(field) || !isRecord(value)) return [field];
    return Object.keys(value).map((name) => nameEntry(field, name));
  });
  return [...new Set(names)].sort();
}

/**
 * Returns the own values of a definition: fields that cannot be inherited, and the named fields. null means a cleared
 * value.
 */
export function pickOwn(
  { view, own }: Composed,
  { inheritable }: Pick<LayerRules, 'inheritable'>,
): Fields {
  const picked = new Map(Object.entries(view).filter(([field]) => !inheritable.has(field)));
  for (const { field, entry } of own.map(splitName))
    picked.set(field, entry === null ? (view[field] ?? null) : pickEntries(field, { view, own }));
  return Object.fromEntries(picked);
}

/** Picks the own entries in the order of the effective definition. Composing them again then gives the same order. */
function pickEntries(field: string, { view, own }: Composed): Fields {
  const names = own.filter((name) => splitName(name).field === field);
  const found = listEntries(view[field]).filter(([name]) => names.includes(nameEntry(field, name)));
  const set = new Set(found.map(([name]) => nameEntry(field, name)));
  const cleared = names.filter((name) => !set.has(name)).map((name) => splitName(name).entry ?? '');
  return Object.fromEntries([...found, ...cleared.map((name) => [name, null] as const)]);
}

/** Returns the origin of each field's value: `own`, `default`, or `profile:` followed by the key. */
export function findOrigins(
  inheritable: ReadonlySet<string>,
  { own, inherited, key }: { own: readonly string[]; inherited: readonly string[]; key: string },
): Readonly<Record<string, string>> {
  const origins = new Map<string, string>([
    ...inherited.map((name) => [name, `profile:${key}`] as const),
    ...own.map((name) => [name, 'own'] as const),
  ]);
  const stated = new Set([...origins.keys()].map((name) => splitName(name).field));
  for (const field of inheritable) if (!stated.has(field)) origins.set(field, 'default');
  return Object.fromEntries([...origins].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Builds the name of an entry: `headers`, `X-Team` → `headers.x-team`. */
export function nameEntry(field: string, name: string): string {
  return `${field}.${NORMALIZE_ENTRY[field]?.(name) ?? name}`;
}

interface SplitName {
  readonly field: string;
  /** The entry. null for a field that is inherited as a whole. */
  readonly entry: string | null;
}

/** Splits the name of an entry: `headers.x-team` → headers, x-team. */
export function splitName(name: string): SplitName {
  const at = name.indexOf('.');
  return at < 0
    ? { field: name, entry: null }
    : { field: name.slice(0, at), entry: name.slice(at + 1) };
}

export function readEntries(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

export function listEntries(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(readEntries(value));
}

export function findEntry(field: string, value: unknown, id: string): unknown {
  return listEntries(value).find(([name]) => nameEntry(field, name) === id)?.[1];
}
