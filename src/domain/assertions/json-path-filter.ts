/**
 * The filters of JSON paths: comparisons with a fixed value and tests whether a member exists, joined by && and ||.
 * They compare as RFC 9535 §2.3.5 requires, and read only members that the JSON has.
 */
import type { JsonValue } from '../../contracts/definition';
import { isRecord } from '../../contracts/json';
import { refuse } from './json-path-name';

type Condition = (element: JsonValue) => boolean;
type Literal = string | number | boolean | null;

export type FilterParse =
  | { readonly ok: true; readonly isSelected: Condition; readonly rest: string }
  | { readonly ok: false; readonly problem: string };

const CONDITIONS_MAX = 10;
const MEMBER = /^@(?:\.([\p{L}_][\p{L}\p{N}_]*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\])?\s*/u;
const OPERATOR = /^(===?|!==?|<=|>=|<|>|=~)\s*/;
const LITERAL =
  /^(?:'([^'\\]*)'|"([^"\\]*)"|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))\s*/;
/** JavaScript values have these, but JSON has not: such a filter is a mistake that would select nothing. */
const INHERITED: ReadonlySet<string> = new Set(['length', 'constructor', '__proto__']);

/** undefined: the element has no such member. Without a name, returns the element itself. */
function readValue(element: JsonValue, name: string | undefined): unknown {
  if (name === undefined) return element;
  return isRecord(element) && Object.hasOwn(element, name) ? element[name] : undefined;
}

function compare(value: unknown, operator: string, literal: Literal): boolean {
  if (operator === '==') return value === literal;
  if (operator === '!=') return value !== literal;
  // For values without order, <= and >= mean equality (RFC 9535 §2.3.5.2.2).
  if (value === literal) return operator.endsWith('=');
  const areNumbers = typeof value === 'number' && typeof literal === 'number';
  const areTexts = typeof value === 'string' && typeof literal === 'string';
  if (!areNumbers && !areTexts) return false;
  return operator.startsWith('<') ? value < literal : value > literal;
}

function parseComparison(rest: string, name: string | undefined, operator: string): FilterParse {
  if (!['==', '!=', '<', '<=', '>', '>='].includes(operator)) {
    return refuse('A filter compares with ==, !=, <, <=, > or >=.');
  }
  const match = LITERAL.exec(rest);
  if (match === null) {
    return refuse("A filter compares with a fixed value: 'text', a number, true, false or null.");
  }
  const literal: Literal = match[1] ?? match[2] ?? JSON.parse(match[3] ?? 'null');
  const isSelected: Condition = (element) => compare(readValue(element, name), operator, literal);
  return { ok: true, isSelected, rest: rest.slice(match[0].length) };
}

function parseCondition(text: string): FilterParse {
  const negated = /^!\s*/.exec(text)?.[0] ?? '';
  const rest = text.slice(negated.length);
  const match = MEMBER.exec(rest);
  if (match === null) return refuse('A filter starts with the element: write [?@.price < 10].');
  const name = match[1] ?? match[2] ?? match[3];
  if (name !== undefined && INHERITED.has(name)) {
    return refuse('A filter can only read members that JSON has, and not length.');
  }
  const after = rest.slice(match[0].length);
  const operator = OPERATOR.exec(after);
  if (operator !== null) {
    if (negated !== '') return refuse('Write != instead of a negated comparison.');
    return parseComparison(after.slice(operator[0].length), name, operator[1] ?? '');
  }
  if (name === undefined) return refuse('A filter names a member: write [?@.price].');
  const isWanted = negated === '';
  const isSelected: Condition = (element) => (readValue(element, name) !== undefined) === isWanted;
  return { ok: true, isSelected, rest: after };
}

function parseConditions(text: string): FilterParse {
  // && binds more tightly than ||: all conditions of one list must hold.
  const alternatives: Condition[][] = [[]];
  let rest = text;
  for (let count = 0; count < CONDITIONS_MAX; count += 1) {
    const condition = parseCondition(rest.trimStart());
    if (!condition.ok) return condition;
    alternatives.at(-1)?.push(condition.isSelected);
    const joint = /^(?:&&|\|\|)/.exec(condition.rest)?.[0];
    if (joint === undefined) {
      const isSelected: Condition = (element) =>
        alternatives.some((conditions) => conditions.every((holds) => holds(element)));
      return { ok: true, isSelected, rest: condition.rest };
    }
    if (joint === '||') alternatives.push([]);
    rest = condition.rest.slice(joint.length);
  }
  return refuse(`A filter has at most ${CONDITIONS_MAX} conditions.`);
}

/** Parses a filter from the `?` to its closing bracket. */
export function parseFilter(text: string): FilterParse {
  const inner = text.trimStart();
  if (!inner.startsWith('(')) return parseConditions(inner);
  const conditions = parseConditions(inner.slice(1));
  if (!conditions.ok) return conditions;
  const rest = conditions.rest.trimStart();
  if (!rest.startsWith(')'))
    return refuse('Parentheses in a filter must enclose the whole filter.');
  return { ...conditions, rest: rest.slice(1) };
}
