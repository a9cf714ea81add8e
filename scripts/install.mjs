// Installs the packages of package-lock.json if a package is missing or has another version. It needs only Node,
// because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const NODE_MIN = [20, 19];
const PROGRESS_EVERY_MS = 2_000;

/** Ends the process with one sentence when Node is too old. */
function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [minMajor, minMinor] = NODE_MIN;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return;
  console.error(
    `Keepwatch needs Node ${NODE_MIN.join('.')} or newer; this is ${process.versions.node}.`,
  );
  process.exit(1);
}

function readLock(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

/** Returns why packages must be installed, or undefined if the installed packages match the lock file. */
function reasonToInstall() {
  const wanted = readLock(join(root, 'package-lock.json'));
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return 'the packages are not installed yet';
  for (const [path, { version, optional, link }] of Object.entries(wanted)) {
    if (path === '' || optional || link) continue;
    if (installed[path] === undefined) return `${path} is missing`;
    if (installed[path].version !== version) return `${path} has changed to ${version}`;
  }
  return undefined;
}

/** Ends the process if node_modules is a link: npm would empty a folder that other checkouts use, too. */
function requireOwnFolder(reason) {
  const folder = join(root, 'node_modules');
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  console.error(
    `Packages must be installed, because ${reason}, but node_modules is a link to ${readlinkSync(folder)}. ` +
      'Install them there, or remove the link.',
  );
  process.exit(1);
}

/** Returns how many of the locked packages are on the disk. */
function countInstalled(paths) {
  return paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
}

function runNpmCi() {
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  return new Promise((resolve) => {
    const child = spawn(command, [...first, 'ci', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32' && command === 'npm',
    });
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Ensures that exactly the locked packages are installed, or ends the process with one sentence. */
export async function ensureInstalled() {
  requireNode();
  const reason = reasonToInstall();
  if (reason === undefined) return;
  requireOwnFolder(reason);
  const startedAt = Date.now();
  console.log(`Installing packages (npm ci), because ${reason}.`);
  const paths = Object.entries(readLock(join(root, 'package-lock.json')))
    .filter(([path, { optional }]) => path !== '' && !optional)
    .map(([path]) => path);
  let shown = -1;
  const timer = setInterval(() => {
    const done = countInstalled(paths);
    if (done !== shown) console.log(`  ${done} of ${paths.length} packages unpacked`);
    shown = done;
  }, PROGRESS_EVERY_MS);
  const code = await runNpmCi();
  clearInterval(timer);
  if (code !== 0) {
    console.error(`The packages could not be installed: npm ci ended with code ${code}.`);
    process.exit(1);
  }
  console.log(`Packages installed in ${((Date.now() - startedAt) / 1000).toFixed(0)} s.`);
}
