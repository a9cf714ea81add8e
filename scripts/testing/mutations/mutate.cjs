// Rewrites a TypeScript source so that it holds all its mutants, each asleep: `__mutant(id)` wakes the one that a
// run is about. It mutates operators, boundaries, conditions, returned values and statements, never texts.
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

/** Types, imports and keys hold nothing that runs. */
function childrenOf(node) {
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

/** What may stand in place of a node: `[what it is, text]`. */
function replacementsOf(node, textOf) {
  const found = [];
  const { type, operator } = node;
  if (type === 'BinaryExpression' || type === 'LogicalExpression') {
    const { left, right } = node;
    const isJoining = operator === '+' && (isText(left) || isText(right));
    for (const other of isJoining ? [] : (SWAPPED[operator] ?? []))
      found.push([`${operator} → ${other}`, `(${textOf(left)}) ${other} (${textOf(right)})`]);
  }
  if (type === 'UnaryExpression' && (operator === '!' || operator === '-'))
    found.push([`without ${operator}`, textOf(node.argument)]);
  if (type === 'ConditionalExpression')
    for (const [name, branch] of [
      ['true', node.consequent],
      ['false', node.alternate],
    ])
      found.push([`condition ${name}`, textOf(branch)]);
  if (type === 'BooleanLiteral') found.push([`${node.value} → ${!node.value}`, `${!node.value}`]);
  if (type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const { object, property, computed } = node.callee;
    const other = computed ? undefined : SWAPPED_CALLS.get(property.name);
    const given = node.arguments.map(textOf).join(', ');
    if (other !== undefined)
      found.push([`${property.name} → ${other}`, `(${textOf(object)}).${other}(${given})`]);
  }
  return found;
}

const EXPRESSION = /(?:Expression|Literal)$/;
const isExpression = ({ type }) =>
  (EXPRESSION.test(type) || type === 'Identifier') && !/^(?:RegExp|TS)/.test(type);

/** Read once per file: each look at a global of a test's own context is slow. */
const HEAD = 'const { __mutant, __loop } = globalThis; ';

/** `{ code, mutants }`; a mutant is `{ id, line, what }`. Ids are numbers from `firstId` on. */
function mutate(source, firstId) {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const mutants = [];
  const note = (node, what) => {
    const id = firstId + mutants.length;
    mutants.push({ id, line: node.loc.start.line, what });
    return `__mutant(${id})`;
  };

  /** The source of a node with the given children replaced. */
  function assemble(node, replaced) {
    let [text, at] = ['', node.start];
    for (const { start, end, by } of replaced.sort((a, b) => a.start - b.start)) {
      text += source.slice(at, start) + by;
      at = end;
    }
    return text + source.slice(at, node.end);
  }

  function plain(node) {
    const replaced = childrenOf(node).map((child) => {
      return { start: child.start, end: child.end, by: textOf(child, node) };
    });
    return assemble(node, replaced);
  }

  function condition(node, test) {
    const asTrue = note(test, 'condition true');
    const asFalse = note(test, 'condition false');
    const own = `${asTrue} ? true : ${asFalse} ? false : (${textOf(test, node)})`;
    const others = childrenOf(node).filter((child) => child !== test);
    const replaced = others.map((child) => {
      return { start: child.start, end: child.end, by: textOf(child, node) };
    });
    return assemble(node, [...replaced, { start: test.start, end: test.end, by: own }]);
  }

  function loop(node) {
    const { body } = node;
    const replaced = childrenOf(node).map((child) => {
      const text = textOf(child, node);
      return {
        start: child.start,
        end: child.end,
        by: child === body ? `{ __loop(); ${text} }` : text,
      };
    });
    return assemble(node, replaced);
  }

  function returned(node, value) {
    const text = textOf(value, node);
    if (isNothing(value) || value.type === 'BooleanLiteral') return text;
    return `(${note(value, 'returns nothing')} ? undefined : (${text}))`;
  }

  function textOf(node, parent) {
    if (node.type === 'IfStatement') return condition(node, node.test);
    if (LOOPS.has(node.type)) return loop(node);
    if (node.type === 'ExpressionStatement')
      return `{ if (!${note(node, 'statement removed')}) { ${plain(node)} } }`;
    if (node.type === 'ReturnStatement' && node.argument !== null)
      return `return ${returned(node, node.argument)};`;
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') {
      const { body } = node;
      const others = node.params.map((child) => {
        return { start: child.start, end: child.end, by: textOf(child, node) };
      });
      // Parentheses around an object belong to its text.
      const start = body.extra?.parenthesized ? body.extra.parenStart : body.start;
      const end = body.extra?.parenthesized ? source.indexOf(')', body.end) + 1 : body.end;
      return assemble(node, [...others, { start, end, by: `(${returned(node, body)})` }]);
    }
    const isAssigned = parent?.type === 'AssignmentExpression' && parent.left === node;
    if (!isExpression(node) || isAssigned) return plain(node);
    // Nothing else is mutated within a mutant.
    const replacements = replacementsOf(node, ({ start, end }) => source.slice(start, end));
    return replacements.reduce(
      (text, [what, by]) => `(${note(node, what)} ? (${by}) : ${text})`,
      replacements.length === 0 ? plain(node) : `(${plain(node)})`,
    );
  }

  return { code: HEAD + plain({ ...program, start: 0, end: source.length }), mutants };
}

/** Of one file. */
const IDS_PER_FILE = 1_000;

module.exports = { mutate, IDS_PER_FILE };
