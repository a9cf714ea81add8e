// `npm test [jest arguments]`: installs and builds what is stale, fetches the servers that the tests
// need, and runs jest: first the tests without servers on all cores, then those with real servers one
// file at a time, then those with a whole service three at a time, since they wait most of the time.
// Arguments narrow it to one run of jest.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { packageFile, runNode } from './run-step.mjs';

await ensureInstalled();
await ensureBuilt();

const fetched = await runNode([join(root, 'dist', 'embedded', 'fetch-servers.js')]);
if (fetched !== 0) process.exit(fetched);

const jest = packageFile('jest', 'bin', 'jest.js');
/** Folders of test whose files start a service of their own. */
const WHOLE_SERVICE = ['cli', 'dashboard', 'demo', 'e2e'];
/** What needs the machine to itself. */
const ALONE = [join('test', 'e2e', 'steady-checks.it.test.ts')];
const alone = readdirSync(join(root, 'test'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !WHOLE_SERVICE.includes(entry.name))
  .map(({ name }) => join('test', name, '/'));
const together = WHOLE_SERVICE.flatMap((folder) =>
  readdirSync(join(root, 'test', folder))
    .filter((name) => name.endsWith('.it.test.ts'))
    .map((name) => join('test', folder, name)),
).filter((file) => !ALONE.includes(file));
const given = process.argv.slice(2);
const runs =
  given.length > 0
    ? [['--runInBand', ...given]]
    : [
        ['--selectProjects', 'unit'],
        // A suite that broke off half-way may leave a connection open; its failure is told all the same.
        [...alone, ...ALONE, '--selectProjects', 'servers', '--runInBand', '--forceExit'],
        [...together, '--selectProjects', 'servers', '--maxWorkers=3', '--forceExit'],
      ];
let failed = 0;
for (const run of runs) {
  if ((await runNode([jest, ...run])) !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
