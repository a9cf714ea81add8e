/**
 * Measures the shape of the code: lines per layer, files with one importer, and exports with one user. Also counts the
 * files that must change for a new kind of check, request option, rule of monitors or field of results. Reads `src`
 * only.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from '@babel/parser';

const SOURCE = join(import.meta.dirname, '..', 'src');
const EXTENSIONS = ['.ts', '.tsx', '/index.ts', '/index.tsx'];

/** One typical name for each type of change. */
const EXAMPLES = [
  { change: 'request option', name: 'maxRedirects', most: 5 },
  { change: 'monitor rule', name: 'successesBeforeUp', most: 6 },
  { change: 'result field', name: 'ttfbMs', most: 6 },
];
/**
 * Files that import settings from other tools. They are not counted, because each handles only the fields that its tool
 * has.
 */
const OTHER_TOOLS = /^cli\/import\//;

const files = new Map(
  readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mts|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(SOURCE, path), readFileSync(path, 'utf8')]),
);

function resolveImport(from, specifier) {
  if (!specifier.startsWith('.')) return null;
  const base = join(dirname(from), specifier);
  return EXTENSIONS.map((end) => `${base}${end}`).find((path) => files.has(path)) ?? null;
}

/** Yields all descendants of a node, in any order. */
function* walk(node) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const each of node) yield* walk(each);
    return;
  }
  if (typeof node.type !== 'string') return;
  yield node;
  for (const [name, value] of Object.entries(node)) if (name !== 'loc') yield* walk(value);
}

/** Returns the names that a statement imports or exports again; `*` means all names. */
function importedNames({ specifiers = [], type }) {
  if (type === 'ExportAllDeclaration') return ['*'];
  return specifiers.map(({ imported, local, type: kind }) => {
    if (kind === 'ImportNamespaceSpecifier' || kind === 'ImportDefaultSpecifier') return '*';
    return (imported ?? local).name;
  });
}

function exportedNames(statement) {
  if (statement.type !== 'ExportNamedDeclaration' || statement.source) return [];
  const { declaration, specifiers } = statement;
  if (!declaration) return specifiers.map(({ exported }) => exported.name);
  if (declaration.declarations)
    return declaration.declarations.flatMap(({ id }) => (id.name === undefined ? [] : [id.name]));
  return [declaration.id.name];
}

function readModule(path, text) {
  const plugins = path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'];
  const { program } = parse(text, { sourceType: 'module', plugins });
  const imports = program.body
    .filter(({ source }) => source)
    .map((statement) => ({ from: statement.source.value, names: importedNames(statement) }));
  const lazy = [...walk(program.body)]
    .filter(({ type, callee }) => type === 'ImportExpression' || callee?.type === 'Import')
    .map((node) => node.source ?? node.arguments[0])
    .filter(({ type }) => type === 'StringLiteral')
    .map(({ value }) => ({ from: value, names: ['*'] }));
  return { imports: [...imports, ...lazy], exports: program.body.flatMap(exportedNames) };
}

const modules = new Map(
  [...files]
    .filter(([path]) => !path.endsWith('.css'))
    .map(([path, text]) => [path, readModule(path, text)]),
);

/** For each file: the files that import it, and the names that they import. */
const importers = new Map([...modules.keys()].map((path) => [path, new Map()]));
for (const [path, { imports }] of modules) {
  for (const { from, names } of imports) {
    const users = importers.get(resolveImport(path, from));
    if (users) users.set(path, [...(users.get(path) ?? []), ...names]);
  }
}

function groupBy(items, readKey) {
  const groups = new Map();
  for (const item of items) groups.set(readKey(item), [...(groups.get(readKey(item)) ?? []), item]);
  return groups;
}

function share(part, whole) {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}

function countLines(texts) {
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}

function printLayers() {
  const layers = groupBy([...files], ([path]) => path.split('/')[0]);
  const rows = [...layers].map(([layer, of]) => [layer, countLines(of.map(([, text]) => text))]);
  for (const [layer, lines] of rows.sort(([, a], [, b]) => b - a))
    console.log(`${String(lines).padStart(8)}  ${layer}`);
  console.log(`${String(countLines([...files.values()])).padStart(8)}  src`);
}

function printUses() {
  const imported = [...importers.values()].filter((users) => users.size > 0);
  const single = imported.filter((users) => users.size === 1);
  console.log(`Files with one importer: ${share(single.length, imported.length)}`);
  const uses = [...modules].flatMap(([path, { exports }]) =>
    exports.map((name) => {
      const users = [...(importers.get(path)?.values() ?? [])];
      return users.filter((names) => names.includes(name) || names.includes('*')).length;
    }),
  );
  const once = uses.filter((count) => count === 1);
  console.log(`Exported names used by one other file: ${share(once.length, uses.length)}`);
}

function printChanges() {
  const folders = groupBy(
    [...files.keys()].filter((path) => /^kinds\/[^/]+\//.test(path)),
    (path) => path.split('/')[1],
  );
  // The folder of HTTP checks is left out, because their forms and pages are older than the registries.
  folders.delete('http');
  const registries = [...modules].filter(
    ([path, { imports }]) =>
      /^kinds\/[^/]+$/.test(path) &&
      imports.filter(({ from }) => /^\.\/[^/]+\/(?:shape|run|form)$/.test(from)).length >=
        folders.size,
  ).length;
  // Adds one for the file in contracts that names the kind and its settings.
  const least = Math.min(...[...folders.values()].map(({ length }) => length)) + registries + 1;
  console.log(`Files of a kind of check: ${least} (at most 8)`);
  for (const { change, name, most } of EXAMPLES) {
    const whole = new RegExp(`\\b${name}\\b`);
    const naming = [...files].filter(([path, text]) => whole.test(text) && !OTHER_TOOLS.test(path));
    console.log(`Files of a ${change} (${name}): ${naming.length} (at most ${most})`);
    for (const [path] of naming) console.log(`          ${path}`);
  }
}

printLayers();
printUses();
printChanges();
