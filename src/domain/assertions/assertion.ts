/** Evaluates assertions on a response. Pure. The caller evaluates paths and patterns. */
import type {
  Assertion,
  JsonPathMatch,
  JsonValue,
  StepDefinition,
  TimingName,
} from '../../contracts/definition';
import { formatJsonText, isJsonList } from '../../contracts/json';
import type { AssertionOutcome, Timings, TlsFacts } from '../../contracts/outcome';
import type { Redact } from '../secrets/redact';
import { type Comparison, compare, type PatternMatch } from './assertion-operators';
import { describe, redactBriefly } from './assertion-text';
import { includesText } from './includes-text';

/** The values that a path found, or why there are none. For the match `first`, `values` needs only one value. */
export type FoundValues =
  | { readonly values: readonly JsonValue[]; readonly count: number }
  | { readonly problem: string };

export interface ResponseFacts {
  readonly status: number;
  /**
   * Returns the value of a header. Ignores the case of the name, and joins several lines with this name by commas. null
   * if the header is absent.
   */
  readonly header: (name: string) => string | null;
  readonly body: string;
  readonly responseTimeMs: number;
  readonly timings: Timings;
  readonly redirects: number;
  /** The URL after all redirects. */
  readonly finalUrl: string;
  /** The size of the decoded body. */
  readonly bodyBytes: number;
  /** True means that the body was longer than the part that was read. */
  readonly isBodyCut?: boolean | undefined;
  readonly tls: TlsFacts | null;
  readonly find: (path: string, match: JsonPathMatch) => FoundValues;
  /** Masks secrets in the outcome. */
  readonly redact: Redact;
  /** Masks secrets in the start of a long text. The end of this start may be the first half of a secret. */
  readonly redactBroken: Redact;
  /** Matches the pattern, or returns why that is impossible. */
  readonly matches: PatternMatch;
  /** Matches the body against a JSON Schema, or returns where it differs. */
  readonly matchSchema: (schema: JsonValue) => SchemaMatch;
}

/** `path` is the path at which the body differs. `problem` is the reason why the result is unknown. */
export type SchemaMatch =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly path: string;
      readonly reason: string;
      readonly actual: JsonValue;
    }
  | { readonly problem: string };

/** The problem of an assertion that cannot be evaluated without the end of the body. */
export const BODY_CUT = 'body_cut: only the first 1 MiB of the body is read';

/** The values that an assertion checks, or why they cannot be found. */
type Subjects =
  | { readonly values: readonly JsonValue[]; readonly isText: boolean }
  | { readonly missing: string }
  | { readonly problem: string };

function one(value: JsonValue, isText = false): Subjects {
  return { values: [value], isText };
}

function tlsSubject(name: Extract<Assertion, { type: 'tls' }>['name'], tls: TlsFacts | null) {
  const value = tls?.[name] ?? null;
  return value === null ? { missing: `no_tls: there is no ${name} to look at` } : one(value);
}

function timingSubject(name: TimingName, timings: Timings): Subjects {
  const value = timings[`${name}Ms`];
  return value === null ? { missing: `no_timing: there was no ${name}` } : one(value);
}

function jsonPathSubjects(
  { path, match }: Extract<Assertion, { type: 'jsonPath' }>,
  facts: ResponseFacts,
): Subjects {
  const found = facts.find(path, match);
  if ('problem' in found) return found;
  if (match === 'count') return one(found.count);
  const [first] = found.values;
  if (first === undefined) return { missing: 'path_not_found: nothing was found' };
  return match === 'first' ? one(first) : { values: found.values, isText: false };
}

function listSubjects(assertion: Assertion, facts: ResponseFacts): Subjects {
  switch (assertion.type) {
    case 'status':
      return one(facts.status);
    case 'responseTime':
      return one(facts.responseTimeMs);
    case 'body':
      return one(facts.body, true);
    case 'bodySize':
      // If the body was cut, its real size is unknown but larger than the bytes that were read.
      return one(facts.isBodyCut === true ? facts.bodyBytes + 1 : facts.bodyBytes);
    case 'timing':
      return timingSubject(assertion.name, facts.timings);
    case 'redirect':
      return assertion.name === 'count' ? one(facts.redirects) : one(facts.finalUrl, true);
    case 'header': {
      const value = facts.header(assertion.name);
      return value === null
        ? { missing: `header_not_found: there is no header ${assertion.name}` }
        : one(value, true);
    }
    case 'tls':
      return tlsSubject(assertion.name, facts.tls);
    case 'jsonPath':
      return jsonPathSubjects(assertion, facts);
    case 'jsonSchema':
      return one(facts.body, true);
  }
}

function readTarget(assertion: Assertion): string | null {
  switch (assertion.type) {
    case 'jsonPath':
      return assertion.path;
    case 'header':
    case 'tls':
    case 'timing':
    case 'redirect':
      return assertion.name;
    case 'status':
    case 'responseTime':
    case 'body':
    case 'bodySize':
    case 'jsonSchema':
      return null;
  }
}

/** True if the value exists. An empty body or a count of 0 is treated as absent. */
function isThere(subjects: Subjects, assertion: Assertion): boolean {
  if (!('values' in subjects)) return false;
  if (assertion.type === 'body') return subjects.values[0] !== '';
  const isCount = assertion.type === 'jsonPath' && assertion.match === 'count';
  return !isCount || subjects.values[0] !== 0;
}

function compareAll(assertion: Assertion, subjects: Subjects, facts: ResponseFacts): Comparison {
  const { operator } = assertion;
  if ('problem' in subjects) return { ok: false, problem: subjects.problem };
  if (operator === 'exists' || operator === 'notExists') {
    return { ok: isThere(subjects, assertion) === (operator === 'exists') };
  }
  if ('missing' in subjects) return { ok: false, problem: subjects.missing };
  if (facts.isBodyCut === true && needsBodyEnd(assertion, facts))
    return { ok: false, problem: BODY_CUT };
  const comparisons = subjects.values.map((actual) =>
    compare(actual, {
      operator,
      expected: assertion.value ?? null,
      isText: subjects.isText,
      isStatus: assertion.type === 'status',
      matches: facts.matches,
    }),
  );
  const isAny = assertion.type === 'jsonPath' && assertion.match === 'any';
  const decisive = comparisons.find((comparison) => comparison.ok === isAny) ?? comparisons[0];
  return decisive ?? { ok: false, problem: 'path_not_found: nothing was found' };
}

/**
 * True if the outcome may depend on the part of the body that was not read. For a pattern, the matcher itself decides
 * this.
 */
function needsBodyEnd({ type, operator, value = null }: Assertion, facts: ResponseFacts): boolean {
  if (type === 'bodySize') {
    const bounds = isJsonList(value) ? value : [value];
    return bounds.some((bound) => Number(bound) > facts.bodyBytes);
  }
  if (type !== 'body') return false;
  const isFound = includesText(facts.body, formatJsonText(value));
  return (
    operator === 'endsWith' ||
    operator === 'lengthEquals' ||
    ((operator === 'contains' || operator === 'notContains') && !isFound)
  );
}

function readActual(subjects: Subjects, assertion: Assertion): JsonValue {
  if (!('values' in subjects)) return null;
  const isList =
    assertion.type === 'jsonPath' && (assertion.match === 'every' || assertion.match === 'any');
  return isList ? subjects.values : (subjects.values[0] ?? null);
}

/** Evaluates one assertion. The outcome contains a sentence for people. */
export function evaluateAssertion(assertion: Assertion, facts: ResponseFacts): AssertionOutcome {
  if (assertion.type === 'jsonSchema') return evaluateSchema(assertion, facts);
  const subjects = listSubjects(assertion, facts);
  const comparison = compareAll(assertion, subjects, facts);
  const outcome = {
    type: assertion.type,
    operator: assertion.operator,
    target: readTarget(assertion),
    severity: assertion.severity,
    ok: comparison.ok,
    actual: redactBriefly(readActual(subjects, assertion), facts),
    expected: redactBriefly(assertion.value ?? null, facts),
  };
  return { ...outcome, message: facts.redact(describe(outcome, comparison.problem ?? null)) };
}

function evaluateSchema(assertion: Assertion, facts: ResponseFacts): AssertionOutcome {
  const { type, operator, severity, value: schema = null } = assertion;
  const match = facts.matchSchema(schema);
  const outcome = {
    type,
    operator,
    target: null,
    severity,
    ok: 'ok' in match && match.ok,
    actual: 'actual' in match ? redactBriefly(match.actual, facts) : null,
    expected: redactBriefly(schema, facts),
  };
  const fault = 'reason' in match ? `${match.path} ${match.reason}` : null;
  const problem = 'problem' in match ? match.problem : fault;
  return { ...outcome, message: describe(outcome, shortenReason(problem, facts)) };
}

/** Shortens and redacts the text, because it may contain values from the body. */
function shortenReason(problem: string | null, facts: ResponseFacts): string | null {
  if (problem === null) return null;
  const shown = redactBriefly(problem, facts);
  return typeof shown === 'string' ? shown : problem;
}

const EXPECT_SUCCESS: Assertion = {
  type: 'status',
  operator: 'equals',
  value: '2xx',
  severity: 'fail',
};

/** GraphQL reports errors in the body, independently of the status. */
const EXPECT_NO_ERRORS: Assertion = {
  type: 'jsonPath',
  path: '$.errors[*]',
  match: 'count',
  operator: 'equals',
  value: 0,
  severity: 'fail',
};

/**
 * Adds implied assertions: a status of 200–299 if no assertion checks the status, and no errors if no assertion of a
 * GraphQL request checks `$.errors`.
 */
export function withImplied({
  assertions,
  graphql,
}: Pick<StepDefinition, 'assertions' | 'graphql'>): readonly Assertion[] {
  const hasStatus = assertions.some(({ type }) => type === 'status');
  const isGraphql = graphql !== null && graphql !== undefined;
  const hasErrors = assertions.some((one) => one.type === 'jsonPath' && isOfErrors(one.path));
  return [
    ...(hasStatus ? [] : [EXPECT_SUCCESS]),
    ...(!isGraphql || hasErrors ? [] : [EXPECT_NO_ERRORS]),
    ...assertions,
  ];
}

function isOfErrors(path: string): boolean {
  return /^\$(?:\.errors|\['errors'\])(?![\w-])/.test(path);
}

/** Returns the outcome of an assertion that took too long. The assertion counts as failed. */
export function createFailedAssertion(assertion: Assertion, problem: string): AssertionOutcome {
  const { type, operator, severity } = assertion;
  const target = readTarget(assertion);
  const outcome = { type, operator, target, severity, ok: false, actual: null, expected: null };
  return { ...outcome, message: describe(outcome, problem) };
}

const QUICK_TYPES: ReadonlySet<Assertion['type']> = new Set([
  'status',
  'responseTime',
  'tls',
  'timing',
  'redirect',
  'bodySize',
]);

/** True if the assertion is so fast that it needs no time limit. */
export function isQuickAssertion({ type, operator }: Assertion): boolean {
  return QUICK_TYPES.has(type) && operator !== 'matches' && operator !== 'notMatches';
}
