// `npm run doctor`: builds what is out of date, then runs the doctor. The doctor runs in the same process, so arguments
// and the exit code need no forwarding.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(join(root, 'dist', 'main', 'doctor.js')).href);
