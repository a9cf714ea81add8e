/**
 * Every source file with rules has a test that can be found: a test with the same name and folder, a test that imports
 * a value of the file, or a test that names the file under `Covers:` in its head comment. Suites over HTTP list the use
 * cases behind their routes there. Suites of the long form do not count, since CI does not run them.
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

/** An import of values, on one or several lines: its names and its path. */
const VALUE_IMPORT = /^import (?!type\b)([^;]*?) from '([^']*)';/gm;

/** The modules whose values a suite imports, as `services/monitors/kind`. */
function importedBy({ path, text }: (typeof suites)[number]): readonly string[] {
  return [...text.matchAll(VALUE_IMPORT)]
    .filter(([, names = '', from = '']) => from.startsWith('.') && hasValue(names))
    .map(([, , from = '']) => relative(SOURCE, join(dirname(path), from)));
}

/** `{ type A, type B }` imports no value. */
function hasValue(names: string): boolean {
  const [, list] = /^\{(.*)\}$/s.exec(names) ?? [];
  if (list === undefined) return true;
  return list.split(',').some((name) => name.trim() !== '' && !/^type\s/.test(name.trim()));
}

/** The modules under `Covers:`, in the same form. */
function coveredBy(text: string): readonly string[] {
  const [, list = ''] = /^\/\*\*(?:(?!\*\/).)*?Covers:\n((?: \* - [\w/-]+\n)+)/s.exec(text) ?? [];
  return [...list.matchAll(/- ([\w/-]+)/g)].map(([, file = '']) => file);
}

/** A file with only types holds no rule. */
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

test.each(['src/domain', 'src/services'])('every file of rules in %s has a test', (folder) => {
  expect(untestedIn(folder)).toEqual([]);
});

test('every module that a test lists under `Covers:` exists', () => {
  const gone = suites.flatMap(({ path, text }) =>
    coveredBy(text)
      .filter((file) => !existsSync(join(ROOT, 'src', `${file}.ts`)))
      .map((file) => `${relative(ROOT, path)}: ${file}`),
  );
  expect(gone).toEqual([]);
  expect(suites.filter(({ text }) => coveredBy(text).length > 0).length).toBeGreaterThan(20);
});
