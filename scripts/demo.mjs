// `npm run demo`: installs and builds what is out of date, then runs the demo. The demo runs in the same process, so
// signals, arguments and the exit code need no forwarding.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { ensureInstalled, root } from './install.mjs';

await ensureInstalled();
await ensureBuilt();
endWithNpm();
await import(pathToFileURL(join(root, 'dist', 'main', 'demo.js')).href);
