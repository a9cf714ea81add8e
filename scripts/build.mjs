// Builds `dist` when a source file or a package has changed since the last build: the compiled
// programs and the workflow bundle. Types are checked by `npm run verify`, not here. Run it directly
// or through ensureBuilt.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { ensureInstalled, root } from './install.mjs';
import { captureNode, packageFile } from './run-step.mjs';

const dist = join(root, 'dist');
const stampFile = join(dist, '.build-stamp');
const bundleFile = join(dist, 'workflow-bundle.js');
const lockFile = join(dist, '.building');
const LOCK_POLL_MS = 200;
const dashboardSource = join(root, 'src', 'dashboard');
const dashboardStampFile = join(dist, 'dashboard', '.build-stamp');
const WORTH_COMPRESSING_BYTES = 1_024;
/** Folders inside `dist` that the compiler of `src` does not fill. */
const OTHER_OUTPUT = ['bench', 'cli-package', 'client', 'dashboard'];

function listFiles(folder, extension) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Returns a hash of everything that a build depends on. */
function computeHash(files) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of [fileURLToPath(import.meta.url), join(root, 'package-lock.json'), ...files]) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** The programs and the dashboard are built separately, so that changing one does not rebuild the other. */
function computeStamps() {
  const shared = ['schemas', 'domain', 'contracts', 'kinds'].map((folder) =>
    join(root, 'src', folder),
  );
  return {
    programs: computeHash(programFiles()),
    dashboard: computeHash([
      ...listFiles(dashboardSource, ''),
      ...shared.flatMap((folder) => listFiles(folder, '.ts')),
    ]),
  };
}

/** Lists the source files that the compiler turns into programs. */
function programFiles() {
  return listFiles(join(root, 'src'), '.ts').filter(
    (file) => !file.startsWith(dashboardSource + sep),
  );
}

function holds(file, stamp) {
  return existsSync(file) && readFileSync(file, 'utf8') === stamp;
}

function isFresh({ programs, dashboard }) {
  return (
    holds(stampFile, programs) && existsSync(bundleFile) && holds(dashboardStampFile, dashboard)
  );
}

/** Removes compiled files whose source file was deleted, so that stale code never runs. */
function removeOrphans() {
  for (const file of listFiles(dist, '.js')) {
    if (file === bundleFile || OTHER_OUTPUT.includes(relative(dist, file).split(sep)[0])) continue;
    const source = join(root, 'src', relative(dist, file).replace(/\.js$/, '.ts'));
    if (existsSync(source)) continue;
    rmSync(file);
    rmSync(`${file}.map`, { force: true });
  }
}

/** Options of the compiler. It compiles one file at a time, and tests run the compiled files. */
const COMPILER = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
};

async function compileFile(transformFile, file) {
  const output = join(dist, relative(join(root, 'src'), file).replace(/\.ts$/, '.js'));
  const { code, map } = await transformFile(file, {
    ...COMPILER,
    sourceFileName: relative(dirname(output), file),
  });
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  writeFileSync(`${output}.map`, map);
}

async function compile() {
  const { transformFile } = await import('@swc/core');
  try {
    await Promise.all(programFiles().map((file) => compileFile(transformFile, file)));
  } catch (error) {
    console.error(`${error.message}\nThe build failed: a source file cannot be read.`);
    process.exit(1);
  }
}

async function runStep(what, args, environment) {
  const { code, output } = await captureNode(args, environment);
  if (code === 0) return;
  console.error(`${output}\nThe build failed: ${what}.`);
  process.exit(1);
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until no other process builds here. Removes the lock if its process was killed. */
async function lockBuild() {
  mkdirSync(dist, { recursive: true });
  for (let isFirst = true; ; isFirst = false) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      process.once('exit', () => rmSync(lockFile, { force: true }));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = Number(existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : 0);
    if (holder !== 0 && !isRunning(holder)) rmSync(lockFile, { force: true });
    if (isFirst) console.log('Another process is building; waiting for it.');
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

/** Brings `dist` up to date, or ends the process with the compiler's errors. */
export async function ensureBuilt() {
  if (isFresh(computeStamps())) return;
  await withLock(build);
}

/** Builds only the dashboard. */
export async function ensureDashboardBuilt() {
  if (holds(dashboardStampFile, computeStamps().dashboard)) return;
  await withLock(() => buildDashboard(computeStamps().dashboard));
}

async function withLock(work) {
  await lockBuild();
  try {
    await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

async function build() {
  const stamps = computeStamps();
  if (isFresh(stamps)) return;
  const startedAt = Date.now();
  const reason = existsSync(stampFile)
    ? 'the sources have changed since the last build'
    : 'there is no finished build yet';
  console.log(`Building, because ${reason}.`);
  await Promise.all([buildPrograms(stamps.programs), buildDashboard(stamps.dashboard)]);
  console.log(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

async function buildPrograms(stamp) {
  if (holds(stampFile, stamp) && existsSync(bundleFile)) return;
  rmSync(stampFile, { force: true });
  removeOrphans();
  await compile();
  const bundler = join(dist, 'temporal', 'build-workflow-bundle.js');
  await runStep('the workflow bundle', [bundler, bundleFile]);
  writeFileSync(stampFile, stamp);
}

async function buildDashboard(stamp) {
  if (holds(dashboardStampFile, stamp)) return;
  const vite = packageFile('vite', 'bin', 'vite.js');
  const config = join(dashboardSource, 'vite.config.mts');
  // The environment is fixed. Tests start builds with their own environment, which must not change the pages.
  const environment = { NODE_ENV: 'production' };
  const args = [vite, 'build', '--config', config, '--logLevel', 'error'];
  await runStep('the dashboard', args, environment);
  await Promise.all(listFiles(join(dist, 'dashboard', 'assets'), '').map(compressFile));
  writeFileSync(dashboardStampFile, stamp);
}

/** Writes a compressed copy next to the file, for browsers that accept it (src/api/pages/dashboard-files.ts). */
async function compressFile(file) {
  if (!/\.(?:js|css|svg)$/.test(file)) return;
  const content = readFileSync(file);
  if (content.length >= WORTH_COMPRESSING_BYTES)
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(content));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureInstalled();
  await ensureBuilt();
}
