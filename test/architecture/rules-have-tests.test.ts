/**
 * Every file of rules has a test by which it is found: one that bears its name in the same folder of test/, imports a
 * value of it, or names it under `Covers:` in its opening comment, as suites over HTTP do for the use cases behind a
 * route. Suites of the long form do not count: CI does not run them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

const suites = filesOf('test')
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const suitesOfCi = suites.filter(({ path }) => !path.endsWith('.long.test.ts'));

/** An import of values, however many lines it takes: its names, and where they are. */
const VALUE_IMPORT = /^import (?!type\b)([^;]*?) from '([^']*)';/gm;

/** What a suite imports of ours and runs, as `services/monitors/kind`. */
function importedBy({ path, text }: (typeof suites)[number]): readonly string[] {
  return [...text.matchAll(VALUE_IMPORT)]
    .filter(([, names = '', from = '']) => from.startsWith('.') && hasValue(names))
    .map(([, , from = '']) => relative(SOURCE, join(dirname(path), from)));
}

/** `{ type A, type B }` imports none. */
function hasValue(names: string): boolean {
  const [, list] = /^\{(.*)\}$/s.exec(names) ?? [];
  if (list === undefined) return true;
  return list.split(',').some((name) => name.trim() !== '' && !/^type\s/.test(name.trim()));
}

/** What a suite lists, in the same form. */
function coveredBy(text: string): readonly string[] {
  const [, list = ''] = /^\/\*\*(?:(?!\*\/).)*?Covers:\n((?: \* - [\w/-]+\n)+)/s.exec(text) ?? [];
  return [...list.matchAll(/- ([\w/-]+)/g)].map(([, file = '']) => file);
}

/** A file of types alone holds no rule. */
function holdsRules(path: string): boolean {
  return /^export (?:async )?(?:function|const|class)\b/m.test(readFileSync(path, 'utf8'));
}

const untestedIn = (folder: string): readonly string[] => {
  const named = suitesOfCi.map(({ path }) =>
    relative(join(ROOT, 'test'), path).replace(/(\.it)?\.test\.ts$/, ''),
  );
  const imported = suitesOfCi.flatMap(importedBy);
  const covered = suitesOfCi.flatMap(({ text }) => coveredBy(text));
  const tested = new Set([...named, ...imported, ...covered]);
  return filesOf(folder)
    .filter(holdsRules)
    .map((path) => relative(SOURCE, path).replace(/\.ts$/, ''))
    .filter((path) => !tested.has(path));
};

test.each(['src/domain', 'src/services'])('no file of rules in %s is without a test', (folder) => {
  expect(untestedIn(folder)).toEqual([]);
});

test('what a suite says that it covers is there', () => {
  const gone = suites.flatMap(({ path, text }) =>
    coveredBy(text)
      .filter((file) => !existsSync(join(ROOT, 'src', `${file}.ts`)))
      .map((file) => `${relative(ROOT, path)}: ${file}`),
  );
  expect(gone).toEqual([]);
  expect(suites.filter(({ text }) => coveredBy(text).length > 0).length).toBeGreaterThan(20);
});
