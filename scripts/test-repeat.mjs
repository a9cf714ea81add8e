// `npm run test:repeat -- FILE… [--times N] [--stress] [-t NAME]`: runs test files repeatedly to find tests that fail
// by chance. Each run uses a new jest process. `--stress` keeps every core busy during the runs. Lists the failed runs,
// and exits with code 1 if there are any.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { runNode } from './run-step.mjs';
import { runJest } from './testing/jest-run.mjs';
import { minutes } from './testing/summary.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '10' },
    stress: { type: 'boolean', default: false },
    testNamePattern: { type: 'string', short: 't' },
  },
});
const times = Number(values.times);
if (positionals.length === 0 || !Number.isInteger(times) || times < 1) {
  console.error('Usage: npm run test:repeat -- FILE… [--times N] [--stress] [-t NAME]');
  process.exit(2);
}

await ensureInstalled();
await ensureBuilt();
const fetched = await runNode([join(root, 'dist', 'embedded', 'fetch-servers.js')]);
if (fetched !== 0) process.exit(fetched);

const loops = values.stress
  ? Array.from({ length: availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    )
  : [];
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});

const args = ['--runInBand', '--runTestsByPath', ...positionals];
if (values.testNamePattern !== undefined) args.push('-t', values.testNamePattern);
const failed = [];
for (let round = 1; round <= times; round += 1) {
  const run = await runJest(args);
  if (run.code !== 0) failed.push({ round, failures: run.failures });
  const verdict = run.code === 0 ? 'passed' : 'FAILED';
  console.log(
    `\nRound ${round} of ${times} ${verdict} in ${minutes(run.elapsedMs)}; ${failed.length} failed so far.\n`,
  );
}
for (const { round, failures } of failed)
  for (const { file, test, message } of failures)
    console.log(`Round ${round}: ${file}: ${test}\n${message}\n`);
console.log(`${times - failed.length} of ${times} rounds passed.`);
process.exit(failed.length === 0 ? 0 : 1);
