/**
 * Reads the values of Checkly's constructs: `new ApiCheck(…)`, `AssertionBuilder.statusCode().equals(200)` or
 * `Frequency.EVERY_5M` become plain values in the shape of Checkly's API.
 */
import { isRecord } from '../../files/parse-documents';
import { type MemberNode, readProperty } from '../expression-names';
import { type Expression, isExpression, type SourceModule } from '../source-module';
import { formatPosition, type Language, readValue, type Scope, Unreadable } from '../static-values';

type Call = Extract<Expression, { type: 'CallExpression' }>;
type New = Extract<Expression, { type: 'NewExpression' }>;
type Fields = Readonly<Record<string, unknown>>;

/** A construct: `new Name('id', {…})`. */
export class Construct {
  readonly kind: string;
  readonly id: string;
  readonly fields: Fields;
  readonly position: string;

  constructor(
    kind: string,
    id: string,
    { fields, position }: { fields: Fields; position: string },
  ) {
    this.kind = kind;
    this.id = id;
    this.fields = fields;
    this.position = position;
  }
}

/**
 * Matches all packages that export the constructs: `checkly/constructs`, `@checkly/cli/constructs` (until 2023) and
 * `checkly/dist/constructs` (as editors complete it).
 */
const PACKAGES = /^(?:checkly|@checkly\/[\w.-]+)(?:\/|$)/;
const SECONDS_PER_MINUTE = 60;
const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { S: 1, M: 60, H: 3_600 };

/** Maps each assertion factory to the source that it checks. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['statusCode', 'STATUS_CODE'],
  ['jsonBody', 'JSON_BODY'],
  ['headers', 'HEADERS'],
  ['textBody', 'TEXT_BODY'],
  ['responseTime', 'RESPONSE_TIME'],
  ['responseTme', 'RESPONSE_TIME'],
  ['responseData', 'RESPONSE_DATA'],
  ['responseCode', 'RESPONSE_CODE'],
  ['textAnswer', 'ANSWER'],
  ['jsonAnswer', 'ANSWER_JSON'],
  ['latency', 'LATENCY'],
  ['jsonResponse', 'JSON_RESPONSE'],
  ['textResponse', 'TEXT_RESPONSE'],
  ['certificate', 'CERTIFICATE'],
  ['connection', 'CONNECTION'],
]);
const WITH_PROPERTY: readonly string[] = [
  'JSON_BODY',
  'HEADERS',
  'RESPONSE_DATA',
  'ANSWER_JSON',
  'LATENCY',
  'JSON_RESPONSE',
  'CERTIFICATE',
  'CONNECTION',
];
const COMPARISONS: Readonly<Record<string, string>> = {
  equals: 'EQUALS',
  notEquals: 'NOT_EQUALS',
  hasKey: 'HAS_KEY',
  notHasKey: 'NOT_HAS_KEY',
  hasValue: 'HAS_VALUE',
  notHasValue: 'NOT_HAS_VALUE',
  isEmpty: 'IS_EMPTY',
  notEmpty: 'NOT_EMPTY',
  greaterThan: 'GREATER_THAN',
  lessThan: 'LESS_THAN',
  contains: 'CONTAINS',
  notContains: 'NOT_CONTAINS',
  isNull: 'IS_NULL',
  isNotNull: 'NOT_NULL',
};
const RETRIES: Readonly<Record<string, number>> = { noRetries: 0, singleRetry: 1 };
const RETRIES_WHERE_NOTHING_IS_SAID = 2;

export const checklyLanguage: Language = {
  evaluateCall: evaluateCall,
  evaluateNew: evaluateNew,
  evaluateMember: evaluateMember,
};

/**
 * Returns the name under which Checkly exports an import, because the file may have renamed it. null if the import is
 * not from Checkly.
 */
export function findChecklyName(node: Expression, module: SourceModule): string | null {
  if (node.type === 'Identifier') {
    const imported = module.imports.get(node.name);
    return imported !== undefined && PACKAGES.test(imported.from) ? imported.name : null;
  }
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return null;
  const imported = module.imports.get(node.object.name);
  const isAll = imported?.name === '*' && PACKAGES.test(imported.from);
  return isAll ? readProperty(node) : null;
}

/** Evaluates members like `Frequency.EVERY_10S` (to minutes) and `TlsVersion.TLS1_3`. */
function evaluateMember(
  node: MemberNode,
  { module }: Scope,
): { readonly value: unknown } | undefined {
  const group = findChecklyName(node.object, module);
  if (group === 'TlsVersion') return { value: readProperty(node)?.replace('_', '.') };
  if (group !== 'Frequency') return undefined;
  const [, amount, unit = ''] = /^EVERY_(\d+)([SMH])$/.exec(readProperty(node) ?? '') ?? [];
  const seconds = SECONDS_OF_UNIT[unit];
  if (seconds === undefined) return undefined;
  return { value: (Number(amount) * seconds) / SECONDS_PER_MINUTE };
}

function evaluateNew(node: New, scope: Scope): unknown {
  const { callee } = node;
  const position = formatPosition(node, scope);
  if (!isExpression(callee)) throw new Unreadable(position, 'is computed at run time');
  const values = () => evaluateArguments(node, scope);
  if (callee.type === 'Identifier' && (callee.name === 'URL' || callee.name === 'Date'))
    return values()[0];
  const kind = findChecklyName(callee, scope.module);
  if (kind === null) throw new Unreadable(position, 'is a custom class');
  const [id, fields] = values();
  if (typeof id !== 'string') throw new Unreadable(position, 'has no id that can be read');
  return new Construct(kind, id, { fields: isRecord(fields) ? fields : {}, position });
}

function evaluateArguments(node: Call | New, scope: Scope): readonly unknown[] {
  return node.arguments.map((argument) => {
    if (isExpression(argument)) return readValue(argument, scope);
    throw new Unreadable(formatPosition(argument, scope), 'is computed at run time');
  });
}

function evaluateCall(node: Call, scope: Scope): { readonly value: unknown } | undefined {
  const { callee } = node;
  if (!isExpression(callee)) return undefined;
  if (findChecklyName(callee, scope.module) === 'defineConfig')
    return { value: evaluateArguments(node, scope)[0] };
  if (callee.type !== 'MemberExpression') return undefined;
  const word = readProperty(callee);
  if (word === null) return undefined;
  const { object } = callee;
  if (word === 'ref' && node.arguments.length === 0) return { value: readValue(object, scope) };
  if (object.type === 'CallExpression') return evaluateAssertion({ object, word, node }, scope);
  const builder = findChecklyName(object, scope.module);
  if (builder === 'RetryStrategyBuilder') return { value: evaluateRetries(word, node, scope) };
  if (builder === 'AlertEscalationBuilder') return { value: evaluateEscalation(word, node, scope) };
  if (object.type !== 'Identifier') return undefined;
  if (object.name === 'JSON' && word === 'stringify')
    return { value: JSON.stringify(evaluateArguments(node, scope)[0]) };
  // This is a path to a script. A note reports the script, so its real path is not needed.
  if (object.name === 'path') return { value: 'a file' };
  return undefined;
}

interface Compared {
  /** The call that names the source, like `AssertionBuilder.statusCode()`. */
  readonly object: Call;
  readonly word: string;
  readonly node: Call;
}

function evaluateAssertion(
  { object, word, node }: Compared,
  scope: Scope,
): { readonly value: unknown } | undefined {
  if (object.callee.type !== 'MemberExpression') return undefined;
  const builder = findChecklyName(object.callee.object, scope.module);
  const source = SOURCES.get(readProperty(object.callee) ?? '');
  const comparison = COMPARISONS[word];
  if (builder === null || !builder.endsWith('AssertionBuilder')) return undefined;
  if (source === undefined || comparison === undefined)
    throw new Unreadable(formatPosition(node, scope), 'is an assertion without counterpart');
  const [first, second] = evaluateArguments(object, scope);
  const [property, regex] = WITH_PROPERTY.includes(source) ? [first, second] : ['', first];
  const [target] = evaluateArguments(node, scope);
  return { value: { source, comparison, property, regex, target } };
}

function evaluateRetries(word: string, node: Call, scope: Scope): Fields {
  const known = RETRIES[word];
  if (known !== undefined) return { maxRetries: known };
  const [options] = evaluateArguments(node, scope);
  const given = isRecord(options) ? options['maxRetries'] : undefined;
  return { maxRetries: given ?? RETRIES_WHERE_NOTHING_IS_SAID };
}

function evaluateEscalation(word: string, node: Call, scope: Scope): Fields {
  const [first] = evaluateArguments(node, scope);
  return { kind: word, amount: first };
}
