/**
 * Does work on untrusted text: JSON paths, patterns, assertions, the search for secrets, templates, and Markdown. It
 * runs in a worker thread, because such work can be slow.
 */
import { JSONPath } from 'jsonpath-plus';
import { RE2JS } from 're2js';
import type { JsonPathMatch, JsonValue } from '../contracts/definition';
import { isJsonList, isRecord } from '../contracts/json';
import {
  BODY_CUT,
  evaluateAssertion,
  type FoundValues,
  type ResponseFacts,
  type SchemaMatch,
} from '../domain/assertions/assertion';
import { parseJsonPath } from '../domain/assertions/json-path-syntax';
import { createRedactor } from '../domain/secrets/create-redactor';
import { isMaskable, MASK, type Redact } from '../domain/secrets/redact';
import { createForeignView, type ForeignView, withoutForeign } from './foreign-view';
import { renderTemplate } from './liquid';
import { renderMarkdown } from './markdown';
import { matchSchema } from './match-schema';
import { once, type Parsed, type ParsedDocument, parseText } from './parse-text';
import type { TextJob, TextResult, TextTask, Want } from './text-task';

const PATTERN_LENGTH_MAX = 500;
/** Maximum length of a text for patterns. It equals the maximum size of a response body that is read. */
const SUBJECT_LENGTH_MAX = 1024 * 1024;
const FOUND_LENGTH_MAX = 1_048_576;

interface Workbench {
  readonly carryOut: (task: TextTask) => TextResult;
}

/** Number of cached paths after which the cache is cleared. The JSONPath library caches every path. */
const PATHS_KEPT = 1_000;
let pathsFollowed = 0;

/** Maps lists and objects of one document to their counterparts in the other document. */
function pairUp(json: JsonValue, exact: JsonValue, pairs = new Map<unknown, JsonValue>()) {
  if (json === null || typeof json !== 'object') return pairs;
  pairs.set(json, exact);
  for (const [name, entry] of Object.entries(json)) pairUp(entry, findMember(exact, name), pairs);
  return pairs;
}

function findMember(value: JsonValue, name: string): JsonValue {
  if (isJsonList(value)) return value[Number(name)] ?? null;
  return isRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** Returns true for the JSONPath library's description of a position. The root has no parent. */
function isPosition(found: unknown): found is { parent: unknown; parentProperty: string } {
  return isRecord(found) && 'parent' in found && 'parentProperty' in found;
}

/** Returns true for a list. If `wrap` is set, the JSONPath library always returns a list. */
function isList(values: unknown): values is readonly JsonValue[] {
  return Array.isArray(values);
}

/**
 * Evaluates a path. Filters compare numbers, so the path is evaluated in `json`. The values found are then taken from
 * `exact`.
 */
function followPath(libraryPath: string, { json, exact }: ParsedDocument): readonly JsonValue[] {
  // The JSONPath library cannot search a scalar. Only the path `$` finds a value in a scalar: the scalar itself.
  if (json === null || typeof json !== 'object') return libraryPath === '$' ? [exact] : [];
  pathsFollowed += 1;
  if (pathsFollowed % PATHS_KEPT === 0) JSONPath.clearCache();
  const isExact = json === exact;
  const found: unknown = JSONPath({
    path: libraryPath,
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
  return places.filter(isPosition).map(({ parent, parentProperty }) => {
    const exactParent = pairs.get(parent);
    return exactParent === undefined ? exact : findMember(exactParent, String(parentProperty));
  });
}

function findIn(parsed: Parsed, path: string, want: Want): FoundValues {
  if ('problem' in parsed) return parsed;
  const syntax = parseJsonPath(path);
  if (!syntax.ok) return { problem: `path_invalid: ${path} is not a path` };
  const values = followPath(syntax.libraryPath, parsed);
  const count = values.length;
  if (want === 'count') return { values: [], count };
  const wanted = want === 'first' ? values.slice(0, 1) : values;
  if (JSON.stringify(wanted).length > FOUND_LENGTH_MAX) {
    return { problem: 'path_too_large: the path finds more than 1 MiB' };
  }
  return { values: wanted, count };
}

/**
 * Finds a pattern. If the text was cut, a match may be in the missing part or extend into it. In that case, the result
 * is a problem.
 */
function findPattern(pattern: string, subject: string, isCut = false): FoundValues {
  if (pattern.length > PATTERN_LENGTH_MAX) {
    return { problem: `pattern_too_long: a pattern has at most ${PATTERN_LENGTH_MAX} characters` };
  }
  if (subject.length > SUBJECT_LENGTH_MAX) {
    return { problem: 'text_too_long: patterns only read texts of at most 1 MiB' };
  }
  const matcher = RE2JS.compile(pattern).matcher(subject);
  const isFound = matcher.find();
  if (isCut && (!isFound || matcher.end() === subject.length)) return { problem: BODY_CUT };
  if (!isFound) return { values: [], count: 0 };
  const match = matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
  return { values: [match ?? ''], count: 1 };
}

function chooseWant(match: JsonPathMatch): Want {
  return match === 'every' || match === 'any' ? 'all' : match;
}

/**
 * Matches the body against the schema. If a pattern cannot be run, returns the problem of the pattern as the result.
 */
function judge(schema: JsonValue, body: JsonValue): SchemaMatch {
  let problem: string | undefined;
  const match = matchSchema(schema, body, (pattern, subject) => {
    const found = findPattern(pattern, subject);
    if ('problem' in found) problem ??= found.problem;
    return 'count' in found && found.count > 0;
  });
  return problem === undefined ? match : { problem };
}

function buildFacts(
  { text, isCut, response, hidden = [] }: TextJob,
  foreign: ForeignView,
): ResponseFacts {
  if (response === undefined) throw new Error('an assertion needs a response');
  const { headers, finalUrl, ...plain } = response;
  return {
    ...plain,
    get body() {
      return foreign.text();
    },
    finalUrl: foreign.hide(finalUrl),
    header: (name) => {
      const value = headers.get(name.toLowerCase());
      return value === undefined ? null : foreign.hide(value);
    },
    find: (path, match) => findIn(foreign.document(), path, chooseWant(match)),
    redact: createRedactor(hidden),
    redactBroken: createRedactor(hidden, { isBroken: true }),
    matches: (pattern, subject) => {
      const isOfCut = isCut === true && (subject === text || subject === foreign.text());
      const found = findPattern(pattern, subject, isOfCut);
      return 'problem' in found ? found : { ok: found.count > 0 };
    },
    matchSchema: (schema) => {
      const body = foreign.body();
      return 'problem' in body ? body : judge(schema, body.json);
    },
  };
}

type PathTask = Extract<TextTask, { kind: 'path' }>;
type PatternTask = Extract<TextTask, { kind: 'pattern' }>;

const HOLDS_SECRET =
  'holds_secret: the found value contains a secret; extract it with "secret": true';

function holds(value: JsonValue, part: string): boolean {
  return typeof value === 'string' && value.includes(part);
}

const REDACTORS_KEPT = 20;
/** Redactors by `hiddenId`. The least recently used comes first. */
const redactors = new Map<string, Redact>();

function getRedactor({ hidden = [], hiddenId }: TextJob): Redact {
  if (hiddenId === undefined) return createRedactor(hidden);
  const redact = redactors.get(hiddenId) ?? createRedactor(hidden);
  redactors.delete(hiddenId);
  redactors.set(hiddenId, redact);
  const [oldest] = redactors.keys();
  if (redactors.size > REDACTORS_KEPT && oldest !== undefined) redactors.delete(oldest);
  return redact;
}

/** Builds a function that runs the tasks of a job. A task that throws has no result. */
export function createWorkbench(job: TextJob): Workbench {
  const { text, hidden = [] } = job;
  const parsed = once(() => parseText(job));
  const foreign = createForeignView(job, parsed);
  const facts = once(() => buildFacts(job, foreign));
  const redact = once(() => getRedactor(job));
  const redactBroken = once(() => createRedactor(hidden, { isBroken: true }));
  if (job.tasks.some(({ kind }) => kind === 'path')) parsed();

  /** Evaluates the path in the redacted view, so that secrets do not influence it. Returns original values. */
  function findByPath({ path, want, isSecret }: PathTask): FoundValues {
    const [whole, view] = [parsed(), foreign.document()];
    if (isSecret === true || 'problem' in whole || 'problem' in view)
      return findIn(whole, path, want);
    return findIn({ json: view.json, exact: whole.exact }, path, want);
  }

  function findByPattern({ pattern, subject, isSecret }: PatternTask): FoundValues {
    const isCut = job.isCut === true && subject === undefined;
    if (isSecret === true) return findPattern(pattern, subject ?? text, isCut);
    const hidden = subject === undefined ? foreign.text() : foreign.hide(subject);
    const found = findPattern(pattern, hidden, isCut);
    const holdsMask = 'values' in found && found.values.some((value) => holds(value, MASK));
    return holdsMask && hidden !== (subject ?? text) ? { problem: HOLDS_SECRET } : found;
  }

  function carryOut(task: TextTask): TextResult {
    switch (task.kind) {
      case 'survey':
        return { isFound: foreign.isHolding() };
      case 'path':
        return findByPath(task);
      case 'pattern':
        return findByPattern(task);
      case 'assertion':
        return {
          outcome: evaluateAssertion(withoutForeign(task.assertion, foreign), facts()),
        };
      case 'search': {
        const { subject } = task;
        const isFound = redact()(subject) !== subject;
        // Short values are secret, but are not masked in texts.
        const shorts = hidden.filter((value) => !isMaskable(value) && value !== '');
        return { isFound: isFound || shorts.some((value) => subject.includes(value)) };
      }
      case 'redaction': {
        const redactOne = task.isBroken ? redactBroken() : redact();
        return { redacted: redactOne(task.subject) };
      }
      case 'markdown':
        return { rendered: renderMarkdown(task.subject) };
      case 'template':
        return renderTemplate(task);
    }
  }
  return { carryOut };
}
