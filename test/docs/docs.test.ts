/** Tests that the documents name only things that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { SETTING_GROUPS } from '../../src/config/setting-groups';
import { SETTINGS_IN_FILES } from '../../src/config/settings-in-files';
import { renderSettings } from '../../src/config/settings-markdown';
import { SETTINGS_TABLE } from '../../src/config/settings-table';
import { ROOT, readPages } from './read-docs';

const pages = readPages();
const FOLDERS = '(?:src|test|scripts|docs|bench|\\.ci|\\.github)';
const NIGHTLY = '.github/workflows/nightly.yml';
/** Files that are not in the repository, because the service or the build creates them. */
const CREATED_FILES = new Set(['servers.json', 'THIRD-PARTY-LICENSES.md']);
const IN_FILES = new Set(SETTINGS_IN_FILES.map((name) => `${name}_FILE`));
/** Settings that are read only by the tests. */
const TEST_SETTINGS = new Set(
  readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('docs.test.ts'))
    .flatMap(
      (file) =>
        readFileSync(path.join(ROOT, 'test', file), 'utf8').match(/KEEPWATCH_TEST_\w+/g) ?? [],
    ),
);
/** Names that are not settings of the service. They belong to the compose files or the command line. */
const NOT_SETTINGS = new Set([
  'KEEPWATCH_IMAGE',
  'KEEPWATCH_URL',
  'KEEPWATCH_API_KEY',
  'KEEPWATCH_CONFIG_DIR',
  'KEEPWATCH_PIPELINE',
  'KEEPWATCH_ID_TOKEN',
]);

function exists(file: string): boolean {
  return existsSync(path.join(ROOT, file));
}

test.each(pages)('every path that $file names exists', ({ text }) => {
  const quoted = [...text.matchAll(new RegExp(`\`(${FOLDERS}/[\\w./-]+)\``, 'g'))];
  const rootFiles = [...text.matchAll(/`([\w.-]+\.(?:ya?ml|json|cjs|md))`/g)];
  const named = [...quoted, ...rootFiles].map(([, file = '']) => file);
  const missing = named.filter((file) => !exists(file) && !CREATED_FILES.has(file));
  expect(missing).toEqual([]);
});

test.each(pages)('every link from $file to a file of the repository resolves', ({ file, text }) => {
  const targets = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target));
  expect(targets.filter((target) => !exists(path.join(path.dirname(file), target)))).toEqual([]);
});

test.each(pages)(
  'every function that $file names together with a file is in that file',
  ({ text }) => {
    const placed = [...text.matchAll(/`(\w+)`\s+\(`(src\/[\w./-]+)`\)/g)];
    const missing = placed.filter(([, name = '', file = '']) => {
      const source = exists(file) ? readFileSync(path.join(ROOT, file), 'utf8') : '';
      return !new RegExp(`\\b${name}\\b`).test(source);
    });
    expect(missing.map(([whole]) => whole)).toEqual([]);
  },
);

const { scripts, engines } = z
  .object({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));

test.each(pages)('every npm script that $file names exists', ({ text }) => {
  const names = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  expect(names.filter((name) => !(String(name) in scripts))).toEqual([]);
});

test('the nightly workflow runs existing npm scripts on existing tests', () => {
  const step = z.object({ run: z.string().optional(), with: z.unknown().optional() });
  const { jobs } = z
    .object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) })
    .parse(parse(readFileSync(path.join(ROOT, NIGHTLY), 'utf8')));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const runs = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  expect(runs[0]).toBe('npm ci');
  const commands = runs.filter((command) => command !== 'npm ci');
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) {
    const [, script = '', target = ''] = /^npm run ([\w:-]+) -- (\S+)$/.exec(command) ?? [];
    expect([command, Object.keys(scripts)]).toEqual([command, expect.arrayContaining([script])]);
    expect([target, exists(target)]).toEqual([target, true]);
  }
  expect(steps.map((one) => one.with)).toContainEqual({ 'node-version-file': 'package.json' });
  expect(engines.node).toMatch(/^>=\d/);
});

test.each(pages)('every setting that $file names exists', ({ text }) => {
  const names = [...text.matchAll(/\b(KEEPWATCH_[A-Z_]+)\b/g)].map(([, name = '']) => name);
  const unknown = names.filter(
    (name) =>
      !(name in SETTINGS_TABLE) &&
      !IN_FILES.has(name) &&
      !NOT_SETTINGS.has(name) &&
      !TEST_SETTINGS.has(name),
  );
  expect(unknown).toEqual([]);
});

test('docs/settings.md contains the rendered tables of settings (run scripts/render-settings.mjs)', () => {
  const text = readFileSync(path.join(ROOT, 'docs/settings.md'), 'utf8');
  const between = /<!-- settings -->\n([\s\S]*)<!-- \/settings -->/.exec(text)?.[1];
  expect(between).toBe(`${renderSettings()}\n`);
});

test('docs/settings.md lists each setting in exactly one group', () => {
  const listed = SETTING_GROUPS.flatMap(([, names]) => names);
  expect([...listed].sort()).toEqual(Object.keys(SETTINGS_TABLE).sort());
});

test('architecture.md names more than twenty functions together with their files', () => {
  const text = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const placed = [...text.matchAll(/`(\w+)`\s+\(`(src\/[\w./-]+)`\)/g)];
  expect(placed.length).toBeGreaterThan(20);
});
