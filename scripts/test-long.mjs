// `npm run test:long [-- jest arguments]`: runs every test in its long form, with more kills, more random runs, larger
// counts, and all pages in all variants. Includes tests that are too long for CI. Prints the seed of the run; set
// KEEPWATCH_TEST_SEED to repeat it. Does not run failed files a second time, and ignores the quarantine.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { runNode } from './run-step.mjs';
import { runJest } from './testing/jest-run.mjs';
import { minutes, mostExpensiveFiles, startsLine } from './testing/summary.mjs';

const SEED_MAX = 2 ** 31;
const given = process.argv.slice(2);
const seed = process.env.KEEPWATCH_TEST_SEED ?? String(randomInt(SEED_MAX));

await ensureInstalled();
await ensureBuilt();
const fetched = await runNode([join(root, 'dist', 'embedded', 'fetch-servers.js')]);
if (fetched !== 0) process.exit(fetched);

const { minutes: estimate } = JSON.parse(
  readFileSync(join(root, 'test', 'long-form.json'), 'utf8'),
);
if (given.length === 0) console.log(`The long form takes about ${estimate} minutes on two cores.`);
console.log(`KEEPWATCH_TEST_SEED=${seed} repeats this run.`);

const run = await runJest(['--maxWorkers=2', ...given], {
  KEEPWATCH_TEST_LONG: 'on',
  KEEPWATCH_TEST_SEED: seed,
});
const mutations =
  given.length > 0 ? 0 : await runNode([join(root, 'scripts', 'test-mutations.mjs')]);

console.log(`\n${mostExpensiveFiles(run.costs).join('\n')}\n\n${startsLine(run.starts)}`);
for (const { file, test, message } of run.failures)
  console.log(`FAILED ${file}: ${test}\n${message}\n`);
console.log(
  `The long form took ${minutes(run.elapsedMs)}; KEEPWATCH_TEST_SEED=${seed} repeats it.`,
);
process.exit(run.code === 0 && mutations === 0 ? 0 : 1);
