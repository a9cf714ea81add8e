/**
 * Builds the largest body that a shape accepts. Lists and maps have the maximum length. All text fields share the bytes
 * that the size limit allows. The builder does not know rules across fields, so the caller leaves out refused fields.
 */
import { z } from 'zod';
import { measurePattern, PATTERN_SIZE_MAX } from '../../src/domain/assertions/pattern-size';

/** Length of lists and maps whose shape sets no limit. */
const ITEMS_MAX = 50;
const PATTERNS = 5;
const STEP = 1.5;
const STEPS_MAX = 60;

interface FieldContext {
  /** The value of this field in the documented example. undefined if the example does not contain the field. */
  readonly example: unknown;
  /** Path of the field without positions in lists, for example `steps.url`. */
  readonly path: string;
  readonly bytes: number;
  /** A number that makes the texts of each body unique. */
  readonly salt: number;
  /** The position in the innermost list. */
  readonly index: number;
}

type Shape = z.core.$ZodType;

interface Bounds {
  readonly bytesMax: number;
  /** Paths at which the body keeps the value of the example. */
  readonly leftOut: ReadonlySet<string>;
  readonly salt: number;
}

/**
 * Returns the largest body that fits into `bytesMax`. Fields of limited length do not use their whole share, so bodies
 * are built with growing byte budgets.
 */
export function largestBody(shape: Shape, example: unknown, bounds: Bounds): unknown {
  let largest = buildBody(shape, example, bounds);
  let size = JSON.stringify(largest).length;
  for (let bytes = bounds.bytesMax * STEP; bytes < bounds.bytesMax * STEPS_MAX; bytes *= STEP) {
    const next = buildBody(shape, example, { ...bounds, bytesMax: bytes });
    const nextSize = JSON.stringify(next).length;
    if (nextSize > bounds.bytesMax || nextSize <= size) break;
    largest = next;
    size = nextSize;
  }
  return largest;
}

export function buildBody(
  shape: Shape,
  example: unknown,
  { bytesMax, leftOut, salt }: Bounds,
): unknown {
  const grow = (inner: Shape, context: FieldContext): unknown => {
    if (leftOut.has(context.path)) return context.example;
    const found = grownFrom(inner, context);
    return found === undefined || !z.safeParse(inner, found).success ? context.example : found;
  };
  const grownFrom = (inner: Shape, context: FieldContext): unknown => {
    const own = askedFor(context);
    if (own !== undefined) return own;
    if (inner instanceof z.ZodPreprocess) return grow(inner.def.out, context);
    if (inner instanceof z.ZodPipe) return grow(inner.def.in, context);
    if (isWrapper(inner)) return grow(inner.def.innerType, context);
    if (inner instanceof z.ZodObject) return object(inner.shape, context);
    if (inner instanceof z.ZodArray) return list(inner, context);
    if (inner instanceof z.ZodRecord) return map(inner, context);
    if (inner instanceof z.ZodUnion) return choice(inner.def.options, context);
    if (inner instanceof z.ZodString || inner instanceof z.ZodStringFormat)
      return textFor(inner, context);
    if (inner instanceof z.ZodCustom) return manyValues(context.bytes);
    return context.example ?? smallValue(inner);
  };
  const object = (fields: Readonly<Record<string, Shape>>, context: FieldContext): object => {
    const known = readEntries(context.example);
    const share = context.bytes / Object.keys(fields).length;
    const grown = Object.entries(fields).map(([name, field]) => {
      const path = context.path === '' ? name : `${context.path}.${name}`;
      const bytes = share - name.length - 4;
      return [name, grow(field, { ...context, example: known.get(name), path, bytes })] as const;
    });
    return Object.fromEntries(grown.filter(([, value]) => value !== undefined));
  };
  const list = (inner: z.ZodArray, context: FieldContext): readonly unknown[] | undefined => {
    const { length: known, items } = readItems(context.example);
    for (let count = readLongest(inner) ?? ITEMS_MAX; count >= 1; count = Math.floor(count / 2)) {
      const grown = Array.from({ length: count }, (_, index) => {
        const at = { example: items[index % known], bytes: context.bytes / count - 1, index };
        return grow(inner.def.element, { ...context, ...at });
      }).filter((item) => item !== undefined);
      if (z.safeParse(inner, grown).success) return grown;
    }
    return undefined;
  };
  const map = (inner: z.ZodRecord, context: FieldContext): object => {
    const { maxProperties } = { maxProperties: undefined, ...z.globalRegistry.get(inner) };
    const count = typeof maxProperties === 'number' ? maxProperties : ITEMS_MAX;
    const grown = Array.from({ length: count }, (_, index) => {
      const at = { example: undefined, bytes: context.bytes / count - 10, index };
      return [`n${index}`, grow(inner.def.valueType, { ...context, ...at })] as const;
    });
    const added = grown
      .filter(([, value]) => value !== undefined)
      .slice(readEntries(context.example).size);
    return { ...Object.fromEntries(readEntries(context.example)), ...Object.fromEntries(added) };
  };
  const choice = (options: readonly Shape[], context: FieldContext): unknown => {
    const fitting = options.find(
      (option) => context.example !== undefined && z.safeParse(option, context.example).success,
    );
    if (fitting !== undefined) return grow(fitting, context);
    return options
      .map((option) => grow(option, context))
      .filter((grown) => grown !== undefined)
      .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
  };
  return grow(shape, { example, path: '', bytes: bytesMax - 1, salt, index: 0 });
}

/** Values that depend on other fields or on objects of the account. undefined for any other field. */
const ASKED_FOR: Readonly<Record<string, (index: number) => unknown>> = {
  logo: () => 'data:image/png;base64,'.padEnd(32_766, 'A'),
  rrule: () => `FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join(',')}`,
  timeZone: () => 'Europe/Berlin',
  from: () => '22:00',
  to: () => '07:00',
  afterMinutes: (index) => index,
  policy: () => null,
  // A member of the account that runs the benchmark.
  notify: () => Array(20).fill('bench@example.com'),
  // A target that lists its checks must not also select all checks.
  all: () => false,
};

function askedFor({ path, bytes, index }: FieldContext): unknown {
  const name = path.split('.').at(-1) ?? '';
  if (name !== 'assertions') return ASKED_FOR[name]?.(index);
  return assertions(bytes, { patterns: path === name || index === 0 ? PATTERNS : 0, first: 0 });
}

/**
 * Twenty assertions: large regular expressions, and a schema that has as many fields as fit into
 * the bytes.
 */
export function assertions(
  bytes: number,
  { patterns, first }: { readonly patterns: number; readonly first: number },
): readonly object[] {
  const matching = Array.from({ length: patterns }, (_, index) => ({
    type: 'body',
    operator: 'matches',
    value: largePattern(first + index),
  }));
  const fields = Math.max(1, Math.floor((bytes - 1_500) / 60));
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [
      `field${index}`,
      { type: 'string', minLength: 1 },
    ]),
  );
  const schema = { type: 'jsonSchema', value: { type: 'object', properties } };
  const paths = Array.from({ length: 19 - patterns }, (_, index) => ({
    type: 'jsonPath',
    path: `$.a[${index}]`,
    operator: 'exists',
  }));
  return [...matching, ...paths, schema];
}

/** Builds a unique pattern of the maximum size. Repetitions count as if they were written out. */
function largePattern(index: number): string {
  const unit = `(?:[a-z${index}]\\dxyz)`;
  let count = Math.floor(PATTERN_SIZE_MAX / measurePattern(unit));
  while (measurePattern(`${unit}{${count}}n${index}`) > PATTERN_SIZE_MAX) count -= 1;
  return `${unit}{${Math.min(count, 1_000)}}n${index}`;
}

/** Builds many small values, because they cost more than one long text. */
function manyValues(bytes: number): unknown {
  return Array.from({ length: Math.max(1, Math.floor(bytes / 10)) }, () => ({ a: 'b' }));
}

/** Returns the longest text that the shape accepts. undefined if none of the tried texts is valid. */
function textFor(
  inner: Shape,
  { bytes, index, example, salt, path }: FieldContext,
): string | undefined {
  const longest = Math.floor(Math.min(readLongest(inner) ?? Number.POSITIVE_INFINITY, bytes - 2));
  const own = `${salt}x${index}`;
  const image = typeof example === 'string' && example.startsWith('data:') ? [example] : [];
  const candidates = [...image, own, `https://shop.example/${own}`, `$.a${own}`, `a${own}`].flatMap(
    (start) => [longest, 100, 60, 0].map((length) => start.padEnd(length, 'x')),
  );
  const rendered = '{{ headline | upcase }}'.repeat(Math.max(1, longest / 23));
  const templates = path.includes('template') ? [rendered] : [];
  const others = [`${own.padStart(50, 'x')}@example.com`, `mon_${own.padStart(26, '0')}`];
  return [...templates, ...candidates, ...others].find(
    (text) => text.length <= longest && z.safeParse(inner, text).success,
  );
}

/** Returns a small valid value for a required field. */
function smallValue(inner: Shape): unknown {
  return [1, true, false].find((value) => z.safeParse(inner, value).success) ?? findFirst(inner);
}

function findFirst(inner: Shape): unknown {
  if (inner instanceof z.ZodEnum) return inner.options[0];
  return inner instanceof z.ZodLiteral ? [...inner.values][0] : undefined;
}

function readLongest({ _zod }: Shape): number | undefined {
  const bounds = (_zod.def.checks ?? []).flatMap((check) =>
    check instanceof z.core.$ZodCheckMaxLength ? [check._zod.def.maximum] : [],
  );
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

function readEntries(value: unknown): ReadonlyMap<string, unknown> {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return new Map(isMap ? Object.entries(value) : []);
}

function readItems(value: unknown): {
  readonly length: number;
  readonly items: readonly unknown[];
} {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return { length: Math.max(1, items.length), items };
}

function isWrapper(
  shape: Shape,
): shape is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodPrefault {
  return (
    shape instanceof z.ZodOptional ||
    shape instanceof z.ZodNullable ||
    shape instanceof z.ZodDefault ||
    shape instanceof z.ZodPrefault
  );
}
