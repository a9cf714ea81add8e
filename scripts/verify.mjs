// `npm run verify [-- --all]`: checks everything that needs no server. A step is skipped if no file that the step reads
// has changed since the step last passed here. Steps that support it check only the changed files. A clean clone, CI
// and `--all` check everything. The script prints one line per step, and the whole output of failed steps.
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { measureNode, packageFile } from './run-step.mjs';
import { isUnitTest, readsTheTree } from './testing/tree-readers.mjs';
import {
  changedPaths,
  notePassed,
  readLastPass,
  readTree,
  UNIT_TESTS,
} from './testing/tree-state.mjs';

const AT_ONCE = 2;
/** Environment of the type checker. It computes the same types once per thread, so a single thread halves the work. */
const ONE_THREAD = { GOMAXPROCS: '1', GOGC: '200' };
/** If more files than this have changed, a step checks everything. */
const FEW = 150;

await ensureInstalled();

const isCode = (path) => /\.(ts|tsx|mts|cts|mjs|cjs|js)$/.test(path);
/** Settings of the tools: changing them may change the result for any file. */
const SETTINGS =
  /^(package(-lock)?\.json|tsconfig\.json|src\/dashboard\/tsconfig\.json|jest\.config\.cjs|biome\.json|\.oxlintrc\.json|\.dependency-cruiser\.cjs|knip\.json|scripts\/(verify|testing\/tree-readers)\.mjs)$/;

const compiler = [packageFile('typescript', 'bin', 'tsc'), '--checkers', '1'];
const biome = [
  packageFile('@biomejs', 'biome', 'bin', 'biome'),
  'check',
  '--no-errors-on-unmatched',
];
const oxlint = [
  packageFile('oxlint', 'bin', 'oxlint'),
  '--type-aware',
  '--no-error-on-unmatched-pattern',
];
const jest = [
  packageFile('jest', 'bin', 'jest.js'),
  '--selectProjects',
  'unit',
  '--silent',
  '--maxWorkers=2',
];

/** Returns the unit tests that a change can affect. */
function relatedTests(changed, tree) {
  const reading = Object.keys(tree).filter((path) => isUnitTest(path) && readsTheTree(path));
  return [
    ...jest,
    '--passWithNoTests',
    '--findRelatedTests',
    ...changed.filter((path) => path in tree),
    ...reading,
  ];
}

const existing = (changed, tree) => changed.filter((path) => path in tree);

/**
 * The longest steps come first. `reads` matches the files on which the result depends. `all` is the command that checks
 * everything. `some` is the command that checks only the changed files, if the tool supports this.
 */
const STEPS = [
  {
    name: UNIT_TESTS,
    reads: () => true,
    all: jest,
    some: relatedTests,
  },
  {
    name: 'lint',
    reads: isCode,
    all: oxlint,
    some: (changed, tree) => [...oxlint, ...existing(changed, tree)],
  },
  { name: 'types', reads: isCode, all: [...compiler, '-p', 'tsconfig.json'] },
  {
    name: 'page types',
    reads: (path) => isCode(path) && path.startsWith('src/'),
    all: [...compiler, '-p', join('src', 'dashboard', 'tsconfig.json')],
  },
  {
    name: 'format',
    reads: () => true,
    all: [...biome, '.'],
    some: (changed, tree) => [...biome, ...existing(changed, tree)],
  },
  {
    name: 'dead code',
    reads: (path) => isCode(path) || path.endsWith('package.json'),
    all: [packageFile('knip', 'bin', 'knip.js')],
  },
  {
    name: 'import rules',
    reads: (path) => isCode(path) && path.startsWith('src/'),
    all: [
      packageFile('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
      'src',
      '--config',
      join(root, '.dependency-cruiser.cjs'),
    ],
  },
  {
    name: 'page size',
    reads: (path) =>
      /^src\/(dashboard|schemas|domain|contracts|kinds)\//.test(path) ||
      path === 'scripts/page-size.mjs',
    all: [join('scripts', 'page-size.mjs')],
  },
];

const startedAt = Date.now();
const isWhole = process.argv.includes('--all') || process.env.CI === 'true';
const tree = readTree();
const failures = [];
const waiting = [...STEPS];

/** Returns the command of a step, or null if no file that the step reads has changed. */
function planStep({ name, reads, all, some }) {
  const before = isWhole || tree === null ? null : (readLastPass(name)?.tree ?? null);
  if (before === null) return all;
  const changed = changedPaths(before, tree).filter((path) => reads(path) || SETTINGS.test(path));
  if (changed.length === 0) return null;
  const isBroad = changed.length > FEW || changed.some((path) => SETTINGS.test(path));
  return some === undefined || isBroad ? all : some(changed, tree);
}

async function work() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const { name } = step;
    const args = planStep(step);
    if (args === null) {
      console.log(`${name.padEnd(14)}unchanged`);
      continue;
    }
    const isAll = args === step.all;
    const { code, output, seconds, cpu } = await measureNode(args, ONE_THREAD);
    const scope = isAll ? '' : '  (what changed)';
    console.log(
      `${name.padEnd(14)}${(code === 0 ? 'ok' : 'FAILED').padEnd(8)}${seconds.toFixed(1).padStart(6)} s${scope}`,
    );
    if (code !== 0) failures.push({ name, output });
    else if (tree !== null) notePassed(name, { tree, cpu: isAll ? cpu : readLastPass(name)?.cpu });
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
for (const { name, output } of failures) console.log(`\n--- ${name} ---\n${output.trimEnd()}`);
const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
console.log(
  failures.length === 0
    ? `\nAll ${STEPS.length} steps passed in ${seconds} s.`
    : `\n${failures.length} of ${STEPS.length} steps failed in ${seconds} s.`,
);
process.exit(failures.length === 0 ? 0 : 1);
