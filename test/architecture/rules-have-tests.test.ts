/**
 * Tests that every source file with rules has a test. It is a test with the same name and folder, a test that imports a
 * value of the file, or a test that lists the file under `Covers:` in its head comment. Suites over HTTP list the use
 * cases behind their routes there. Suites of the long form do not count, because CI does not run them.
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

/** Matches an import of values, on one or several lines. Captures its names and its path. */
const VALUE_IMPORT = /^import (?!type\b)([^;]*?) from '([^']*)';/gm;

/** Returns the modules whose values a suite imports, in the form `services/monitors/kind`. */
function importedBy({ path, text }: (typeof suites)[number]): readonly string[] {
  return [...text.matchAll(VALUE_IMPORT)]
    .filter(([, names = '', from = '']) => from.startsWith('.') && hasValue(names))
    .map(([, , from = '']) => relative(SOURCE, join(dirname(path), from)));
}

/** Returns true if the import contains a value. `{ type A, type B }` contains none. */
function hasValue(names: string): boolean {
  const [, list] = /^\{(.*)\}$/s.exec(names) ?? [];
  if (list === undefined) return true;
  return list.split(',').some((name) => name.trim() !== '' && !/^type\s/.test(name.trim()));
}

/** Returns the modules listed under `Covers:`, in the form `services/monitors/kind`. */
function coveredBy(text: string): readonly string[] {
  const [, list = ''] = /^\/\*\*(?:(?!\*\/).)*?Covers:\n((?: \* - [\w/-]+\n)+)/s.exec(text) ?? [];
  return [...list.matchAll(/- ([\w/-]+)/g)].map(([, file = '']) => file);
}

/** Returns false for a file that exports only types, because it contains no rule. */
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

test('every module that a test file lists under `Covers:` exists', () => {
  const gone = suites.flatMap(({ path, text }) =>
    coveredBy(text)
      .filter((file) => !existsSync(join(ROOT, 'src', `${file}.ts`)))
      .map((file) => `${relative(ROOT, path)}: ${file}`),
  );
  expect(gone).toEqual([]);
  expect(suites.filter(({ text }) => coveredBy(text).length > 0).length).toBeGreaterThan(20);
});
