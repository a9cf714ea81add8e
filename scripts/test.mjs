// `npm test [jest arguments]`: installs and builds what is out of date, downloads the servers that the tests need, and
// runs all tests in their CI form.
//
// The unit tests come first; they are skipped if `npm run verify` has just passed them. The workflow tests and all
// tests on real servers follow, six files at a time, because many files spend their time waiting. A browser or
// whole-service file that fails runs once more, alone.
//
// The summary lists the most expensive files, each stage, the CPU budget and all failures. Arguments select tests for a
// single run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { runNode } from './run-step.mjs';
import { cpuSeconds, measureLoopMs } from './testing/cpu.mjs';
import { runJest } from './testing/jest-run.mjs';
import {
  costsByGroup,
  judgeBudget,
  mostExpensiveFiles,
  stageTable,
  startsLine,
} from './testing/summary.mjs';
import { saveFlaky, saveTimes } from './testing/times.mjs';
import { findUnitPass } from './testing/tree-state.mjs';
import { FLAKY_MAX, filesToRunAgain, judge } from './testing/verdict.mjs';

const UNIT = ['--selectProjects', 'unit', '--maxWorkers=2'];
const WORKFLOWS = ['--selectProjects', 'workflows'];
const SERVERS = ['--selectProjects', 'servers'];
const readJson = (...parts) => JSON.parse(readFileSync(join(root, ...parts), 'utf8'));

const given = process.argv.slice(2);
const stages = [];

async function timed(name, work) {
  const before = { atMs: performance.now(), cpu: cpuSeconds() };
  const value = await work();
  const elapsedMs = performance.now() - before.atMs;
  stages.push({ name, elapsedMs, cpu: cpuSeconds() - before.cpu });
  return value;
}

async function prepare() {
  await ensureInstalled();
  await ensureBuilt();
  const fetched = await runNode([join(root, 'dist', 'embedded', 'fetch-servers.js')]);
  if (fetched !== 0) process.exit(fetched);
}

await timed('packages, build, servers', prepare);

if (given.length > 0) {
  const { code } = await runJest([
    '--selectProjects',
    'unit',
    'workflows',
    'servers',
    '--runInBand',
    ...given,
  ]);
  process.exit(code);
}

const loopMs = measureLoopMs();
const runs = [];
const unitPass = findUnitPass();
if (unitPass !== null) {
  console.log('The unit tests have passed in npm run verify, on the same files.');
  stages.push({ name: 'unit tests, in verify', elapsedMs: 0, cpu: unitPass.cpu });
} else runs.push(await timed('unit tests', () => runJest(UNIT)));
// Workflow tests run in their own workers. A test with servers may leave work behind, such as a connection that is
// retried. That work would run in the virtual time of a workflow test.
runs.push(await timed('workflows', () => runJest([...WORKFLOWS, '--maxWorkers=3'])));
runs.push(await timed('servers', () => runJest([...SERVERS, '--maxWorkers=6'])));

const quarantine = readJson('test', 'quarantine.json');
const failures = runs.flatMap((run) => run.failures);
/** True if jest failed as a whole, for example because a server did not start. */
const hasBroken = runs.some((run) => run.code !== 0 && run.failures.length === 0);
const again = hasBroken ? [] : filesToRunAgain(failures, quarantine);
let second = null;
if (again.length > 0) {
  console.log(`\nSecond run, alone: ${again.join(', ')}.`);
  const args = [...SERVERS, '--runInBand', '--runTestsByPath', ...again];
  const run = await timed('second run', () => runJest(args));
  second = run.code !== 0 && run.failures.length === 0 ? failures : run.failures;
}

const costs = runs.flatMap((run) => run.costs);
const budget = readJson('test', 'budget.json');
const spent = runs.reduce((sum, run) => sum + run.cpu, unitPass?.cpu ?? 0);
const kept = judgeBudget(budget, spent, loopMs);
const { hasPassed, lines } = judge(failures, second, quarantine);
saveTimes(costs);
saveFlaky(lines);

const print = (part) => console.log(`\n${part.join('\n')}`);
print(['The twenty most expensive files:', ...mostExpensiveFiles(costs)]);
print([...costsByGroup(costs), startsLine(runs.flatMap((run) => run.starts))]);
print(stageTable(stages));
print([kept.line]);
if (!kept.isKept)
  console.error(
    'The tests cost more than their budget (test/budget.json). Make a test cheaper, or move it to the long form.',
  );
if (failures.length > 0) {
  const details = [...failures, ...(second ?? [])];
  print(details.map(({ file, test, message }) => `${file}: ${test}\n${message}\n`));
  console.log(
    `At most ${FLAKY_MAX} browser or whole-service files get a second run; see docs/testing.md.`,
  );
}
if (hasBroken) console.error('Jest itself failed; its message is above.');
for (const line of lines) console.log(line);
process.exit(hasPassed && !hasBroken && kept.isKept ? 0 : 1);
