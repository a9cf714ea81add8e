/**
 * What is done with the text of a response: JSON paths, patterns, assertions, the search for
 * secrets. It runs in a worker thread, since what a target sends may make each of these slow; elsewhere only
 * what short-work.ts lets through.
 */
import { JSONPath } from 'jsonpath-plus';
import { RE2JS } from 're2js';
import type { JsonPathMatch, JsonValue } from '../../contracts/definition';
import { isJsonList, isRecord, mayHoldLargeIntegers, parseExactly } from '../../contracts/json';
import {
  BODY_CUT,
  evaluateAssertion,
  type FoundValues,
  type ResponseFacts,
  type SchemaMatch,
} from '../../domain/assertions/assertion';
import { parseJsonPath } from '../../domain/assertions/json-path-syntax';
import { createRedactor, isMaskable } from '../../domain/secrets/redact';
import { matchSchema } from './match-schema';
import type { TextJob, TextResult, TextTask, Want } from './text-task';

const PATTERN_LENGTH_MAX = 500;
/** Of a body as much as is read of it. */
const SUBJECT_LENGTH_MAX = 1024 * 1024;
const FOUND_LENGTH_MAX = 1_048_576;
const JSON_DEPTH_MAX = 100;

type Parsed = ParsedDocument | { readonly problem: string; readonly isMissing?: true };

interface Workbench {
  readonly carryOut: (task: TextTask) => TextResult;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (isInString && character === 92) index += 1;
    else if (character === 34) isInString = !isInString;
    else if (!isInString && (character === 91 || character === 123)) depth += 1;
    else if (!isInString && (character === 93 || character === 125)) depth -= 1;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
}

function parse({ text, isCut }: TextJob): Parsed {
  const isMissing = true;
  if (isCut === true) return { problem: BODY_CUT };
  if (isTooDeep(text)) {
    const problem = `not_json: the body is nested deeper than ${JSON_DEPTH_MAX} levels`;
    return { problem, isMissing };
  }
  try {
    const json: JsonValue = JSON.parse(text);
    return { json, exact: mayHoldLargeIntegers(text) ? parseExactly(text) : json };
  } catch {
    return { problem: 'not_json: the body is not JSON', isMissing };
  }
}

/** The engine keeps every path that it has ever seen. */
const PATHS_KEPT = 1_000;
let pathsFollowed = 0;

/** `exact` has large integers as they are written, in the same places. */
interface ParsedDocument {
  readonly json: JsonValue;
  readonly exact: JsonValue;
}

/** Each list and object of the one document with that in the same place of the other. */
function pairUp(json: JsonValue, exact: JsonValue, pairs = new Map<unknown, JsonValue>()) {
  if (json === null || typeof json !== 'object') return pairs;
  pairs.set(json, exact);
  for (const [name, entry] of Object.entries(json)) pairUp(entry, memberOf(exact, name), pairs);
  return pairs;
}

function memberOf(value: JsonValue, name: string): JsonValue {
  if (isJsonList(value)) return value[Number(name)] ?? null;
  return isRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** What the engine says of a place: the root has no parent. */
function isPlace(found: unknown): found is { parent: unknown; parentProperty: string } {
  return isRecord(found) && 'parent' in found && 'parentProperty' in found;
}

/** With `wrap` the engine always answers with a list. */
function isList(values: unknown): values is readonly JsonValue[] {
  return Array.isArray(values);
}

/** Filters compare numbers, so that paths are followed in those; what they find is read exactly. */
function followPath(enginePath: string, { json, exact }: ParsedDocument): readonly JsonValue[] {
  // The engine can't look into a scalar, in which only the root itself is to be found.
  if (json === null || typeof json !== 'object') return enginePath === '$' ? [exact] : [];
  pathsFollowed += 1;
  if (pathsFollowed % PATHS_KEPT === 0) JSONPath.clearCache();
  const isExact = json === exact;
  const found: unknown = JSONPath({
    path: enginePath,
    json,
    resultType: isExact ? 'value' : 'all',
    wrap: true,
    eval: 'safe',
    ignoreEvalErrors: true,
  });
  if (!isList(found)) return [];
  if (isExact) return found;
  const pairs = pairUp(json, exact);
  const places: readonly unknown[] = found;
  return places.filter(isPlace).map(({ parent, parentProperty }) => {
    const exactParent = pairs.get(parent);
    return exactParent === undefined ? exact : memberOf(exactParent, String(parentProperty));
  });
}

function findIn(parsed: Parsed, path: string, want: Want): FoundValues {
  if ('problem' in parsed) return parsed;
  const syntax = parseJsonPath(path);
  if (!syntax.ok) return { problem: `path_invalid: ${path} is not a path` };
  const values = followPath(syntax.enginePath, parsed);
  const count = values.length;
  if (want === 'count') return { values: [], count };
  const wanted = want === 'first' ? values.slice(0, 1) : values;
  if (JSON.stringify(wanted).length > FOUND_LENGTH_MAX) {
    return { problem: 'path_too_large: the path finds more than 1 MiB' };
  }
  return { values: wanted, count };
}

/** Of a text that was cut, what might be found behind the cut, or end there, is not known. */
function findPattern(pattern: string, subject: string, isCut = false): FoundValues {
  if (pattern.length > PATTERN_LENGTH_MAX) {
    return { problem: `pattern_too_long: a pattern has at most ${PATTERN_LENGTH_MAX} characters` };
  }
  if (subject.length > SUBJECT_LENGTH_MAX) {
    return { problem: 'text_too_long: patterns look at texts of at most 1 MiB' };
  }
  const matcher = RE2JS.compile(pattern).matcher(subject);
  const isFound = matcher.find();
  if (isCut && (!isFound || matcher.end() === subject.length)) return { problem: BODY_CUT };
  if (!isFound) return { values: [], count: 0 };
  const match = matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
  return { values: [match ?? ''], count: 1 };
}

function wantOf(match: JsonPathMatch): Want {
  return match === 'every' || match === 'any' ? 'all' : match;
}

/** A pattern that could not be run decides nothing: its problem is the outcome. */
function judge(schema: JsonValue, body: JsonValue): SchemaMatch {
  let problem: string | undefined;
  const match = matchSchema(schema, body, (pattern, subject) => {
    const found = findPattern(pattern, subject);
    if ('problem' in found) problem ??= found.problem;
    return 'count' in found && found.count > 0;
  });
  return problem === undefined ? match : { problem };
}

type Find = (path: string, want: Want) => FoundValues;

function factsOf(
  { text, isCut, response, hidden = [] }: TextJob,
  { find, json }: { readonly find: Find; readonly json: () => Parsed },
): ResponseFacts {
  if (response === undefined) throw new Error('an assertion needs a response');
  const { headers, ...plain } = response;
  return {
    ...plain,
    body: text,
    header: (name) => headers.get(name.toLowerCase()) ?? null,
    find: (path, match) => find(path, wantOf(match)),
    redact: createRedactor(hidden),
    redactBroken: createRedactor(hidden, { isBroken: true }),
    matches: (pattern, subject) => {
      const found = findPattern(pattern, subject, isCut === true && subject === text);
      return 'problem' in found ? found : { ok: found.count > 0 };
    },
    matchSchema: (schema) => {
      const body = json();
      return 'problem' in body ? body : judge(schema, body.json);
    },
  };
}

/** A value made once, when it is first needed. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Carries out the tasks of a job; a task may throw, and then has no result. */
export function createWorkbench(job: TextJob): Workbench {
  const { text, hidden = [] } = job;
  const parsed = once(() => parse(job));
  const find: Find = (path, want) => findIn(parsed(), path, want);
  const facts = once(() => factsOf(job, { find, json: parsed }));
  const redact = once(() => createRedactor(hidden));
  const redactBroken = once(() => createRedactor(hidden, { isBroken: true }));
  if (job.tasks.some(({ kind }) => kind === 'path')) parsed();

  function carryOut(task: TextTask): TextResult {
    switch (task.kind) {
      case 'path':
        return find(task.path, task.want);
      case 'pattern':
        return findPattern(
          task.pattern,
          task.subject ?? text,
          job.isCut === true && task.subject === undefined,
        );
      case 'assertion':
        return { outcome: evaluateAssertion(task.assertion, facts()) };
      case 'search': {
        const { subject } = task;
        const isFound = redact()(subject) !== subject;
        // Short values are not masked, but are secrets all the same.
        const shorts = hidden.filter((value) => !isMaskable(value) && value !== '');
        return { isFound: isFound || shorts.some((value) => subject.includes(value)) };
      }
      case 'redaction': {
        const redactOne = task.isBroken ? redactBroken() : redact();
        return { redacted: redactOne(task.subject) };
      }
    }
  }
  return { carryOut };
}
