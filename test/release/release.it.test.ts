/** Tests the release script, in a small repository with stand-ins for checks and build. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '../../src/embedded/run-command';
import { WAIT_LIMIT_MS } from '../support/wait-until';

const root = join(__dirname, '..', '..');
const MAKE_PACKAGE = `import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist/cli-package/dist/cli', { recursive: true });
cpSync('package.json', 'dist/cli-package/package.json');
writeFileSync('dist/cli-package/dist/cli/main.js', '');
`;
const SURFACE = `import { readFileSync, writeFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync('test/surface/released.json', version);
writeFileSync('test/surface/accepted.json', '[]');
`;
const CHART = 'apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n';
const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something.\n\n## [0.1.0] - 2026-01-01\n';

let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-release-'));
  for (const name of ['release.mjs', 'install.mjs', 'run-step.mjs'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  const packageFile = { name: 'keepwatch', version: '0.1.0', files: ['dist'] };
  const packages = { '': { version: '0.1.0' }, 'node_modules/other': { version: '0.1.0' } };
  write('package.json', `${JSON.stringify(packageFile, null, 2)}\n`);
  write('package-lock.json', `${JSON.stringify({ version: '0.1.0', packages }, null, 2)}\n`);
  write('CHANGELOG.md', CHANGELOG);
  write('docker-compose.prod.yml', 'image: ${KEEPWATCH_IMAGE:-keepwatch/keepwatch:0.1.0}\n');
  write('Dockerfile', 'FROM scratch\nARG VERSION=0.1.0\n');
  write('deploy/helm/keepwatch/Chart.yaml', CHART);
  write('.gitignore', 'dist/\n*.tgz\n');
  write('scripts/verify.mjs', '');
  write('scripts/surface.mjs', SURFACE);
  write('test/surface/released.json', '0.1.0');
  write('test/surface/accepted.json', '[1]');
  write('scripts/cli-package.mjs', MAKE_PACKAGE);
  await git('init', '--quiet');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@example.com');
  await commit();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

async function git(...args: readonly string[]): Promise<string> {
  const options = { environment: process.env, timeoutMs: WAIT_LIMIT_MS };
  const { code, stdout, stderr } = await runCommand('git', ['-C', folder, ...args], options);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'A change');
}

function release(...args: readonly string[]) {
  const script = join(folder, 'scripts', 'release.mjs');
  const options = { environment: process.env, timeoutMs: WAIT_LIMIT_MS };
  return runCommand(process.execPath, [script, ...args], options);
}

async function isUntouched(): Promise<boolean> {
  const changes = await git('status', '--porcelain');
  const subject = await git('log', '-1', '--format=%s');
  const tags = await git('tag');
  return (
    changes === '' && subject === 'A change' && tags === '' && read('CHANGELOG.md') === CHANGELOG
  );
}

test('a release is a version, a changelog, a package, a commit and a tag, and nothing is pushed', async () => {
  const { code, stdout } = await release('0.2.0');
  expect(code).toBe(0);
  expect(JSON.parse(read('package.json')).version).toBe('0.2.0');
  expect(JSON.parse(read('package-lock.json'))).toEqual({
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, 'node_modules/other': { version: '0.1.0' } },
  });
  expect(read('CHANGELOG.md')).toMatch(
    /## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- Something\./,
  );
  expect(read('test/surface/released.json')).toBe('0.2.0');
  expect(read('test/surface/accepted.json')).toBe('[]');
  expect(read('docker-compose.prod.yml')).toContain('keepwatch/keepwatch:0.2.0}');
  expect(read('Dockerfile')).toContain('ARG VERSION=0.2.0\n');
  expect(read('deploy/helm/keepwatch/Chart.yaml')).toBe(CHART.replaceAll('0.1.0', '0.2.0'));
  expect(existsSync(join(folder, 'keepwatch-0.2.0.tgz'))).toBe(true);
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('log', '-1', '--format=%s', 'v0.2.0')).toBe('Release 0.2.0');
  expect(stdout).toContain('git push origin HEAD v0.2.0');
});

test('a dry run of a release shows the plan and changes nothing', async () => {
  const { code, stdout } = await release('0.2.0', '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('keepwatch-0.2.0.tgz');
  expect(await isUntouched()).toBe(true);
  expect(existsSync(join(folder, 'keepwatch-0.2.0.tgz'))).toBe(false);
});

test('a release that cannot start names all obstacles at once', async () => {
  await git('tag', 'v0.0.9');
  write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n');
  const { code, stderr } = await release('0.0.9');
  expect(code).toBe(1);
  for (const part of [
    'lower than 0.1.0',
    'tag v0.0.9',
    'uncommitted changes',
    'under [Unreleased]',
  ])
    expect(stderr).toContain(part);
  expect((await release('v1')).stderr).toContain('Usage');
});

test.each([
  ['checks that fail', 'scripts/verify.mjs', 'process.exit(1);'],
  ['a surface that cannot be recorded', 'scripts/surface.mjs', 'process.exit(1);'],
  ['a package that cannot be made', 'scripts/cli-package.mjs', 'process.exit(1);'],
  [
    'a package without the command line',
    'scripts/cli-package.mjs',
    MAKE_PACKAGE.replace('cli/main.js', 'other.js').replace("dist/cli'", "dist'"),
  ],
])('a release with %s fails and changes nothing', async (_what, file, text) => {
  write(file, text);
  await commit();
  expect((await release('0.2.0')).code).toBe(1);
  expect(await isUntouched()).toBe(true);
});
