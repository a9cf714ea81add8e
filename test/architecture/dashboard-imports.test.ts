/**
 * Tests which files the dashboard may import: the schemas and rules of /v1, shared files, and files of the same
 * feature.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

const root = join(__dirname, '..', '..', 'src');
const OURS = ['schemas', 'domain', 'contracts', 'formats'];
/**
 * Files that describe a type of check. The dashboard must not import the code that sends requests, which belongs to
 * probes.
 */
const KINDS =
  /^kinds\/(?:bodies|form|inputs|fields|sent-fields|step-fields|steps|allow-references|shapes|monitor-types|words|\w+\/(?:shape|form))$/;
const IMPORT = /(?:from|import\(|import)\s*'(\.{1,2}\/[^']+)'/g;

interface Import {
  readonly file: string;
  readonly target: string;
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, folder, name));
}

/** Returns the imports of the file. Paths are relative to src. */
function importsOf(path: string): readonly Import[] {
  const file = relative(root, path).split(sep).join('/');
  return [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, target = '']) => ({
    file,
    target: posix.join(posix.dirname(file), target),
  }));
}

const inside = sourcesIn('dashboard').flatMap(importsOf);
const featureOf = (path: string): string | null =>
  /^dashboard\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
const told = (found: readonly Import[]) => found.map(({ file, target }) => `${file} → ${target}`);

test('the dashboard imports only schemas and rules from the rest of src', () => {
  const foreign = inside.filter(
    ({ target }) =>
      !KINDS.test(target) &&
      !['dashboard', ...OURS].some((folder) => target.startsWith(`${folder}/`)),
  );
  expect(told(foreign)).toEqual([]);
  expect(inside.length).toBeGreaterThan(100);
});

test('features of the dashboard do not import each other', () => {
  const across = inside.filter(({ file, target }) => {
    const [from, to] = [featureOf(file), featureOf(target)];
    return from !== null && to !== null && from !== to;
  });
  expect(told(across)).toEqual([]);
});

test('shared files of the dashboard import no feature', () => {
  const shared = inside.filter(
    ({ file, target }) => file.startsWith('dashboard/shared/') && featureOf(target) !== null,
  );
  expect(told(shared)).toEqual([]);
});

test('the service does not import the dashboard', () => {
  const others = sourcesIn('.').filter((path) => !path.startsWith(join(root, 'dashboard') + sep));
  const found = others.flatMap(importsOf).filter(({ target }) => target.startsWith('dashboard/'));
  expect(told(found)).toEqual([]);
});
