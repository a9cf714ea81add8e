// `npm start`: installs and builds what is out of date, then runs all-in-one. The service runs in the same process, so
// signals and the exit code need no forwarding.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { ensureInstalled, root } from './install.mjs';

endWithNpm();
await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(join(root, 'dist', 'main', 'all-in-one.js')).href);
