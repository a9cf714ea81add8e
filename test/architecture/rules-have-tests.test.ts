/** Every file of rules has a test that bears its name or imports it, so that a rule is found by its test. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

test('no file of rules is without a test', () => {
  const tests = filesOf('test').filter((path) => path.endsWith('.test.ts'));
  const names = new Set(tests.map((path) => basename(path).replace(/(\.it)?\.test\.ts$/, '')));
  const imported = tests.map((path) => readFileSync(path, 'utf8')).join('\n');
  const untested = filesOf('src/domain')
    .map((path) => relative(ROOT, path).replace(/\.ts$/, ''))
    .filter((path) => !names.has(basename(path)) && !imported.includes(`/${path}'`));
  expect(untested).toEqual([]);
});
