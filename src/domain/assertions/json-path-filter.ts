/**
 * Parses the filters of JSON paths: comparisons with a fixed value and tests whether a member exists, joined by `&&`
 * and `||`. Translates the filters so that the library compares values as RFC 9535 §2.3.5 requires.
 */
import { refuse } from './json-path-name';

export type FilterParse =
  | { readonly ok: true; readonly spelling: string; readonly rest: string }
  | { readonly ok: false; readonly problem: string };

const CONDITIONS_MAX = 10;
const MEMBER = /^@(?:\.([\p{L}_][\p{L}\p{N}_]*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\])?\s*/u;
const OPERATOR = /^(===?|!==?|<=|>=|<|>|=~)\s*/;
const LITERAL =
  /^(?:'([^'\\]*)'|"([^"\\]*)"|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))\s*/;
/**
 * Members that every JavaScript value or list has. The library would find them although the JSON does not contain them.
 */
const INHERITED: ReadonlySet<string> = new Set(['length', 'constructor', '__proto__']);
const SIMPLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const UNSAFE_IN_TEXT = /[\p{Cc}()[\]@'"\\?]/u;

/** Translates the access to a member: an expression that reads the member, and a guard against built-in members. */
function ownMember(name: string | undefined): { guard: string; value: string } {
  if (name === undefined) return { guard: 'true', value: '@' };
  const value = `@.${name}`;
  return {
    guard: `typeof @ === "object" && @ !== null && typeof ${value} !== "function"`,
    value,
  };
}

function translateLiteral(match: RegExpExecArray): { text: string; type: string } | null {
  const text = match[1] ?? match[2];
  if (text !== undefined) {
    return UNSAFE_IN_TEXT.test(text) ? null : { text: `"${text}"`, type: 'string' };
  }
  const token = match[3] ?? 'null';
  if (token === 'null') return { text: token, type: 'null' };
  if (token === 'true' || token === 'false') return { text: token, type: 'boolean' };
  return { text: `(${Number(token)})`, type: 'number' };
}

interface Comparison {
  readonly member: { guard: string; value: string };
  readonly operator: string;
  readonly literal: { text: string; type: string };
}

function translateComparison({ member, operator, literal }: Comparison): string | null {
  const { guard, value } = member;
  const equal = `(${guard} && ${value} === ${literal.text})`;
  if (operator === '==') return equal;
  if (operator === '!=') return `(!${equal})`;
  if (literal.type === 'string' || literal.type === 'number') {
    return `(${guard} && typeof ${value} === "${literal.type}" && ${value} ${operator} ${literal.text})`;
  }
  // For values without order, <= and >= mean equality (RFC 9535 §2.3.5.2.2).
  return operator.length === 2 ? equal : '(false)';
}

function parseComparison(
  rest: string,
  member: Comparison['member'],
  operator: string,
): FilterParse {
  if (!['==', '!=', '<', '<=', '>', '>='].includes(operator)) {
    return refuse('A filter compares with ==, !=, <, <=, > or >=.');
  }
  const match = LITERAL.exec(rest);
  if (match === null) {
    return refuse("A filter compares with a fixed value: 'text', a number, true, false or null.");
  }
  const literal = translateLiteral(match);
  if (literal === null) {
    return refuse('Text in a filter must not contain quotes, brackets, parentheses, @ or ?.');
  }
  const spelling = translateComparison({ member, operator, literal });
  if (spelling === null) return refuse('This comparison is not supported.');
  return { ok: true, spelling, rest: rest.slice(match[0].length) };
}

function parseCondition(text: string): FilterParse {
  const negated = /^!\s*/.exec(text)?.[0] ?? '';
  const rest = text.slice(negated.length);
  const match = MEMBER.exec(rest);
  if (match === null) return refuse('A filter starts with the element: write [?@.price < 10].');
  const name = match[1] ?? match[2] ?? match[3];
  if (name !== undefined && (!SIMPLE_NAME.test(name) || INHERITED.has(name))) {
    return refuse(
      'A filter can only read members with a simple name (letters, digits, _), and not length.',
    );
  }
  const member = ownMember(name);
  const after = rest.slice(match[0].length);
  const operator = OPERATOR.exec(after);
  if (operator !== null) {
    if (negated !== '') return refuse('Write != instead of a negated comparison.');
    return parseComparison(after.slice(operator[0].length), member, operator[1] ?? '');
  }
  if (name === undefined) return refuse('A filter names a member: write [?@.price].');
  const exists = `(${member.guard} && ${member.value} !== undefined)`;
  return { ok: true, spelling: negated === '' ? exists : `(!${exists})`, rest: after };
}

function parseConditions(text: string): FilterParse {
  const parts: string[] = [];
  let rest = text;
  for (let count = 0; count < CONDITIONS_MAX; count += 1) {
    const condition = parseCondition(rest.trimStart());
    if (!condition.ok) return condition;
    parts.push(condition.spelling);
    const joint = /^(&&|\|\|)\s*/.exec(condition.rest);
    if (joint === null) return { ok: true, spelling: parts.join(' '), rest: condition.rest };
    parts.push(joint[1] ?? '');
    rest = condition.rest.slice(joint[0].length);
  }
  return refuse(`A filter has at most ${CONDITIONS_MAX} conditions.`);
}

/** Parses a filter from the `?` to its closing bracket, and translates it for the library. */
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
