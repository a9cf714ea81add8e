/** Tests rules that dependency-cruiser cannot check: type-only imports, and the number of files in a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(__dirname, '..', '..', 'src');
const FILES_MAX = 30;

const folders = readdirSync(SOURCE, { recursive: true, withFileTypes: true });
const files = folders
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => ({ folder: entry.parentPath, path: join(entry.parentPath, entry.name) }));

/** Matches an import of values, on one or several lines. */
const VALUE_IMPORT = /^import (?!type\b)[^;]*? from '[^']*\/models\/[^']*';/m;

test.each(['services', 'api'])('folder %s imports entities and stores only as types', (layer) => {
  const layerFiles = files.filter(({ path }) => path.startsWith(join(SOURCE, layer, '/')));
  expect(layerFiles.length).toBeGreaterThan(50);
  const found = layerFiles.filter(({ path }) => VALUE_IMPORT.test(readFileSync(path, 'utf8')));
  expect(found.map(({ path }) => path)).toEqual([]);
});

test(`no folder directly contains more than ${FILES_MAX} files`, () => {
  const counts = new Map<string, number>();
  for (const { folder } of files) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const full = [...counts].filter(([, count]) => count > FILES_MAX);
  expect(full).toEqual([]);
});

/** Matches a response interface or type that is not derived from a schema. Does not match an alias of a schema type. */
const OWN_RESPONSE = /^(?:export )?(?:interface \w+(?:Response|Answer)\b|type \w+Response = \{)/m;

test('services use the types of the response schemas, and define no response types themselves', () => {
  const services = files.filter(({ path }) => path.startsWith(join(SOURCE, 'services', '/')));
  const found = services.filter(({ path }) => OWN_RESPONSE.test(readFileSync(path, 'utf8')));
  expect(found.map(({ path }) => path)).toEqual([]);
});
