// `npm run test:mutations [-- --sample 200] [--only src/domain/health/tries.ts]`: makes single changes to the rules of
// health, alerts and heartbeats, and expects a unit test to fail for each change. Prints the changes that no test
// notices. Fails if the share of noticed changes in a folder is below its minimum. KEEPWATCH_TEST_SEED repeats a
// sample.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled, root } from './install.mjs';
import { packageFile } from './run-step.mjs';

const FOLDERS = ['src/domain/health', 'src/domain/alerting', 'src/domain/heartbeats'];
const KILLED_MIN = 0.85;
const HANGS_AFTER_MS = 300_000;
const REPORT_EVERY_MS = 30_000;
/** Mutants per jest process, because jest's memory grows with each test file. */
const BATCH = 60;
const HEAP_MB_MAX = 3_072;

await ensureInstalled();
const { IDS_PER_FILE, mutate } = createRequire(import.meta.url)('./testing/mutations/mutate.cjs');
const { values } = parseArgs({
  options: { sample: { type: 'string' }, only: { type: 'string' } },
});

const read = (file) => readFileSync(join(root, file), 'utf8');
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);

const sources = FOLDERS.flatMap(filesIn).filter((file) => file.startsWith(values.only ?? ''));
const IMPORT = /from '(?:\.\.\/)+(src\/domain\/(?:health|alerting|heartbeats)\/[^']+)'/g;
const tests = filesIn('test').filter(
  (file) =>
    file.endsWith('.test.ts') &&
    !/\.(?:it|long)\.test\.ts$/.test(file) &&
    [...read(file).matchAll(IMPORT)].length > 0,
);

/** Returns `count` random elements. The same seed returns the same elements (mulberry32). */
function sampled(all, count, seed) {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const keyed = all.map((one) => ({ one, key: random() })).sort((a, b) => a.key - b.key);
  return keyed.slice(0, count).map(({ one }) => one);
}

const every = sources.flatMap((file, index) =>
  mutate(read(file), index * IDS_PER_FILE).mutants.map((mutant) => ({ ...mutant, file })),
);
const seed = Number(process.env.KEEPWATCH_TEST_SEED ?? 1);
const chosen = values.sample === undefined ? every : sampled(every, Number(values.sample), seed);
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-mutations-'));
const surveys = join(folder, 'surveys');
const outcomes = new Map();

/**
 * Runs jest over these mutants. If jest hangs at a mutant, that mutant counts as noticed, and the run continues without
 * it.
 */
async function runPart(name, part) {
  const record = join(folder, `${name}.record`);
  const plan = join(folder, `${name}.json`);
  writeFileSync(record, '');
  let left = part.map(({ id }) => id);
  const takeIn = () => {
    for (const line of readFileSync(record, 'utf8').split('\n').filter(Boolean)) {
      const outcome = JSON.parse(line);
      outcomes.set(outcome.id, outcome);
    }
    left = left.filter((id) => !outcomes.has(id));
  };
  while (left.length > 0) {
    writeFileSync(plan, JSON.stringify({ mutants: left.slice(0, BATCH), record, surveys }));
    const before = left.length;
    const hasHung = await runJest(plan, { record, takeIn });
    takeIn();
    if (hasHung && left.length > 0)
      outcomes.set(left[0], { id: left[0], killedBy: 'time', isReached: true });
    else if (left.length === before) throw new Error('jest ended before it had tested a mutant');
  }
}

/** Records which code each test file reaches. All later steps use this record. */
async function survey() {
  const record = join(folder, 'survey.record');
  const plan = join(folder, 'survey.json');
  writeFileSync(record, '');
  writeFileSync(plan, JSON.stringify({ mutants: [], record, surveys }));
  await runJest(plan, { record, takeIn: () => undefined });
}

function runJest(plan, { record, takeIn }) {
  const config = join(root, 'scripts', 'testing', 'mutations', 'jest.config.cjs');
  const args = [packageFile('jest', 'bin', 'jest.js'), '-c', config, '--runInBand', '--silent'];
  const heap = `--max-old-space-size=${HEAP_MB_MAX}`;
  const child = spawn(process.execPath, [heap, ...args, '--runTestsByPath', ...tests], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, KEEPWATCH_MUTANTS: plan, KEEPWATCH_MUTATED: JSON.stringify(sources) },
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  let [known, knownSinceMs, hasHung] = [0, performance.now(), false];
  const watch = setInterval(() => {
    takeIn();
    const written = statSync(record).size;
    if (written !== known) [known, knownSinceMs] = [written, performance.now()];
    if (performance.now() - knownSinceMs < HANGS_AFTER_MS) return;
    hasHung = true;
    child.kill('SIGKILL');
  }, 1_000);
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      if (code !== 0 && !hasHung) reject(new Error(`jest ended with ${code ?? signal}. ${said}`));
      else resolve(hasHung);
    });
  });
}

console.log(`${chosen.length} of ${every.length} mutants, ${tests.length} test files.`);
const beganMs = performance.now();
const reporting = setInterval(() => {
  const seconds = Math.round((performance.now() - beganMs) / 1_000);
  console.log(`  ${outcomes.size} of ${chosen.length} after ${seconds} s`);
}, REPORT_EVERY_MS);
const parts = Math.min(2, availableParallelism());
try {
  await survey();
  await Promise.all(
    Array.from({ length: parts }, (_part, index) =>
      runPart(
        `part-${index}`,
        chosen.filter((_mutant, at) => at % parts === index),
      ),
    ),
  );
} finally {
  clearInterval(reporting);
  rmSync(folder, { recursive: true });
}

const hasSurvived = ({ id }) => outcomes.get(id)?.killedBy === null;
for (const mutant of chosen.filter(hasSurvived)) {
  const seen = outcomes.get(mutant.id)?.isReached ? 'no test fails' : 'no test comes here';
  console.log(`${mutant.file}:${mutant.line} ${mutant.what}: ${seen}`);
}
let isEnough = true;
for (const name of FOLDERS) {
  const own = chosen.filter(({ file }) => file.startsWith(`${name}/`));
  if (own.length === 0) continue;
  const share = own.filter((mutant) => !hasSurvived(mutant)).length / own.length;
  if (share < KILLED_MIN) isEnough = false;
  console.log(`${name}: ${(share * 100).toFixed(1)} % of ${own.length} noticed`);
}
if (!isEnough) console.error(`At least ${KILLED_MIN * 100} % of each folder must be noticed.`);
process.exit(isEnough ? 0 : 1);
