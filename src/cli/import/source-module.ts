/** Parses the declarations, imports and exports of a TypeScript or JavaScript file, without running it. */
import type { parse } from '@babel/parser';

export type Statement = ReturnType<typeof parse>['program']['body'][number];
export type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression'];
type Declaration = Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number];

/** `name` is `default` for a default import, and `*` for a namespace import. */
interface ImportedName {
  readonly from: string;
  readonly name: string;
}

export interface SourceFile {
  readonly path: string;
  /** The path in messages to users. */
  readonly shown: string;
  readonly text: string;
}

export interface SourceModule {
  readonly path: string;
  readonly shown: string;
  readonly statements: readonly Statement[];
  /** The `const` declarations at the top level. */
  readonly constants: ReadonlyMap<string, Expression>;
  readonly imports: ReadonlyMap<string, ImportedName>;
  readonly exported: ReadonlyMap<string, Expression>;
  readonly passedOn: ReadonlyMap<string, ImportedName>;
  /** Files from which all exports are re-exported. */
  readonly exportAllFrom: readonly string[];
}

interface Gathered {
  readonly constants: Map<string, Expression>;
  readonly imports: Map<string, ImportedName>;
  readonly exported: Map<string, Expression>;
  readonly passedOn: Map<string, ImportedName>;
  readonly exportAllFrom: string[];
}

/** Creates the parser. The parser throws errors with line and column. Its package is loaded on first use. */
export async function createModuleReader(): Promise<(file: SourceFile) => SourceModule> {
  const parser = await import('@babel/parser');
  return ({ path, shown, text }) => {
    const { program } = parser.parse(text, {
      sourceType: 'unambiguous',
      plugins: ['typescript', 'decorators'],
      allowReturnOutsideFunction: true,
    });
    const gathered: Gathered = {
      constants: new Map(),
      imports: new Map(),
      exported: new Map(),
      passedOn: new Map(),
      exportAllFrom: [],
    };
    for (const statement of program.body) gather(statement, gathered);
    return { path, shown, statements: program.body, ...gathered };
  };
}

function gather(statement: Statement, gathered: Gathered): void {
  const { type } = statement;
  if (type === 'ImportDeclaration') gatherImport(statement, gathered);
  if (type === 'ExportNamedDeclaration') gatherExport(statement, gathered);
  if (type === 'ExportAllDeclaration') gathered.exportAllFrom.push(statement.source.value);
  if (type === 'ExpressionStatement') gatherModuleExports(statement.expression, gathered);
  if (type === 'ExportDefaultDeclaration' && isExpression(statement.declaration))
    gathered.exported.set('default', statement.declaration);
  if (type === 'VariableDeclaration' && statement.kind === 'const')
    for (const declaration of statement.declarations) gatherConstant(declaration, gathered);
}

function gatherImport(
  { source, specifiers }: Extract<Statement, { type: 'ImportDeclaration' }>,
  { imports }: Gathered,
): void {
  for (const specifier of specifiers) {
    const names = { ImportNamespaceSpecifier: '*', ImportDefaultSpecifier: 'default' } as const;
    const name =
      specifier.type === 'ImportSpecifier' ? readText(specifier.imported) : names[specifier.type];
    imports.set(specifier.local.name, { from: source.value, name });
  }
}

function gatherConstant({ id, init }: Declaration, { constants, imports }: Gathered): void {
  if (!init) return;
  const from = requiredBy(init);
  if (id.type === 'Identifier') {
    if (from === null) constants.set(id.name, init);
    else imports.set(id.name, { from, name: '*' });
    return;
  }
  if (id.type !== 'ObjectPattern' || from === null) return;
  for (const property of id.properties) {
    if (property.type !== 'ObjectProperty' || property.value.type !== 'Identifier') continue;
    if (property.key.type !== 'Identifier') continue;
    imports.set(property.value.name, { from, name: property.key.name });
  }
}

/** Returns the file in `require('file')`. null for any other expression. */
function requiredBy(node: Expression): string | null {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return null;
  const [first] = node.arguments;
  return node.callee.name === 'require' && first?.type === 'StringLiteral' ? first.value : null;
}

function gatherExport(
  statement: Extract<Statement, { type: 'ExportNamedDeclaration' }>,
  gathered: Gathered,
): void {
  const { declaration, specifiers, source } = statement;
  if (declaration?.type === 'VariableDeclaration') {
    gather(declaration, gathered);
    for (const { id } of declaration.declarations) {
      if (id.type === 'Identifier') gathered.exported.set(id.name, id);
    }
  }
  for (const specifier of specifiers) {
    if (specifier.type !== 'ExportSpecifier') continue;
    const name = readText(specifier.exported);
    if (source) gathered.passedOn.set(name, { from: source.value, name: specifier.local.name });
    else gathered.exported.set(name, specifier.local);
  }
}

/** Reads `module.exports = …`. The members of an exported object are also named exports. */
function gatherModuleExports(node: Expression, { exported }: Gathered): void {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return;
  const { object, property } = node.left;
  if (object.type !== 'Identifier' || object.name !== 'module') return;
  if (property.type !== 'Identifier' || property.name !== 'exports') return;
  exported.set('default', node.right);
  if (node.right.type !== 'ObjectExpression') return;
  for (const member of node.right.properties) {
    if (member.type !== 'ObjectProperty' || member.key.type !== 'Identifier') continue;
    if (isExpression(member.value)) exported.set(member.key.name, member.value);
  }
}

function readText(
  node: { readonly type: 'Identifier'; readonly name: string } | StringLiteral,
): string {
  return node.type === 'Identifier' ? node.name : node.value;
}

interface StringLiteral {
  readonly type: 'StringLiteral';
  readonly value: string;
}

const NO_EXPRESSIONS: readonly string[] = [
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSDeclareFunction',
  'ArrayPattern',
  'ObjectPattern',
  'AssignmentPattern',
  'RestElement',
  'TSParameterProperty',
  'VoidPattern',
  'SpreadElement',
  'ArgumentPlaceholder',
  'PrivateName',
  'JSXNamespacedName',
];

export function isExpression(node: { readonly type: string }): node is Expression {
  return !NO_EXPRESSIONS.includes(node.type);
}
