/** Finds all problems of a JSON Schema with their paths, when it is saved. */
import type { JsonValue } from '../../contracts/definition';
import { isJsonList } from '../../contracts/json';
import { findReferences } from '../templates/template';
import {
  type Draft,
  findDraft,
  isObject,
  type JsonObject,
  KEYWORD_ROLES,
  type KeywordRole,
  listSubschemas,
  readReference,
  SAME_VALUE_KEYWORDS,
  type SchemaPath,
} from './json-schema-keywords';

const SCHEMA_BYTES_MAX = 32 * 1024;
const SCHEMA_DEPTH_MAX = 32;
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];
const ANCHOR = /^[A-Za-z_][\w.-]*$/;

/** Unsupported keywords that would change the result, with a hint for each. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['patternProperties', 'is not supported; use propertyNames with additionalProperties'],
  ['$dynamicRef', 'is not supported; use $ref'],
  ['$dynamicAnchor', 'is not supported; use $anchor'],
  ['$recursiveRef', 'is not supported; use $ref'],
  ['$recursiveAnchor', 'is not supported; use $anchor'],
  ['nullable', 'is not JSON Schema; add "null" to the type'],
]);

export interface SchemaProblem {
  readonly path: SchemaPath;
  readonly message: string;
}

/** Returns the problem of a pattern. null means that the pattern can be run. */
type FindPatternProblem = (pattern: string) => string | null;

/** A schema inside the schema, identified by its path as text. */
interface Node {
  readonly path: SchemaPath;
  readonly schema: JsonObject;
}

interface Survey {
  readonly draft: Draft;
  readonly findPatternProblem: FindPatternProblem;
  readonly nodes: Map<string, Node>;
  readonly anchors: Map<string, string>;
}

function formatKey(path: SchemaPath): string {
  return JSON.stringify(path.map(String));
}

function isTooDeep(value: JsonValue, left: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return left === 0 || Object.values(value).some((child: JsonValue) => isTooDeep(child, left - 1));
}

function isName(value: JsonValue): value is string {
  return typeof value === 'string';
}

function isNames(value: JsonValue): boolean {
  return isJsonList(value) && value.every(isName);
}

function isTypeName(value: JsonValue): boolean {
  return isName(value) && TYPES.includes(value);
}

function typeProblem(value: JsonValue): string | null {
  const isKnown = isJsonList(value)
    ? value.length > 0 && value.every(isTypeName)
    : isTypeName(value);
  return isKnown ? null : `must be one of ${TYPES.join(', ')}, or a list of them`;
}

function itemsProblem(value: JsonValue, draft: Draft): string | null {
  return isJsonList(value) && draft === '2020-12'
    ? 'must be a schema; in draft 2020-12 a list of schemas is prefixItems'
    : null;
}

function schemasProblem(value: JsonValue): string | null {
  return isJsonList(value) && value.length > 0 ? null : 'must be a list of at least one schema';
}

function namesMapProblem(value: JsonValue): string | null {
  const isMap = isObject(value) && Object.values(value).every(isNames);
  return isMap ? null : 'must be an object of lists of names';
}

function dependenciesProblem(value: JsonValue): string | null {
  const isMap =
    isObject(value) && Object.values(value).every((one) => !isJsonList(one) || isNames(one));
  return isMap ? null : 'must be an object of schemas or lists of names';
}

function patternProblem(value: JsonValue, find: FindPatternProblem): string | null {
  return isName(value) ? find(value) : 'must be a regular expression';
}

function check(isRight: boolean, message: string): string | null {
  return isRight ? null : message;
}

/** Returns the problem with the value of one keyword. Schemas inside the value are checked separately. */
function keywordProblem(role: KeywordRole, value: JsonValue, survey: Survey): string | null {
  switch (role) {
    case 'schema':
    case 'anything':
    case 'reference':
      return null;
    case 'items':
      return itemsProblem(value, survey.draft);
    case 'schemas':
      return schemasProblem(value);
    case 'schemaMap':
      return check(isObject(value), 'must be an object of schemas');
    case 'dependencies':
      return dependenciesProblem(value);
    case 'namesMap':
      return namesMapProblem(value);
    case 'names':
      return check(isNames(value), 'must be a list of names');
    case 'count':
      return check(Number.isInteger(value) && Number(value) >= 0, 'must be a whole number from 0');
    case 'number':
      return check(typeof value === 'number', 'must be a number');
    case 'positive':
      return check(typeof value === 'number' && value > 0, 'must be a number above 0');
    case 'flag':
      return check(typeof value === 'boolean', 'must be true or false');
    case 'type':
      return typeProblem(value);
    case 'values':
      return check(isJsonList(value) && value.length > 0, 'must be a list of at least one value');
    case 'pattern':
      return patternProblem(value, survey.findPatternProblem);
    case 'text':
      return check(isName(value), 'must be text');
    case 'anchor':
      return check(isName(value) && ANCHOR.test(value), 'must be a name such as item');
  }
}

function refusedProblem(keyword: string, path: SchemaPath): string | null {
  const isNestedId = keyword === '$id' && path.length > 0;
  return isNestedId ? 'is only allowed at the top' : (REFUSED.get(keyword) ?? null);
}

/** Finds the problems of a schema and of the schemas inside it, and adds them to the survey. */
function examine(schema: JsonValue, path: SchemaPath, survey: Survey): SchemaProblem[] {
  if (typeof schema === 'boolean') {
    survey.nodes.set(formatKey(path), { path, schema: {} });
    return [];
  }
  if (!isObject(schema)) {
    return [{ path, message: 'must be a schema: an object, true or false' }];
  }
  survey.nodes.set(formatKey(path), { path, schema });
  const anchor = schema['$anchor'];
  if (typeof anchor === 'string') survey.anchors.set(anchor, formatKey(path));
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const role = KEYWORD_ROLES.get(keyword);
    const own =
      refusedProblem(keyword, path) ??
      (role === undefined ? null : keywordProblem(role, value, survey));
    if (own !== null) return [{ path: [...path, keyword], message: own }];
    return listSubschemas(keyword, value).flatMap((part) =>
      examine(part.value, [...path, ...part.path], survey),
    );
  });
}

/** Returns the key of the node that a reference points to. undefined means that there is no such node. */
function findTarget(reference: JsonValue, { nodes, anchors }: Survey): string | undefined {
  const read = isName(reference) ? readReference(reference) : null;
  if (read === null) return undefined;
  const key = 'path' in read ? formatKey(read.path) : anchors.get(read.anchor);
  return key !== undefined && nodes.has(key) ? key : undefined;
}

function referenceProblems(survey: Survey): SchemaProblem[] {
  return [...survey.nodes.values()].flatMap(({ path, schema }) => {
    const reference = schema['$ref'];
    if (reference === undefined || findTarget(reference, survey) !== undefined) return [];
    const isRemote = isName(reference) && !reference.startsWith('#');
    const message = isRemote
      ? 'must point into this schema, like #/$defs/item; nothing is fetched'
      : 'must point at a schema in here, like #/$defs/item';
    return [{ path: [...path, '$ref'], message }];
  });
}

function ofSameValue({ path, schema }: Node, survey: Survey): readonly string[] {
  const inside = Object.entries(schema)
    .filter(([keyword]) => SAME_VALUE_KEYWORDS.has(keyword))
    .flatMap(([keyword, value]) => listSubschemas(keyword, value))
    .map((part) => formatKey([...path, ...part.path]));
  const reference = schema['$ref'];
  const target = reference === undefined ? undefined : findTarget(reference, survey);
  return target === undefined ? inside : [...inside, target];
}

/** Finds references that lead back to themselves, because their validation would never end. */
function endlessProblems(survey: Survey): SchemaProblem[] {
  const state = new Map<string, 'open' | 'done'>();
  const problems: SchemaProblem[] = [];
  const visit = (key: string): void => {
    const node = survey.nodes.get(key);
    if (node === undefined || state.has(key)) return;
    state.set(key, 'open');
    for (const next of ofSameValue(node, survey)) {
      if (state.get(next) === 'open') {
        const at = survey.nodes.get(next)?.path ?? [];
        problems.push({ path: at, message: 'refers to itself without end' });
      } else visit(next);
    }
    state.set(key, 'done');
  };
  for (const key of survey.nodes.keys()) visit(key);
  return problems;
}

function variableProblems(value: JsonValue, path: SchemaPath): SchemaProblem[] {
  if (typeof value === 'string') {
    if (findReferences(value).length === 0) return [];
    const message =
      'must not use {{…}}: a schema cannot contain variables. Compare with a JSON path instead';
    return [{ path, message }];
  }
  if (value === null || typeof value !== 'object') return [];
  if (isJsonList(value)) {
    return value.flatMap((one, index) => variableProblems(one, [...path, index]));
  }
  return Object.entries(value).flatMap(([name, one]) => variableProblems(one, [...path, name]));
}

/** Returns every problem of the schema, with paths relative to it. Empty for a supported schema. */
export function findSchemaProblems(
  schema: JsonValue,
  findPatternProblem: FindPatternProblem,
): readonly SchemaProblem[] {
  if (isTooDeep(schema, SCHEMA_DEPTH_MAX)) {
    return [{ path: [], message: `must be nested at most ${SCHEMA_DEPTH_MAX} levels deep` }];
  }
  if (new TextEncoder().encode(JSON.stringify(schema)).length > SCHEMA_BYTES_MAX) {
    return [{ path: [], message: 'must be at most 32 KiB' }];
  }
  const draft = findDraft(schema);
  if (draft === null) {
    return [{ path: ['$schema'], message: 'must name draft-07, 2019-09 or 2020-12' }];
  }
  const survey: Survey = { draft, findPatternProblem, nodes: new Map(), anchors: new Map() };
  const problems = examine(schema, [], survey);
  const all = [...problems, ...referenceProblems(survey), ...variableProblems(schema, [])];
  return all.length > 0 ? all : endlessProblems(survey);
}
