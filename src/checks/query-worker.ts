/**
 * What the query worker runs. A worker can't load TypeScript, so it gets the text of these
 * functions: they may use nothing but their parameters and each other.
 */
import type { MessagePort } from 'node:worker_threads';
import type { RE2JS } from 're2js';
import type { JsonValue } from '../contracts/definition';

/** The first value found, all of them, or only how many there are. */
export type Want = 'first' | 'all' | 'count';

export type Query =
  | { readonly kind: 'path'; readonly path: string; readonly want: Want }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly subject: string };

/** Queries about one text; it is parsed once, and only when there is a path among them. */
export interface Job {
  readonly json: string | null;
  readonly queries: readonly Query[];
}

/** `values`: what was found; for a pattern its first group or whole match, nothing without one. */
export type QueryAnswer =
  | { readonly values: readonly JsonValue[]; readonly count: number }
  | { readonly problem: string };

interface PathOptions {
  readonly path: string;
  readonly json: JsonValue;
  readonly resultType: 'value';
  readonly wrap: true;
  readonly eval: 'safe';
  readonly ignoreEvalErrors: true;
}

interface Libraries {
  /** With these options jsonpath-plus always answers with a list of values. */
  readonly JSONPath: ((options: PathOptions) => JsonValue[]) & { readonly clearCache: () => void };
  readonly RE2JS: typeof RE2JS;
}

type Parsed = { readonly json: JsonValue } | { readonly problem: string };

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (isInString && character === 92) index += 1;
    else if (character === 34) isInString = !isInString;
    else if (!isInString && (character === 91 || character === 123)) depth += 1;
    else if (!isInString && (character === 93 || character === 125)) depth -= 1;
    if (depth > 100) return true;
  }
  return false;
}

function parse(text: string): Parsed {
  if (isTooDeep(text)) return { problem: 'not_json: the body is nested deeper than 100 levels' };
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { problem: 'not_json: the body is not JSON' };
  }
}

function answerPath(
  query: Extract<Query, { kind: 'path' }>,
  parsed: Parsed,
  { JSONPath }: Libraries,
): QueryAnswer {
  if ('problem' in parsed) return parsed;
  const { json } = parsed;
  // The engine can't look into a scalar, in which only the root itself is to be found.
  if (json === null || typeof json !== 'object') {
    const isRoot = query.path === '$';
    return { values: isRoot ? [json] : [], count: isRoot ? 1 : 0 };
  }
  const values = JSONPath({
    path: query.path,
    json,
    resultType: 'value',
    wrap: true,
    eval: 'safe',
    ignoreEvalErrors: true,
  });
  const count = values.length;
  if (query.want === 'count') return { values: [], count };
  const wanted = query.want === 'first' ? values.slice(0, 1) : values;
  if (JSON.stringify(wanted).length > 1_048_576) {
    return { problem: 'path_too_large: the path finds more than 1 MiB' };
  }
  return { values: wanted, count };
}

function answerPattern(
  { pattern, subject }: Extract<Query, { kind: 'pattern' }>,
  libraries: Libraries,
): QueryAnswer {
  const matcher = libraries.RE2JS.compile(pattern).matcher(subject);
  if (!matcher.find()) return { values: [], count: 0 };
  const match = matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
  return { values: [match ?? ''], count: 1 };
}

function serve(port: MessagePort, libraries: Libraries): void {
  let answered = 0;
  port.on('message', ({ json, queries }: Job) => {
    const parsed = json === null ? { problem: 'not_json: there is no body' } : parse(json);
    // From here on the time of the first query counts.
    port.postMessage(null);
    for (const query of queries) {
      try {
        const answer =
          query.kind === 'path'
            ? answerPath(query, parsed, libraries)
            : answerPattern(query, libraries);
        port.postMessage(answer);
      } catch {
        port.postMessage({ problem: `${query.kind}_invalid: it could not be carried out` });
      }
    }
    answered += queries.length;
    // The engine keeps every path that it has ever seen.
    if (answered % 1_000 < queries.length) libraries.JSONPath.clearCache();
  });
}

/** The worker's whole code: answers come one by one, in the order of a job's queries. */
export function queryWorkerCode(): string {
  const functions = [isTooDeep, parse, answerPath, answerPattern, serve];
  const libraries = [require.resolve('jsonpath-plus'), require.resolve('re2js')]
    .map((path) => `...require(${JSON.stringify(path)})`)
    .join(', ');
  return `'use strict';
    ${functions.map((code) => code.toString()).join('\n')}
    serve(require('node:worker_threads').parentPort, { ${libraries} });`;
}
