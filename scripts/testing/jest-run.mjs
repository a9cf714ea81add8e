// Runs jest once and reads the records that test/support/run-reporter.cjs and measured-environment.cjs wrote during the
// run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../install.mjs';
import { packageFile, runNode } from '../run-step.mjs';
import { cpuSeconds } from './cpu.mjs';

const support = (name) => join(root, 'test', 'support', name);
const REPORTERS = ['--reporters', 'default', '--reporters', support('run-reporter.cjs')];
const LONGEST_FIRST = ['--testSequencer', support('longest-first.cjs')];

/** `--forceExit` is needed because an aborted suite may leave a connection open. The suite still counts as failed. */
const ALWAYS = ['--forceExit', ...LONGEST_FIRST, ...REPORTERS];

function readRecord(file) {
  const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
  return {
    costs: rows.filter(({ cpuMs }) => cpuMs !== undefined),
    uncountedCpuMs: rows.reduce((sum, row) => sum + (row.uncountedCpuMs ?? 0), 0),
    starts: rows.flatMap(({ started }) => (started === undefined ? [] : [started])),
    failures: rows.flatMap(({ failed }) => (failed === undefined ? [] : [failed])),
  };
}

/**
 * Resolves with jest's exit code, the elapsed time, the CPU time of all started processes (including browser pages),
 * and three records: the costs by file, the counts of started servers, and the failures as {file, test, message}.
 */
export async function runJest(args, environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-tests-'));
  const record = join(folder, 'record');
  writeFileSync(record, '');
  const before = { atMs: performance.now(), cpu: cpuSeconds() };
  Object.assign(process.env, environment, { KEEPWATCH_TEST_RECORD: record });
  const code = await runNode([packageFile('jest', 'bin', 'jest.js'), ...args, ...ALWAYS]);
  const read = readRecord(record);
  rmSync(folder, { recursive: true });
  return {
    code,
    elapsedMs: performance.now() - before.atMs,
    cpu: cpuSeconds() - before.cpu + read.uncountedCpuMs / 1000,
    ...read,
  };
}
