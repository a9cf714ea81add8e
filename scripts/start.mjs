// `npm start`: installs and builds what is stale, then becomes all-in-one in this same process, so
// that signals and the exit code need no passing on.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

const PARENT_CHECK_MS = 500;

await ensureInstalled();
await ensureBuilt();

// npm runs this through a shell that may die of a signal without passing it on. A parent that is
// gone therefore counts as SIGTERM, when npm is what started us.
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}

await import(pathToFileURL(join(root, 'dist', 'main', 'all-in-one.js')).href);
