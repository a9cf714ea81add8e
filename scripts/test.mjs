// `npm test [jest arguments]`: installs and builds what is stale, fetches the servers that the tests
// need, and runs jest on all tests, one file at a time: those with real servers need the machine.
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { packageFile, runNode } from './run-step.mjs';

await ensureInstalled();
await ensureBuilt();

const fetched = await runNode([join(root, 'dist', 'embedded', 'fetch-servers.js')]);
if (fetched !== 0) process.exit(fetched);

const jest = packageFile('jest', 'bin', 'jest.js');
process.exit(await runNode([jest, '--runInBand', ...process.argv.slice(2)]));
