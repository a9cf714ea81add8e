// `npm test [jest arguments]`: installs and builds what is stale, fetches the servers that the tests
// need, and runs jest: the tests without servers on all cores, unless npm run verify has just passed
// them, and those with servers as test-plan.mjs says: two files at a time, one that needs the machine
// to itself, and three where files wait most of the time. What failed is told once more at the end.
// Arguments narrow it to one run of jest.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { packageFile, runNode } from './run-step.mjs';
import { PLAN } from './test-plan.mjs';
import { haveUnitTestsPassed } from './unit-stamp.mjs';

await ensureInstalled();
await ensureBuilt();

const fetched = await runNode([join(root, 'dist', 'embedded', 'fetch-servers.js')]);
if (fetched !== 0) process.exit(fetched);

const jest = packageFile('jest', 'bin', 'jest.js');
/** A suite that broke off half-way may leave a connection open; its failure is told all the same. */
const SERVERS = ['--selectProjects', 'servers', '--forceExit'];
const LONGEST_FIRST = ['--testSequencer', join(root, 'test', 'support', 'longest-first.cjs')];
const given = process.argv.slice(2);
const isVerified = haveUnitTestsPassed();
if (given.length === 0 && isVerified)
  console.log('The tests without servers have passed in npm run verify, on the same commit.');
const runs =
  given.length > 0
    ? [['--runInBand', ...given]]
    : [
        ...(isVerified ? [] : [['--selectProjects', 'unit', '--maxWorkers=2']]),
        [...PLAN.withDatabase, ...SERVERS, ...LONGEST_FIRST, '--maxWorkers=2'],
        [...PLAN.others, ...SERVERS, ...LONGEST_FIRST, '--maxWorkers=3'],
        [...PLAN.alone, ...SERVERS, '--runInBand'],
        [...PLAN.withBrowser, ...SERVERS, ...LONGEST_FIRST, '--maxWorkers=2'],
        [...PLAN.withService, ...SERVERS, ...LONGEST_FIRST, '--maxWorkers=3'],
      ];
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-tests-'));
process.env.KEEPWATCH_TEST_FAILURES = join(folder, 'failures');
writeFileSync(process.env.KEEPWATCH_TEST_FAILURES, '');
const TOLD_LAST = ['--reporters', 'default', join(root, 'test', 'support', 'failures-last.cjs')];
let failed = 0;
for (const run of runs) {
  if ((await runNode([jest, ...run, ...TOLD_LAST])) !== 0) failed += 1;
}
if (failed > 0)
  console.error(`\nWhat failed:\n${readFileSync(process.env.KEEPWATCH_TEST_FAILURES, 'utf8')}`);
rmSync(folder, { recursive: true });
process.exit(failed === 0 ? 0 : 1);
