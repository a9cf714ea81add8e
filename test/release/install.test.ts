/** Tests the installation of packages before a script runs. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../../src/embedded/run-command';
import { WAIT_LIMIT_MS } from '../support/wait-until';

const scripts = join(__dirname, '..', '..', 'scripts');

let folder: string;
let shared: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-install-'));
  shared = mkdtempSync(join(tmpdir(), 'keepwatch-shared-'));
  mkdirSync(join(folder, 'scripts'));
  cpSync(join(scripts, 'install.mjs'), join(folder, 'scripts', 'install.mjs'));
  writeLock(join(folder, 'package-lock.json'), '2.0.0');
  writeFileSync(join(folder, 'package.json'), '{"name": "x", "version": "1.0.0"}');
  writeFileSync(join(shared, 'of-others.txt'), 'keep');
  symlinkSync(shared, join(folder, 'node_modules'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(shared, { recursive: true, force: true });
});

function writeLock(file: string, version: string): void {
  const packages = { '': { version: '1.0.0' }, 'node_modules/other': { version } };
  writeFileSync(file, JSON.stringify({ name: 'x', lockfileVersion: 3, packages }));
}

function install() {
  const { href } = pathToFileURL(join(folder, 'scripts', 'install.mjs'));
  const program = `import { ensureInstalled } from ${JSON.stringify(href)}; await ensureInstalled();`;
  const options = { environment: process.env, timeoutMs: WAIT_LIMIT_MS };
  return runCommand(process.execPath, ['--input-type=module', '-e', program], options);
}

it('an install does not change a linked node_modules, and names the folder that it links to', async () => {
  writeLock(join(shared, '.package-lock.json'), '1.0.0');
  const { code, stderr } = await install();
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(shared) });
  expect(stderr).toContain('node_modules/other has changed to 2.0.0');
  expect(readdirSync(shared).toSorted()).toEqual(['.package-lock.json', 'of-others.txt']);
});

it('an install accepts a linked node_modules with the locked packages', async () => {
  writeLock(join(shared, '.package-lock.json'), '2.0.0');
  expect(await install()).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

test('an install runs no scripts of packages, whatever the default of the npm version is', () => {
  const settings = readFileSync(join(scripts, '..', '.npmrc'), 'utf8').split('\n');
  expect(settings).toContain('ignore-scripts=true');
});
