// `npm test [jest arguments]`: installs and builds what is stale, fetches the servers that the tests
// need, and runs jest: first the tests without servers on all cores, then those with real servers
// one file at a time, since they need the machine. Arguments narrow it to one run of jest.
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { packageFile, runNode } from './run-step.mjs';

await ensureInstalled();
await ensureBuilt();

const fetched = await runNode([join(root, 'dist', 'embedded', 'fetch-servers.js')]);
if (fetched !== 0) process.exit(fetched);

const jest = packageFile('jest', 'bin', 'jest.js');
const given = process.argv.slice(2);
const runs =
  given.length > 0
    ? [['--runInBand', ...given]]
    : [
        ['--selectProjects', 'unit'],
        // A suite that broke off half-way may leave a connection open; its failure is told all the same.
        ['--selectProjects', 'servers', '--runInBand', '--forceExit'],
      ];
let failed = 0;
for (const run of runs) {
  if ((await runNode([jest, ...run])) !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
