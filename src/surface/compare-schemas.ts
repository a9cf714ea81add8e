/**
 * Compares JSON Schemas: finds out whether every value of `narrow` is also a value of `wide`. A request must still
 * accept every released value. A response may only contain values that the release promised. It is pure.
 */
import { readList, readRecord, readText } from '../schemas/loose';
import { LOWER_BOUNDS, listAlternatives, listTypes, UPPER_BOUNDS } from './schema-parts';
import type { Json } from './surface';

/** A change that breaks clients of the released version. */
export interface Narrowing {
  /** The position in the surface, for example `POST /v1/monitors body interval`. */
  readonly at: string;
  readonly change: string;
}

interface Side {
  readonly schema: Json;
  readonly schemas: Readonly<Record<string, Json>>;
}

export interface SchemaPair {
  readonly direction: 'request' | 'response';
  readonly narrow: Side;
  readonly wide: Side;
}

/**
 * Fields of responses that never get a new value, because programs make decisions based on them
 * (docs/compatibility.md).
 */
export const CLOSED_FIELDS = [
  'health',
  'outcome',
  'role',
  'scopes',
  'severity',
  'state',
  'status',
] as const;

const isOpenField = (field: string): boolean => !CLOSED_FIELDS.some((closed) => closed === field);

export type CompareSchemas = (pair: SchemaPair, at: string) => readonly Narrowing[];

interface Context {
  readonly isOver: (released: Json) => boolean;
  /** Pairs of named schemas that were compared, or are being compared. */
  readonly known: Map<string, readonly Narrowing[]>;
}

interface Place {
  readonly at: string;
  /** The name of the field that the schema describes. Empty if the schema describes no field. */
  readonly field: string;
}

/**
 * Creates the function that compares two schemas. `isOver` returns true if a released part was deprecated and its last
 * day has passed. Each named schema is compared once.
 */
export function createSchemaComparison(isOver: Context['isOver']): CompareSchemas {
  const context = { isOver, known: new Map<string, readonly Narrowing[]>() };
  return (pair, at) => compare(context, pair, { at, field: '' });
}

function compare(context: Context, pair: SchemaPair, place: Place): readonly Narrowing[] {
  const [narrow, wide] = [readName(pair.narrow.schema), readName(pair.wide.schema)];
  if (narrow === '' && wide === '') return compareParts(context, pair, place);
  const isNamed = narrow !== '' && wide !== '';
  const at = isNamed ? wide : place.at;
  const key = [pair.direction, narrow, wide, isNamed ? '' : at].join(' ');
  const found = context.known.get(key);
  if (found !== undefined) return found;
  // A schema that refers to itself counts as compatible here. Comparing its other parts can still find a problem.
  context.known.set(key, []);
  const resolved = { ...pair, narrow: resolve(pair.narrow), wide: resolve(pair.wide) };
  const narrowings = compare(context, resolved, { ...place, at });
  context.known.set(key, narrowings);
  return narrowings;
}

function compareParts(context: Context, pair: SchemaPair, place: Place): readonly Narrowing[] {
  if (context.isOver(readReleased(pair).schema)) return [];
  const [narrow, wide] = [listAlternatives(pair.narrow.schema), listAlternatives(pair.wide.schema)];
  if (narrow.length === 1 && wide.length === 1) return compareSingle(context, pair, place);
  return narrow.flatMap((schema) => {
    if (isNewOpenVariant(pair, schema, wide)) return [];
    const tries = listCounterparts(pair, schema, wide).map((other) =>
      compare(context, withSchemas(pair, schema, other), place),
    );
    // The alternative with the fewest differences explains the change.
    return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

function compareSingle(context: Context, pair: SchemaPair, place: Place): readonly Narrowing[] {
  const { at } = place;
  const types = compareTypes(pair, at);
  if (types.length > 0) return types;
  return [
    ...compareValues(pair, at, place.field),
    ...compareBounds(pair, at),
    ...compareRequired(pair, at),
    ...compareProperties(context, pair, at),
    ...compareInner({ context, pair, part: 'items' }, { ...place, at: `${at}[]` }),
    ...compareOthers(pair, at),
    ...compareInner({ context, pair, part: 'additionalProperties' }, { at: `${at}{}`, field: '' }),
    ...compareInner({ context, pair, part: 'propertyNames' }, { at: `${at}{}`, field: '' }),
  ];
}

function compareProperties(context: Context, pair: SchemaPair, at: string): readonly Narrowing[] {
  const released = readRecord(readReleased(pair).schema['properties']);
  const narrow = readRecord(pair.narrow.schema['properties']);
  const wide = readRecord(pair.wide.schema['properties']);
  return Object.entries(released).flatMap(([field, property]) => {
    if (context.isOver(readRecord(property))) return [];
    const path = `${at}.${field}`;
    if (narrow[field] === undefined || wide[field] === undefined)
      return isFreeForm(pair) ? [] : [{ at: path, change: 'removed' }];
    const inner = withSchemas(pair, readRecord(narrow[field]), readRecord(wide[field]));
    return compare(context, inner, { at: path, field });
  });
}

interface Inner {
  readonly context: Context;
  readonly pair: SchemaPair;
  readonly part: 'items' | 'additionalProperties' | 'propertyNames';
}

function compareInner({ context, pair, part }: Inner, place: Place): readonly Narrowing[] {
  const [narrow, wide] = [pair.narrow.schema[part], pair.wide.schema[part]];
  if (wide === undefined || typeof wide === 'boolean') return [];
  const isAnything = narrow === undefined || typeof narrow === 'boolean';
  // A schema that lists fields describes all fields of the object.
  const isClosed = part === 'additionalProperties' && 'properties' in pair.narrow.schema;
  if (isAnything && isClosed) return [];
  return compare(context, withSchemas(pair, readRecord(narrow), readRecord(wide)), place);
}

function compareOthers({ direction, narrow, wide }: SchemaPair, at: string): readonly Narrowing[] {
  const areRefused = (schema: Json) => schema['additionalProperties'] === false;
  if (direction === 'response' || !areRefused(wide.schema) || areRefused(narrow.schema)) return [];
  return [{ at, change: 'other fields are refused' }];
}

function withSchemas(pair: SchemaPair, narrow: Json, wide: Json): SchemaPair {
  return {
    ...pair,
    narrow: { ...pair.narrow, schema: narrow },
    wide: { ...pair.wide, schema: wide },
  };
}

function readReleased({ direction, narrow, wide }: SchemaPair): Side {
  return direction === 'request' ? narrow : wide;
}

/** Returns true if the current schema of a request accepts any field, so that no field was removed. */
function isFreeForm({ direction, wide }: SchemaPair): boolean {
  return direction === 'request' && Object.keys(wide.schema).length === 0;
}

function compareTypes({ narrow, wide }: SchemaPair, at: string): readonly Narrowing[] {
  const [given, allowed] = [listTypes(narrow.schema), listTypes(wide.schema)];
  if (allowed === null) return [];
  const others = given?.filter(
    (type) => !allowed.includes(type) && !(type === 'integer' && allowed.includes('number')),
  );
  if (others?.length === 0) return [];
  const change = `type: ${others?.join(', ') ?? 'any'} does not fit into ${allowed.join(', ')}`;
  return [{ at, change }];
}

function compareValues(pair: SchemaPair, at: string, field: string): readonly Narrowing[] {
  const { direction, narrow, wide } = pair;
  if (wide.schema['enum'] === undefined) return [];
  if (direction === 'response' && isOpenField(field)) return [];
  const allowed = readList(wide.schema['enum']);
  if (narrow.schema['enum'] === undefined)
    return [{ at, change: `values are limited to ${allowed.join(', ')}` }];
  const others = readList(narrow.schema['enum']).filter((value) => !allowed.includes(value));
  const word = direction === 'request' ? 'removed' : 'added';
  return others.map((value) => ({ at, change: `value ${JSON.stringify(value)} was ${word}` }));
}

function compareBounds({ direction, narrow, wide }: SchemaPair, at: string): readonly Narrowing[] {
  const [given, allowed] = [narrow.schema, wide.schema];
  const change = (name: string) =>
    `${name}: ${render(given[name])} does not fit into ${render(allowed[name])}`;
  const differing = (name: string) => allowed[name] !== undefined && given[name] !== allowed[name];
  const format = differing('format') ? ['format'] : [];
  // A response may use less or more of the range, because clients must not depend on bounds.
  if (direction === 'response') return format.map((name) => ({ at, change: change(name) }));
  const exceeds = (name: string, sign: 1 | -1) => {
    const [value, bound] = [given[name], allowed[name]];
    if (typeof bound !== 'number') return false;
    return typeof value !== 'number' || (value - bound) * sign > 0;
  };
  const found = [
    ...format,
    ...['pattern', 'multipleOf', 'not', 'allOf'].filter(
      (name) => allowed[name] !== undefined && render(given[name]) !== render(allowed[name]),
    ),
    ...(allowed['uniqueItems'] === true && given['uniqueItems'] !== true ? ['uniqueItems'] : []),
    ...UPPER_BOUNDS.filter((name) => exceeds(name, 1)),
    ...LOWER_BOUNDS.filter((name) => exceeds(name, -1)),
  ];
  return found.map((name) => ({ at, change: change(name) }));
}

function compareRequired(
  { direction, narrow, wide }: SchemaPair,
  at: string,
): readonly Narrowing[] {
  const always = readList(narrow.schema['required']);
  const missing = readList(wide.schema['required']).filter((name) => !always.includes(name));
  const change = direction === 'request' ? 'is newly required' : 'is no longer always present';
  const present = readRecord(narrow.schema['properties']);
  return (
    missing
      .map(readText)
      // A field that was removed from a response is reported only once, as removed.
      .filter((name) => direction === 'request' || name in present)
      .map((name) => ({ at: `${at}.${name}`, change }))
  );
}

/**
 * Returns the variants of the union that can be counterparts. If the variants have a distinguishing value, such as the
 * type of a check, only variants with the same value are returned.
 */
function listCounterparts(
  { narrow, wide }: SchemaPair,
  schema: Json,
  variants: readonly Json[],
): readonly Json[] {
  const own = readConstants({ ...narrow, schema });
  const same = variants.filter((variant) => {
    const others = readConstants({ ...wide, schema: variant });
    return own.some(({ field, value }) =>
      others.some((other) => other.field === field && other.value === value),
    );
  });
  return same.length > 0 ? same : variants;
}

/** Returns true for a new variant of a response, such as a new type of check. */
function isNewOpenVariant(
  { direction, narrow, wide }: SchemaPair,
  schema: Json,
  variants: readonly Json[],
): boolean {
  if (direction === 'request') return false;
  const known = variants.flatMap((variant) => readConstants({ ...wide, schema: variant }));
  return readConstants({ ...narrow, schema }).some(({ field, value }) => {
    const values = known.filter((each) => each.field === field).map((each) => each.value);
    return isOpenField(field) && values.length > 0 && !values.includes(value);
  });
}

/** Returns the fields that have only one value. */
function readConstants(side: Side): readonly { readonly field: string; readonly value: unknown }[] {
  const properties = readRecord(resolve(side).schema['properties']);
  return Object.entries(properties).flatMap(([field, property]) => {
    const values = readList(readRecord(property)['enum']);
    return values.length === 1 ? [{ field, value: values[0] }] : [];
  });
}

function readName({ $ref }: Json): string {
  const reference = readText($ref);
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function resolve({ schema, schemas }: Side): Side {
  const name = readName(schema);
  return name === '' ? { schema, schemas } : { schema: schemas[name] ?? {}, schemas };
}

function render(value: unknown): string {
  return value === undefined ? 'any' : JSON.stringify(value);
}
