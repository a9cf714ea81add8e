/**
 * Tests that only the folder `src/kinds/<type>` and a line in each registry contain the name of a type of check. The
 * importers of the command line are excluded, because they map the types of other tools to ours.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { NETWORK_KINDS, type NetworkKind } from '../../src/contracts/kinds';

const SOURCE = join(__dirname, '..', '..', 'src');

/** One registry for each runtime: shared contracts, the service, the probe and the dashboard. */
const REGISTRIES: readonly string[] = [
  'contracts/kinds.ts',
  'kinds/form.ts',
  'kinds/runners.ts',
  'kinds/shapes.ts',
];

/** Files in which the name of a type of check has another meaning. */
const OTHER_MEANINGS: Partial<Readonly<Record<NetworkKind, RegExp>>> = {
  // `tcp` is also a transport of DNS, and a URL scheme in the hosts of a secret.
  tcp: /^(?:kinds\/dns\/|domain\/secrets\/secret-hosts\.ts$)/,
  // `tls` is also a type of assertion, and a figure in the list of checks.
  tls: /^(?:kinds\/grpc\/|domain\/assertions\/|schemas\/assertion\.ts$|schemas\/responses\/resources\.ts$|contracts\/definition\.ts$|dashboard\/features\/checks\/rows\.ts$)/,
};

/** Types whose names in quotes rarely mean anything else. */
const UNMISTAKABLE: readonly NetworkKind[] = ['tcp', 'websocket', 'grpc'];

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(SOURCE, path), text: readFileSync(path, 'utf8') }))
  .filter(({ path }) => !path.startsWith('cli/import/'));

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

function importsOf({ path, text }: SourceFile): readonly string[] {
  return [...text.matchAll(/from '(\.[^']*)'/g)].map(([, to = '']) => join(dirname(path), to));
}

function namesKind(type: NetworkKind, file: SourceFile): boolean {
  const { text } = file;
  const asked = new RegExp(`(?:\\bcase |\\btype(?: ===| !==|:) |literal\\(|Method\\()'${type}'`);
  const quoted = UNMISTAKABLE.includes(type) && text.includes(`'${type}'`);
  const isImporting = importsOf(file).some((path) => path.startsWith(`kinds/${type}/`));
  return isImporting || asked.test(text) || quoted;
}

test.each(NETWORK_KINDS)(
  'the kind of check %s is named only in its own folder and in the registries',
  (type) => {
    const naming = files
      .filter((file) => !file.path.startsWith(`kinds/${type}/`) && namesKind(type, file))
      .map(({ path }) => path)
      .filter((path) => OTHER_MEANINGS[type]?.test(path) !== true);
    expect(naming.filter((path) => !REGISTRIES.includes(path))).toEqual([]);
  },
);

test.each(REGISTRIES)('the registry %s names every kind of check', (registry) => {
  const text = files.find(({ path }) => path === registry)?.text ?? '';
  for (const type of NETWORK_KINDS) expect(text).toMatch(new RegExp(`\\b${type}\\b`));
});

test('a kind of check consists of at most eight files', () => {
  const least = Math.min(
    ...NETWORK_KINDS.map(
      (type) => files.filter(({ path }) => path.startsWith(`kinds/${type}/`)).length,
    ),
  );
  expect(least + REGISTRIES.length).toBeLessThanOrEqual(8);
});
