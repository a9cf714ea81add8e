/**
 * Finds the values of expressions without running code. Supports literals, constants, and a tool's constructs. For all
 * other expressions, a note names the file and line.
 */
import { isRecord } from '../files/parse-documents';
import { formatPlaceholder } from './environment-placeholders';
import { type MemberNode, readProperty, readVariable } from './expression-names';
import { type Expression, isExpression, type SourceModule } from './source-module';

type Node<Type extends Expression['type']> = Extract<Expression, { type: Type }>;
type Call = Node<'CallExpression'>;
type New = Node<'NewExpression'>;

/** Evaluates the constructs of a tool. The functions return undefined for an expression that is not a construct. */
export interface Language {
  readonly evaluateCall: (node: Call, scope: Scope) => { readonly value: unknown } | undefined;
  readonly evaluateNew: (node: New, scope: Scope) => unknown;
  readonly evaluateMember: (
    node: MemberNode,
    scope: Scope,
  ) => { readonly value: unknown } | undefined;
}

/** The state of one import that reads several files. */
export interface Reading {
  readonly language: Language;
  readonly moduleAt: (from: string, importer: SourceModule) => SourceModule | null;
  readonly note: (position: string, message: string) => void;
  /** The environment variables that were found, with their default values. */
  readonly env: Map<string, string | undefined>;
  readonly known: Map<Expression, unknown>;
}

export interface Scope {
  readonly module: SourceModule;
  readonly reading: Reading;
}

/** Thrown for a part that cannot be read. Names the file and line. */
export class Unreadable extends Error {
  readonly position: string;

  constructor(position: string, message: string) {
    super(message);
    this.name = 'Unreadable';
    this.position = position;
  }
}

/** The value of `name` after `import * as name`. */
class Namespace {
  readonly module: SourceModule;

  constructor(module: SourceModule) {
    this.module = module;
  }
}

const UNDER_WAY = Symbol('under way');

/** Formats the file and line of a node. */
export function formatPosition(
  node: { readonly loc?: { readonly start: { readonly line: number } } | null | undefined },
  { module }: Scope,
): string {
  return `${module.shown}:${node.loc?.start.line ?? 1}`;
}

/** Returns the value of a node, which is computed once and cached. Throws Unreadable. */
export function readValue(node: Expression, scope: Scope): unknown {
  const { known } = scope.reading;
  if (known.has(node)) {
    const value = known.get(node);
    if (value === UNDER_WAY) throw new Unreadable(formatPosition(node, scope), 'names itself');
    return value;
  }
  known.set(node, UNDER_WAY);
  try {
    const value = evaluateFresh(node, scope);
    known.set(node, value);
    return value;
  } catch (error) {
    known.delete(node);
    throw error;
  }
}

function evaluateFresh(node: Expression, scope: Scope): unknown {
  const { type } = node;
  if (type === 'StringLiteral' || type === 'NumericLiteral' || type === 'BooleanLiteral')
    return node.value;
  if (type === 'NullLiteral') return null;
  if (type === 'TemplateLiteral') return evaluateTemplate(node, scope);
  if (type === 'ArrayExpression') return evaluateItems(node, scope);
  if (type === 'ObjectExpression') return evaluateFields(node, scope);
  if (type === 'Identifier')
    return node.name === 'undefined' ? undefined : namedValue(node.name, node, scope);
  if (type === 'MemberExpression' || type === 'OptionalMemberExpression')
    return memberValue(node, scope);
  if (type === 'BinaryExpression') return combined(node, scope);
  if (type === 'LogicalExpression') return evaluateFirst(node, scope);
  if (type === 'NewExpression') return scope.reading.language.evaluateNew(node, scope);
  const inner = wrappedIn(node);
  if (inner !== null) return readValue(inner, scope);
  const called =
    type === 'CallExpression' ? scope.reading.language.evaluateCall(node, scope) : undefined;
  if (called !== undefined) return called.value;
  const how = type === 'CallExpression' ? 'by a call' : 'when it runs';
  throw new Unreadable(formatPosition(node, scope), `is worked out ${how}`);
}

/** Returns the expression inside parentheses or inside a type assertion. null for any other expression. */
function wrappedIn(node: Expression): Expression | null {
  const { type } = node;
  if (type === 'TSAsExpression' || type === 'TSSatisfiesExpression') return node.expression;
  if (type === 'TSNonNullExpression' || type === 'TSTypeAssertion') return node.expression;
  return type === 'ParenthesizedExpression' ? node.expression : null;
}

function evaluateTemplate({ quasis, expressions }: Node<'TemplateLiteral'>, scope: Scope): string {
  return quasis
    .map(({ value }, at) => {
      const expression = expressions[at];
      const text = value.cooked ?? value.raw;
      if (expression === undefined || !isExpression(expression)) return text;
      return text + plainText(readValue(expression, scope), expression, scope);
    })
    .join('');
}

function plainText(value: unknown, node: Expression, scope: Scope): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new Unreadable(formatPosition(node, scope), 'is not text');
}

/** Evaluates a list. Items that cannot be read are left out, with a note. */
function evaluateItems({ elements }: Node<'ArrayExpression'>, scope: Scope): readonly unknown[] {
  return elements.flatMap((element) => {
    if (element === null) return [];
    const inner = element.type === 'SpreadElement' ? element.argument : element;
    const read = readOrNote(inner, 'an item', scope);
    if (read === undefined) return [];
    return element.type === 'SpreadElement' && Array.isArray(read.value)
      ? read.value
      : [read.value];
  });
}

/** Evaluates an object. Fields that cannot be read are left out, with a note. */
function evaluateFields(
  { properties }: Node<'ObjectExpression'>,
  scope: Scope,
): Readonly<Record<string, unknown>> {
  const entries = properties.flatMap((property): readonly (readonly [string, unknown])[] => {
    if (property.type === 'SpreadElement') {
      const read = readOrNote(property.argument, 'what is spread', scope);
      return isRecord(read?.value) ? Object.entries(read.value) : [];
    }
    const name = property.computed ? null : readKey(property.key);
    if (property.type !== 'ObjectProperty' || name === null || !isExpression(property.value)) {
      scope.reading.note(
        formatPosition(property, scope),
        `${name ?? 'a field'} is a function; left out`,
      );
      return [];
    }
    const read = readOrNote(property.value, name, scope);
    return read === undefined ? [] : [[name, read.value]];
  });
  return Object.fromEntries(entries);
}

function readKey(key: { readonly type: string }): string | null {
  if ('name' in key && typeof key.name === 'string') return key.name;
  return 'value' in key ? String(key.value) : null;
}

function readOrNote(
  node: Expression,
  name: string,
  scope: Scope,
): { readonly value: unknown } | undefined {
  try {
    return { value: readValue(node, scope) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    scope.reading.note(error.position, `${name} ${error.message}; left out`);
    return undefined;
  }
}

function namedValue(name: string, node: Expression, scope: Scope): unknown {
  const { module, reading } = scope;
  const constant = module.constants.get(name);
  if (constant !== undefined) return readValue(constant, scope);
  const imported = module.imports.get(name);
  const position = formatPosition(node, scope);
  if (imported === undefined) throw new Unreadable(position, `is ${name}, which is not a constant`);
  const other = reading.moduleAt(imported.from, module);
  if (other === null)
    throw new Unreadable(position, `comes from ${imported.from}, which is not among the files`);
  if (imported.name === '*') return new Namespace(other);
  return exportedValue(imported.name, position, { module: other, reading });
}

function exportedValue(name: string, position: string, scope: Scope): unknown {
  const found = findExport(name, scope, 0);
  if (found === null) throw new Unreadable(position, `is ${name}, which is not a constant there`);
  return readValue(found.node, found.scope);
}

const PASSES_MAX = 10;

/** Finds an exported name. Follows names that a file re-exports from other files. */
function findExport(
  name: string,
  scope: Scope,
  passes: number,
): { readonly node: Expression; readonly scope: Scope } | null {
  const { module, reading } = scope;
  const node = module.exported.get(name);
  if (node !== undefined) return { node, scope };
  if (passes > PASSES_MAX) return null;
  const passed = module.passedOn.get(name);
  const sources =
    passed === undefined ? module.exportAllFrom.map((from) => ({ from, name })) : [passed];
  for (const source of sources) {
    const other = reading.moduleAt(source.from, module);
    const found = other && findExport(source.name, { module: other, reading }, passes + 1);
    if (found) return found;
  }
  return null;
}

function memberValue(node: MemberNode, scope: Scope): unknown {
  const variable = readVariable(node);
  if (variable !== null) {
    if (!scope.reading.env.has(variable)) scope.reading.env.set(variable, undefined);
    return formatPlaceholder(variable);
  }
  const known = scope.reading.language.evaluateMember(node, scope);
  if (known !== undefined) return known.value;
  const object = readValue(node.object, scope);
  const name = readProperty(node);
  const position = formatPosition(node, scope);
  if (name === null) throw new Unreadable(position, 'is looked up at run time');
  if (object instanceof Namespace)
    return exportedValue(name, position, { module: object.module, reading: scope.reading });
  if ((isRecord(object) || Array.isArray(object)) && Object.hasOwn(object, name))
    return Object.entries(object).find(([key]) => key === name)?.[1];
  throw new Unreadable(position, `is .${name} of something else`);
}

function combined(node: Node<'BinaryExpression'>, scope: Scope): unknown {
  const { left, right, operator } = node;
  const position = formatPosition(node, scope);
  if (!isExpression(left) || (operator !== '+' && operator !== '*'))
    throw new Unreadable(position, 'is computed at run time');
  const [a, b] = [readValue(left, scope), readValue(right, scope)];
  if (typeof a === 'number' && typeof b === 'number') return operator === '+' ? a + b : a * b;
  if (operator === '*') throw new Unreadable(position, 'is computed at run time');
  return plainText(a, left, scope) + plainText(b, right, scope);
}

/** Evaluates `??`, `||` and `&&`. In `process.env.NAME ?? 'text'`, the text becomes the default of the variable. */
function evaluateFirst(
  { left, right, operator }: Node<'LogicalExpression'>,
  scope: Scope,
): unknown {
  const { env } = scope.reading;
  const variable = operator === '&&' ? null : readVariable(left);
  if (variable === null) {
    const first = readValue(left, scope);
    const isTaken = operator === '??' ? first !== null && first !== undefined : Boolean(first);
    return isTaken === (operator !== '&&') ? first : readValue(right, scope);
  }
  const value = readValue(left, scope);
  const byDefault = readValue(right, scope);
  if (typeof byDefault === 'string' && env.get(variable) === undefined)
    env.set(variable, byDefault);
  return value;
}
