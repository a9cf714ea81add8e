// `npm run doctor`: builds what is stale, then runs the doctor in this same process, so that arguments and the exit
// code need not be forwarded.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(join(root, 'dist', 'main', 'doctor.js')).href);
