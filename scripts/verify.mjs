// `npm run verify`: everything that can be checked without a server, in about a minute. Prints one
// line per step, and the whole output of those that failed.
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { captureNode, packageFile } from './run-step.mjs';
import { noteUnitTestsPassed } from './unit-stamp.mjs';

const AT_ONCE = 2;
/** The compiler that checks types works out the same types once per thread: with one it computes half as much. */
const ONE_THREAD = { GOMAXPROCS: '1', GOGC: '200' };

await ensureInstalled();

const compiler = [packageFile('typescript', 'bin', 'tsc'), '--checkers', '1'];
/** Name of the step → the program and its arguments; the longest come first. */
const steps = [
  [
    'unit tests',
    [
      packageFile('jest', 'bin', 'jest.js'),
      '--selectProjects',
      'unit',
      '--silent',
      '--maxWorkers=2',
    ],
  ],
  ['types', [...compiler, '-p', 'tsconfig.json']],
  ['page types', [...compiler, '-p', join('src', 'dashboard', 'tsconfig.json')]],
  ['lint', [packageFile('oxlint', 'bin', 'oxlint'), '--type-aware']],
  ['format', [packageFile('@biomejs', 'biome', 'bin', 'biome'), 'check', '.']],
  [
    'import rules',
    [
      packageFile('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
      'src',
      '--config',
      join(root, '.dependency-cruiser.cjs'),
    ],
  ],
  ['page size', [join('scripts', 'page-size.mjs')]],
  ['dead code', [packageFile('knip', 'bin', 'knip.js')]],
];

const startedAt = Date.now();
const failures = [];
const waiting = [...steps];

async function work() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [name, args] = step;
    const { code, output, seconds } = await captureNode(args, ONE_THREAD);
    const verdict = code === 0 ? 'ok' : 'FAILED';
    console.log(`${name.padEnd(14)}${verdict.padEnd(8)}${seconds.toFixed(1).padStart(6)} s`);
    if (code !== 0) failures.push({ name, output });
    else if (name === 'unit tests') noteUnitTestsPassed();
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
for (const { name, output } of failures) console.log(`\n--- ${name} ---\n${output.trimEnd()}`);
const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
console.log(
  failures.length === 0
    ? `\nAll ${steps.length} steps passed in ${seconds} s.`
    : `\n${failures.length} of ${steps.length} steps failed in ${seconds} s.`,
);
process.exit(failures.length === 0 ? 0 : 1);
