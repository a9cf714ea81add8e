/**
 * Every file of rules has a test by which it is found: one that bears its name, imports it, or names it
 * under `Covers:` in its opening comment, as suites over HTTP do for the use cases behind a route.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

const suites = filesOf('test')
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Files of src without their ending, as `services/monitors/kind`. */
function coveredBy(text: string): readonly string[] {
  const [, list = ''] = /^\/\*\*(?:(?!\*\/).)*?Covers:\n((?: \* - [\w/-]+\n)+)/s.exec(text) ?? [];
  return [...list.matchAll(/- ([\w/-]+)/g)].map(([, file = '']) => file);
}

/** A file of types alone holds no rule. */
function holdsRules(path: string): boolean {
  return /^export (?:async )?(?:function|const|class)\b/m.test(readFileSync(path, 'utf8'));
}

const untestedIn = (folder: string): readonly string[] => {
  const names = new Set(suites.map(({ path }) => basename(path).replace(/(\.it)?\.test\.ts$/, '')));
  const imported = suites.map(({ text }) => text).join('\n');
  const covered = new Set(suites.flatMap(({ text }) => coveredBy(text)));
  return filesOf(folder)
    .filter(holdsRules)
    .map((path) => relative(ROOT, path).replace(/\.ts$/, ''))
    .filter((path) => !names.has(basename(path)) && !imported.includes(`/${path}'`))
    .filter((path) => !covered.has(path.replace(/^src\//, '')));
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
