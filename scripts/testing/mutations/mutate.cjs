// Rewrites a TypeScript source so that it contains all its mutants. `__mutant(id)` is true only for the mutant that the
// current run tests. Mutates operators, boundaries, conditions, returned values and statements. Never mutates texts.
const { parse } = require('@babel/parser');

const SWAPPED = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
};
const SWAPPED_CALLS = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    min: 'max',
    max: 'min',
    floor: 'ceil',
    ceil: 'floor',
    find: 'findLast',
    findLast: 'find',
    toSorted: 'slice',
    toReversed: 'slice',
  }),
);
const LOOPS = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement', 'ForOfStatement']);
const SKIPPED = new Set(['loc', 'leadingComments', 'trailingComments', 'innerComments', 'extra']);

const isNode = (value) => typeof value === 'object' && value !== null && 'type' in value;
const isText = (node) => node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
const isNothing = (node) =>
  node.type === 'NullLiteral' || (node.type === 'Identifier' && node.name === 'undefined');

/** Returns the child nodes in which mutants are possible. Types, imports and keys contain no code that runs. */
function listChildren(node) {
  if (/^(?:TS(?!As|NonNull|Satisfies)|Import|ExportAll)/.test(node.type)) return [];
  return Object.entries(node)
    .filter(([name]) => !SKIPPED.has(name))
    .flatMap(([name, value]) => {
      if (name === 'typeAnnotation' || name === 'typeParameters' || name === 'returnType')
        return [];
      if ((name === 'key' || name === 'property') && node.computed !== true) return [];
      return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
    });
}

/** Lists the mutations of a node: `[name, text]`. */
function listReplacements(node, readText) {
  const found = [];
  const { type, operator } = node;
  if (type === 'BinaryExpression' || type === 'LogicalExpression') {
    const { left, right } = node;
    const isJoining = operator === '+' && (isText(left) || isText(right));
    for (const other of isJoining ? [] : (SWAPPED[operator] ?? []))
      found.push([`${operator} → ${other}`, `(${readText(left)}) ${other} (${readText(right)})`]);
  }
  if (type === 'UnaryExpression' && (operator === '!' || operator === '-'))
    found.push([`without ${operator}`, readText(node.argument)]);
  if (type === 'ConditionalExpression')
    for (const [name, branch] of [
      ['true', node.consequent],
      ['false', node.alternate],
    ])
      found.push([`condition ${name}`, readText(branch)]);
  if (type === 'BooleanLiteral') found.push([`${node.value} → ${!node.value}`, `${!node.value}`]);
  if (type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const { object, property, computed } = node.callee;
    const other = computed ? undefined : SWAPPED_CALLS.get(property.name);
    const given = node.arguments.map(readText).join(', ');
    if (other !== undefined)
      found.push([`${property.name} → ${other}`, `(${readText(object)}).${other}(${given})`]);
  }
  return found;
}

const EXPRESSION = /(?:Expression|Literal)$/;
const isExpression = ({ type }) =>
  (EXPRESSION.test(type) || type === 'Identifier') && !/^(?:RegExp|TS)/.test(type);

/** Each file reads these globals once, because each access to a global of a test's own context is slow. */
const HEAD = 'const { __mutant, __loop } = globalThis; ';

/** Rewrites one file so that each mutant can be switched on by its id. */
class Mutator {
  constructor(source, firstId) {
    this.source = source;
    this.firstId = firstId;
    this.mutants = [];
  }

  /** Registers a mutant and returns the expression that says whether it is active. */
  note(node, what) {
    const id = this.firstId + this.mutants.length;
    this.mutants.push({ id, line: node.loc.start.line, what });
    return `__mutant(${id})`;
  }

  /** Returns the source of a node with the given children replaced. */
  assemble(node, replaced) {
    let [text, at] = ['', node.start];
    for (const { start, end, by } of replaced.sort((a, b) => a.start - b.start)) {
      text += this.source.slice(at, start) + by;
      at = end;
    }
    return text + this.source.slice(at, node.end);
  }

  replace(children, node) {
    return children.map((child) => {
      return { start: child.start, end: child.end, by: this.readText(child, node) };
    });
  }

  plain(node) {
    return this.assemble(node, this.replace(listChildren(node), node));
  }

  condition(node, test) {
    const asTrue = this.note(test, 'condition true');
    const asFalse = this.note(test, 'condition false');
    const own = `${asTrue} ? true : ${asFalse} ? false : (${this.readText(test, node)})`;
    const others = listChildren(node).filter((child) => child !== test);
    const replaced = this.replace(others, node);
    return this.assemble(node, [...replaced, { start: test.start, end: test.end, by: own }]);
  }

  loop(node) {
    const { body } = node;
    const replaced = listChildren(node).map((child) => {
      const text = this.readText(child, node);
      const by = child === body ? `{ __loop(); ${text} }` : text;
      return { start: child.start, end: child.end, by };
    });
    return this.assemble(node, replaced);
  }

  returned(node, value) {
    const text = this.readText(value, node);
    if (isNothing(value) || value.type === 'BooleanLiteral') return text;
    return `(${this.note(value, 'returns nothing')} ? undefined : (${text}))`;
  }

  arrow(node) {
    const { body } = node;
    // Parentheses around an object are part of its text.
    const start = body.extra?.parenthesized ? body.extra.parenStart : body.start;
    const end = body.extra?.parenthesized ? this.source.indexOf(')', body.end) + 1 : body.end;
    const others = this.replace(node.params, node);
    return this.assemble(node, [...others, { start, end, by: `(${this.returned(node, body)})` }]);
  }

  readText(node, parent) {
    if (node.type === 'IfStatement') return this.condition(node, node.test);
    if (LOOPS.has(node.type)) return this.loop(node);
    if (node.type === 'ExpressionStatement')
      return `{ if (!${this.note(node, 'statement removed')}) { ${this.plain(node)} } }`;
    if (node.type === 'ReturnStatement' && node.argument !== null)
      return `return ${this.returned(node, node.argument)};`;
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement')
      return this.arrow(node);
    const isAssigned = parent?.type === 'AssignmentExpression' && parent.left === node;
    if (!isExpression(node) || isAssigned) return this.plain(node);
    // Replacements contain the original source, so no mutant is inside another mutant.
    const replacements = listReplacements(node, ({ start, end }) => this.source.slice(start, end));
    return replacements.reduce(
      (text, [what, by]) => `(${this.note(node, what)} ? (${by}) : ${text})`,
      replacements.length === 0 ? this.plain(node) : `(${this.plain(node)})`,
    );
  }
}

/** Returns `{ code, mutants }`. A mutant is `{ id, line, what }`. Ids are numbers from `firstId` on. */
function mutate(source, firstId) {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const mutator = new Mutator(source, firstId);
  const code = HEAD + mutator.plain({ ...program, start: 0, end: source.length });
  return { code, mutants: mutator.mutants };
}

/** The number of mutant ids reserved for each file. */
const IDS_PER_FILE = 1_000;

module.exports = { mutate, IDS_PER_FILE };
