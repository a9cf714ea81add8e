/**
 * Validates a JSON body against a JSON Schema, in a worker thread. RE2 runs the patterns. Keywords that are not in our
 * table are removed before the library gets the schema, because the library would evaluate them.
 */
import { encodePointer, format, type OutputUnit, Validator } from '@cfworker/json-schema';
import type { JsonValue } from '../contracts/definition';
import { isJsonList } from '../contracts/json';
import type { SchemaMatch } from '../domain/assertions/assertion';
import { quoteName } from '../domain/assertions/json-path-name';
import {
  findDraft,
  isObject,
  type JsonObject,
  KEYWORD_ROLES,
  readReference,
} from '../domain/assertions/json-schema-keywords';

type Matches = (pattern: string, subject: string) => boolean;

/** Marks our own formats, whose names start with this text. No format of a user starts with it. */
const PATTERN_MARK = '\u0000pattern ';
const KNOWN_FORMATS: ReadonlySet<string> = new Set(Object.keys(format));
const MESSAGE_LENGTH_MAX = 4_096;

interface Runnable {
  readonly schema: JsonValue;
  readonly patterns: ReadonlySet<string>;
}

/** Returns the same schema with known keywords only, and with patterns replaced by formats of our own. */
function makeRunnable(schema: JsonValue): Runnable {
  const patterns = new Set<string>();
  const member = (one: JsonValue): JsonValue => (isJsonList(one) ? one : clean(one));

  function runnableValue(keyword: string, value: JsonValue): JsonValue {
    const role = KEYWORD_ROLES.get(keyword);
    if (role === 'schema') return clean(value);
    if (role === 'items' || role === 'schemas')
      return isJsonList(value) ? value.map(clean) : clean(value);
    if (role === 'schemaMap' || role === 'dependencies')
      return isObject(value) ? mapMembers(value, member) : value;
    return role === 'reference' && typeof value === 'string' ? canonical(value) : value;
  }

  function clean(one: JsonValue): JsonValue {
    if (!isObject(one)) return one;
    const { pattern, ...rest } = one;
    const known = Object.entries(rest)
      .filter(([keyword, value]) => isCarriedOut(keyword, value))
      .map(([keyword, value]) => [keyword, runnableValue(keyword, value)] as const);
    const cleaned: JsonObject = Object.fromEntries(known);
    if (typeof pattern !== 'string') return cleaned;
    patterns.add(pattern);
    const before = cleaned['allOf'];
    const judged = { format: `${PATTERN_MARK}${pattern}` };
    return { ...cleaned, allOf: [...(isJsonList(before) ? before : []), judged] };
  }

  return { schema: clean(schema), patterns };
}

function isCarriedOut(keyword: string, value: JsonValue): boolean {
  if (keyword === 'format') return typeof value === 'string' && KNOWN_FORMATS.has(value);
  return KEYWORD_ROLES.has(keyword);
}

function mapMembers(map: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

/** Formats the reference as the library does, because the library compares references as text. */
function canonical(reference: string): string {
  const read = readReference(reference);
  if (read === null) return reference;
  if ('anchor' in read) return `#${read.anchor}`;
  return `#${read.path.map((part) => `/${encodePointer(part)}`).join('')}`;
}

/** Keywords whose messages only point to an inner problem. */
const OUTER: ReadonlySet<string> = new Set(
  (
    'properties additionalProperties unevaluatedProperties propertyNames items additionalItems ' +
    'unevaluatedItems prefixItems $ref allOf if dependentSchemas'
  ).split(' '),
);

function splitSegments(location: string): readonly string[] {
  const parts = location.slice(1).split('/').slice(1);
  return parts.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

interface Place {
  /** The position of the fault, written as a JSON path. */
  readonly path: string;
  readonly value: JsonValue;
}

function findPosition(location: string, body: JsonValue): Place {
  let value = body;
  let path = '$';
  for (const part of splitSegments(location)) {
    if (isJsonList(value)) {
      path += `[${part}]`;
      value = value[Number(part)] ?? null;
    } else {
      path += /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${quoteName(part)}]`;
      value = isObject(value) && Object.hasOwn(value, part) ? (value[part] ?? null) : null;
    }
  }
  return { path, value };
}

const QUOTED = /"((?:[^"])*)"/;

/** Returns a reason that continues the sentence after the path of the value. */
function formatReason({ keyword, error }: OutputUnit): string {
  const quoted = QUOTED.exec(error)?.[1] ?? '';
  switch (keyword) {
    case 'type':
      return `expected ${error.replace(/^.*Expected /, '').replaceAll(/[".]/g, '')}, got ${quoted}`;
    case 'required':
      return `property ${error.slice(error.indexOf('"'), -1)} is missing`;
    case 'false':
      return 'is not allowed';
    case 'maxProperties':
      return 'has too many properties';
    case 'minProperties':
      return 'has too few properties';
    case 'anyOf':
      return 'matches none of anyOf';
    case 'oneOf':
      return `must match exactly one of oneOf ${error.slice(error.lastIndexOf('('), -1)}`;
    case 'not':
      return 'matches what “not” excludes';
    case 'format':
      return error.includes(PATTERN_MARK)
        ? `does not match the pattern ${error.slice(error.indexOf(PATTERN_MARK) + PATTERN_MARK.length, -2)}`
        : `is not a valid ${quoted}`;
    default:
      return error.replace(/^Instance /, '').replace(/\.$/, '');
  }
}

function findFault(errors: readonly OutputUnit[], body: JsonValue): SchemaMatch {
  const [outermost] = errors;
  const error = errors.find(({ keyword }) => !OUTER.has(keyword)) ?? outermost;
  if (error === undefined) return { problem: 'schema_invalid: it could not be evaluated' };
  const { path, value } = findPosition(error.instanceLocation, body);
  const reason = formatReason(error).slice(0, MESSAGE_LENGTH_MAX);
  return { ok: false, path, reason, actual: value };
}

/**
 * Validates the body against the schema. If the body does not match, returns the first fault with its path. Throws for
 * a schema that cannot be evaluated.
 */
export function matchSchema(schema: JsonValue, body: JsonValue, matches: Matches): SchemaMatch {
  const runnable = makeRunnable(schema);
  const names = [...runnable.patterns].map((pattern) => {
    const name = `${PATTERN_MARK}${pattern}`;
    format[name] = (subject) => matches(pattern, subject);
    return name;
  });
  try {
    const { schema: root } = runnable;
    if (typeof root !== 'boolean' && !isObject(root)) {
      return { problem: 'schema_invalid: it is not a schema' };
    }
    const { valid, errors } = new Validator(root, findDraft(schema) ?? '2020-12').validate(body);
    return valid ? { ok: true } : findFault(errors, body);
  } finally {
    for (const name of names) delete format[name];
  }
}
