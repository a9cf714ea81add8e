/** Assertions as text for people: long values are cut, and every outcome gets one sentence. */
import type { JsonValue } from '../../contracts/definition';
import { withoutMarks } from '../../contracts/json';
import type { AssertionOutcome } from '../../contracts/outcome';
import { type Redact, redactJson } from '../secrets/redact';
import { cutText } from '../text/cut-text';

const BRIEF_LENGTH_MAX = 200;
const SENTENCE_VALUE_LENGTH_MAX = 120;

/** Cuts the text to this length. If a part is left out, `…` is added. */
function cut(text: string, length: number): string {
  return cutText(text, length + 1);
}

/** How many characters of a text are searched for secrets and shown. */
const LOOKED_THROUGH_LENGTH_MAX = 4_096;

interface Redaction {
  readonly redact: Redact;
  /** Redacts a text that was cut off. The end of such a text may be the first half of a secret. */
  readonly redactBroken: Redact;
}

function briefText(text: string, { redact, redactBroken }: Redaction): string {
  const isWhole = text.length <= LOOKED_THROUGH_LENGTH_MAX;
  const redacted = isWhole
    ? redact(text)
    : `${redactBroken(text.slice(0, LOOKED_THROUGH_LENGTH_MAX))}…`;
  return cut(redacted, BRIEF_LENGTH_MAX);
}

/** Returns the redacted value if it is short, and otherwise the start of its redacted text. */
export function redactBriefly(found: JsonValue, redaction: Redaction): JsonValue {
  const value = withoutMarks(found);
  if (typeof value === 'string') return briefText(value, redaction);
  const text = JSON.stringify(value);
  if (text.length > LOOKED_THROUGH_LENGTH_MAX) return briefText(text, redaction);
  const redacted = redactJson(value, redaction.redact);
  const redactedText = JSON.stringify(redacted);
  return redactedText.length <= BRIEF_LENGTH_MAX ? redacted : cut(redactedText, BRIEF_LENGTH_MAX);
}

const WORDS: Readonly<Record<AssertionOutcome['operator'], string>> = {
  equals: 'equal',
  notEquals: 'not equal',
  lessThan: 'be less than',
  lessThanOrEqual: 'be at most',
  greaterThan: 'be greater than',
  greaterThanOrEqual: 'be at least',
  contains: 'contain',
  notContains: 'not contain',
  startsWith: 'start with',
  endsWith: 'end with',
  matches: 'match',
  notMatches: 'not match',
  in: 'be one of',
  notIn: 'not be one of',
  exists: 'exist',
  notExists: 'not exist',
  isEmpty: 'be empty',
  isNotEmpty: 'not be empty',
  typeIs: 'be of type',
  lengthEquals: 'have length',
};

const WITHOUT_VALUE: ReadonlySet<string> = new Set([
  'exists',
  'notExists',
  'isEmpty',
  'isNotEmpty',
]);

function nameSubject({ type, target }: Pick<AssertionOutcome, 'type' | 'target'>): string {
  switch (type) {
    case 'status':
      return 'status';
    case 'responseTime':
      return 'response time in ms';
    case 'body':
    case 'jsonSchema':
      return 'body';
    case 'bodySize':
      return 'body size in bytes';
    case 'timing':
      return `${target ?? ''} time in ms`;
    case 'redirect':
      return target === 'count' ? 'number of redirects' : 'final URL';
    case 'header':
      return `header ${target ?? ''}`;
    case 'tls':
      return `certificate ${target ?? ''}`;
    case 'jsonPath':
      return target ?? '$';
  }
}

function show(value: JsonValue): string {
  return cut(JSON.stringify(value), SENTENCE_VALUE_LENGTH_MAX);
}

/** Returns a sentence with the found and the expected value, or with the reason why they could not be compared. */
export function describe(
  outcome: Omit<AssertionOutcome, 'message'>,
  problem: string | null,
): string {
  if (outcome.type === 'jsonSchema') return describeSchema(outcome, problem);
  const wish = WITHOUT_VALUE.has(outcome.operator)
    ? WORDS[outcome.operator]
    : `${WORDS[outcome.operator]} ${show(outcome.expected)}`;
  const name = nameSubject(outcome);
  const expected = isStatus(outcome) ? `${name} ${plain(outcome.expected)}` : `${name} to ${wish}`;
  if (problem !== null) return `Expected ${expected}: ${formatReason(problem)}.`;
  if (outcome.ok) return `Expected ${expected}: passed.`;
  return `Expected ${expected}, got ${show(outcome.actual)}.`;
}

/**
 * Describes the result of a schema, which is too long for a sentence. `problem` describes where and how the body
 * differs.
 */
function describeSchema({ ok }: Pick<AssertionOutcome, 'ok'>, problem: string | null): string {
  if (ok) return 'Expected body to match the schema: passed.';
  return `Expected body to match the schema: ${problem === null ? 'it does not' : formatReason(problem)}.`;
}

/** Turns `path_not_found: nothing was found` into text for people, with the code last. */
function formatReason(problem: string): string {
  const [, code, reason] = /^([a-z]+(?:_[a-z]+)+): (.+)$/su.exec(problem) ?? [];
  return code === undefined ? problem : `${reason} (${code})`;
}

/** True for texts like `status 200`, which need no verb. */
function isStatus({ type, operator }: Pick<AssertionOutcome, 'type' | 'operator'>): boolean {
  return type === 'status' && operator === 'equals';
}

function plain(value: JsonValue): string {
  return typeof value === 'string' ? value : show(value);
}
