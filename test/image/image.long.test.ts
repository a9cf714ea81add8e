/**
 * Tests the contents of the image, and that its programs start read-only as an unprivileged user.
 * container.long.test.ts runs the whole service in it.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPORAL_WHEEL } from '../../src/embedded/pinned-servers';
import { buildImageFolder, type ImageFolder } from './image-folder';
import { ROOT } from './read-dockerfile';
import { runContainer } from './run-image';

const MB = 1_000_000;
const SIZE_MAX = 350 * MB;
/**
 * Size of Node 24 without symbols, as in the image. The size limit uses this constant, because tests copy the Node that
 * runs them.
 */
const NODE_BYTES = 109 * MB;
const NEWER = '{"release":"9.1.2","readableFrom":"9.1.0"}';

let image: ImageFolder;
let files: readonly string[];

beforeAll(async () => {
  image = await buildImageFolder();
  files = readdirSync(image.root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    lstatSync(join(image.root, name)).isFile(),
  );
});
afterAll(() => image?.remove());

const sizeOf = (name: string): number => lstatSync(join(image.root, name)).size;

test('the image is at most 350 MB, and the script lists its largest parts', () => {
  const others = files.filter((name) => name !== 'usr/local/bin/node');
  const bytes = others.reduce((sum, name) => sum + sizeOf(name), NODE_BYTES);
  expect(bytes).toBeLessThanOrEqual(SIZE_MAX);
  expect(image.listing).toMatch(/\d+\.\d MB {2}temporal \(program\)\n/);
  expect(image.listing).toMatch(/\d+\.\d MB {2}in all/);
});

test('the image has all servers and files, so it starts without internet', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'app/dist/dashboard/index.html',
      'app/dist/workflow-bundle.js',
      'app/dist/main/container.js',
      'app/scripts/backup.mjs',
    ]),
  );
  const container = runContainer(image, {
    volume: image.newVolume(),
    command: ['temporal', '--version'],
  });
  return container.ended.then((code) => {
    expect({ code, isolation: container.isolation }).toMatchObject({ code: 0 });
    expect(container.output()).toContain(`temporal version ${TEMPORAL_WHEEL.version}`);
  });
});

test('the image has no development packages, source maps or type declarations', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const copied = files.flatMap((name) => {
    const folder = /^app\/(node_modules\/.*?(?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(name)?.[1];
    return folder !== undefined && folder in packages ? [folder] : [];
  });
  expect(copied.length).toBeGreaterThan(150);
  expect(copied.filter((folder) => packages[folder].dev === true)).toEqual([]);
  expect(files.filter((name) => /\.(?:map|d\.ts)$/.test(name))).toEqual([]);
});

test("no file in the image is writable for the image's user or grants further rights", () => {
  const open = files.filter((name) => (lstatSync(join(image.root, name)).mode & 0o6022) !== 0);
  expect(open).toEqual([]);
});

/** A program that loads every package that the programs of the image require. */
const LOAD_PACKAGES = `
const { readdirSync, readFileSync } = require('node:fs');
const names = new Set();
for (const name of readdirSync('dist', { recursive: true }))
  if (/^(?!dashboard|client|bench|workflow-bundle)(?!.*build-workflow-bundle).*\\.js$/.test(name))
    for (const [, from] of readFileSync('dist/' + name, 'utf8').matchAll(/require\\("([^".][^"]*)"\\)/g))
      if (!from.startsWith('node:')) names.add(from);
for (const name of names) require(name);
console.log(names.size + ' packages loaded');
process.exit(0);`;

test('every package that a program of the image imports can be loaded there', async () => {
  const command = ['node', '-e', LOAD_PACKAGES];
  const container = runContainer(image, { volume: image.newVolume(), command });
  const code = await container.ended;
  expect({ code, output: container.output() }).toEqual({
    code: 0,
    output: expect.stringMatching(/\d{2,} packages loaded\n$/),
  });
});

test('the image refuses a volume of a newer version, and names the version that reads it', async () => {
  const volume = image.newVolume({ 'release.json': NEWER });
  const container = runContainer(image, { volume });
  expect(await container.ended).toBe(1);
  expect(container.output()).toContain('was written by Keepwatch 9.1.2');
  expect(container.output()).toContain('Start Keepwatch 9.1.0 or newer');
  expect(readdirSync(volume)).toEqual(['release.json']);
  expect(readFileSync(join(volume, 'release.json'), 'utf8')).toBe(NEWER);
});

test('KEEPWATCH_ROLE sets the role of the image, and an unknown role is refused', async () => {
  const run = async (role: string) => {
    const environment = { KEEPWATCH_ROLE: role };
    const container = runContainer(image, { volume: image.newVolume(), environment });
    return { code: await container.ended, output: container.output() };
  };
  for (const role of ['api', 'orchestrator', 'probe'])
    expect(await run(role)).toEqual({
      code: 2,
      output: expect.stringContaining(`is required by ${role}`),
    });
  const unknown = await run('worker');
  expect(unknown).toEqual({ code: 2, output: expect.stringContaining('KEEPWATCH_ROLE must be') });
});

test('the health check of the image fails while the service is not running', async () => {
  const command = ['node', 'dist/main/health.js'];
  const container = runContainer(image, { volume: image.newVolume(), command });
  expect(await container.ended).toBe(1);
  expect(container.output()).toContain('not started yet');
});
