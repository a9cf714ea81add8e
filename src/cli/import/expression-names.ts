/** Reads names in expressions without evaluating the expressions. */
import type { Expression } from './source-module';

type Node<Type extends Expression['type']> = Extract<Expression, { type: Type }>;
export type MemberNode = Node<'MemberExpression'> | Node<'OptionalMemberExpression'>;

/** Returns the name in `process.env.NAME`. null for any other expression. */
export function readVariable(node: Expression): string | null {
  if (node.type === 'TSNonNullExpression' || node.type === 'TSAsExpression')
    return readVariable(node.expression);
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return null;
  const { object } = node;
  if (object.type !== 'MemberExpression' || readProperty(object) !== 'env') return null;
  if (object.object.type !== 'Identifier' || object.object.name !== 'process') return null;
  const name = readProperty(node);
  return name !== null && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : null;
}

export function readProperty({ property, computed }: MemberNode): string | null {
  if (!computed && property.type === 'Identifier') return property.name;
  const isLiteral = property.type === 'StringLiteral' || property.type === 'NumericLiteral';
  return isLiteral ? String(property.value) : null;
}
