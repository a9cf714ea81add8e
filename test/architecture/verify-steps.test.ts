/**
 * Tests that `npm run verify` tests everything that a change affects, including tests that depend on a changed file
 * without importing it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const ROOT = path.join(__dirname, '../..');
/**
 * Matches code that reaches files without importing them. A test or a helper reads them directly, or through the worker
 * of the text pool.
 */
const READS = /\b__dirname\b|\bprocess\.cwd\(\)|\/text-pool'/;
/** Matches imports of values, because a type-only import runs no code. */
const IMPORT = /^(?:import (?!type\b)|export )[^;]*? from '(\.{1,2}\/[^']+)'/gm;

const testFiles = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts'));

/** Runs scripts/testing/tree-readers.mjs as Node runs it, and returns its output. */
function readScript(): { readonly unit: readonly string[]; readonly readers: readonly string[] } {
  const program = `
    import { isUnitTest, readsTheTree } from './scripts/testing/tree-readers.mjs';
    const unit = ${JSON.stringify(testFiles)}.filter(isUnitTest);
    console.log(JSON.stringify({ unit, readers: unit.filter(readsTheTree) }));`;
  const args = ['--input-type=module', '--eval', program];
  const printed = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return z
    .object({ unit: z.array(z.string()), readers: z.array(z.string()) })
    .parse(JSON.parse(printed));
}

/** Adds the file and the test helpers that it imports, directly or indirectly. */
function addHelpers(file: string, found: Set<string>): void {
  if (found.has(file)) return;
  found.add(file);
  for (const [, to = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(IMPORT)) {
    const helper = `${path.posix.join(path.posix.dirname(file), to)}.ts`;
    if (helper.startsWith('test/') && existsSync(path.join(ROOT, helper)))
      addHelpers(helper, found);
  }
}

function reachesFiles(file: string): boolean {
  const texts = new Set<string>();
  addHelpers(file, texts);
  return [...texts].some((one) => READS.test(readFileSync(path.join(ROOT, one), 'utf8')));
}

const { unit, readers } = readScript();
/** Unit tests that verify runs. It does not run the project `workflows`. */
const IN_VERIFY = unit.filter((file) => !/^test\/(?:workflows|replay\/record-)/.test(file));

test('each unit test that reads files or bundles the workflows runs after every change', () => {
  expect(IN_VERIFY.length).toBeGreaterThan(300);
  expect(IN_VERIFY.filter((file) => reachesFiles(file) && !readers.includes(file))).toEqual([]);
});

test('the replay of recorded histories runs after every change', () => {
  expect(readers).toContain('test/replay/replay.test.ts');
});
