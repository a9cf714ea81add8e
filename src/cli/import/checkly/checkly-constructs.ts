/** Finds Checkly's constructs in a file, and whether each is created once, under a condition, or in a loop. */

import { type Expression, isExpression, type SourceModule } from '../source-module';
import { findChecklyName } from './checkly-language';

type New = Extract<Expression, { type: 'NewExpression' }>;
type Context = 'plain' | 'conditional' | 'repeated';

export interface Found {
  readonly node: New;
  readonly kind: string;
  readonly context: Context;
  readonly position: string;
}

const REPEATED: readonly string[] = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
];
const CONDITIONAL: readonly string[] = ['IfStatement', 'ConditionalExpression', 'SwitchStatement'];
/** Matches the names of classes that create values and not constructs. */
const BUILDERS = /Builder$/;

/** Returns the constructs in the order of the file. */
export function findConstructs(module: SourceModule): readonly Found[] {
  return [...walkConstructs(module.statements, 'plain')].flatMap(({ node, context }) => {
    const kind = isExpression(node.callee) ? findChecklyName(node.callee, module) : null;
    if (kind === null || BUILDERS.test(kind)) return [];
    return [{ node, kind, context, position: `${module.shown}:${node.loc?.start.line ?? 1}` }];
  });
}

interface Met {
  readonly node: New;
  readonly context: Context;
}

function* walkConstructs(value: unknown, context: Context): Generator<Met> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walkConstructs(item, context);
    return;
  }
  if (!isNode(value)) return;
  if (isNew(value)) yield { node: value, context };
  const inside = contextIn(value.type, context);
  for (const [name, part] of Object.entries(value)) {
    if (name !== 'loc' && !name.endsWith('Comments')) yield* walkConstructs(part, inside);
  }
}

function contextIn(type: string, around: Context): Context {
  if (REPEATED.includes(type)) return 'repeated';
  return around === 'plain' && CONDITIONAL.includes(type) ? 'conditional' : around;
}

function isNode(value: unknown): value is { readonly type: string } {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  );
}

function isNew(node: { readonly type: string }): node is New {
  return node.type === 'NewExpression';
}
