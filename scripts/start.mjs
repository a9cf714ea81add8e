// `npm start`: installs and builds what is stale, then runs all-in-one in this same process, so that signals and the
// exit code need not be forwarded.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { ensureInstalled, root } from './install.mjs';

endWithNpm();
await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(join(root, 'dist', 'main', 'all-in-one.js')).href);
