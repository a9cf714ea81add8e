/**
 * Tests the decisions of `npm test`: which failures are retried, which runs pass, what a run may cost, and what the
 * files that it reads may contain.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import budget from '../budget.json';
import quarantine from '../quarantine.json';
import times from '../times.json';

const ROOT = path.join(__dirname, '../..');

interface Failure {
  readonly file: string;
  readonly test: string;
  readonly message: string;
}

interface Run {
  readonly failures: readonly Failure[];
  readonly second: readonly Failure[] | null;
  readonly quarantine: readonly { readonly file: string; readonly test: string }[];
}

const answerShape = z.object({
  again: z.array(z.string()),
  hasPassed: z.boolean(),
  lines: z.array(z.string()),
});

/** Runs a program as Node runs the scripts, and returns the JSON that it prints. */
function runProgram(program: string): unknown {
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }));
}

/** Returns the decision of the script about a run. */
function decide(run: Run): z.output<typeof answerShape> {
  const printed = runProgram(`
    import { filesToRunAgain, judge } from './scripts/testing/verdict.mjs';
    const { failures, second, quarantine } = ${JSON.stringify(run)};
    const again = filesToRunAgain(failures, quarantine);
    console.log(JSON.stringify({ again, ...judge(failures, second, quarantine) }));`);
  return answerShape.parse(printed);
}

const failing = (file: string, message = 'expected 1, got 2'): Failure => ({
  file,
  test: 'holds',
  message,
});
const PAGE = failing('test/dashboard/overview/overview.it.test.ts');
const SERVICE = failing('test/e2e/alerts.it.test.ts');

test('a test file with a browser or a whole service that passes on its retry is reported as flaky', () => {
  expect(decide({ failures: [PAGE, SERVICE], second: [], quarantine: [] })).toEqual({
    again: [PAGE.file, SERVICE.file],
    hasPassed: true,
    lines: [`FLAKY ${PAGE.file}: holds`, `FLAKY ${SERVICE.file}: holds`],
  });
});

test('a test file that also fails on its retry fails the run', () => {
  const { hasPassed, lines } = decide({ failures: [PAGE], second: [PAGE], quarantine: [] });
  expect({ hasPassed, lines }).toEqual({
    hasPassed: false,
    lines: [`FAILED ${PAGE.file}: holds`],
  });
});

test.each([
  ['a test without servers', [failing('test/domain/health/schedule.test.ts')]],
  ['an in-process test', [failing('test/api/monitors/monitors.it.test.ts')]],
  ['a workflow test', [failing('test/workflows/monitor/monitor.it.test.ts')]],
  ['an assertion that must never fail', [failing(SERVICE.file, '[never] a slot twice')]],
  ['more than two files', [PAGE, SERVICE, failing('test/cli/commands.it.test.ts')]],
  [
    'one of these together with a page test',
    [PAGE, failing('test/models/store/stores.it.test.ts')],
  ],
])('a failure of %s is not retried', (_what, failures) => {
  const { again, hasPassed } = decide({ failures, second: null, quarantine: [] });
  expect({ again, hasPassed }).toEqual({ again: [], hasPassed: false });
});

test('a failing quarantined test is reported, but does not fail the run', () => {
  const known = [{ file: PAGE.file, test: 'holds' }];
  expect(decide({ failures: [PAGE], second: null, quarantine: known })).toEqual({
    again: [],
    hasPassed: true,
    lines: [`QUARANTINED ${PAGE.file}: holds`],
  });
});

const DAY_MS = 86_400_000;
const entryShape = z.strictObject({
  file: z.string().refine((file) => existsSync(path.join(ROOT, file)), 'no such file'),
  test: z.string().min(1),
  since: z.iso.date().refine((since) => Date.now() - Date.parse(since) <= 14 * DAY_MS, {
    message: 'is older than 14 days: repair the test or delete it',
  }),
  reason: z.string().min(1),
});

test('the quarantine holds at most five tests, and none for longer than 14 days', () => {
  expect(z.array(entryShape).max(5).safeParse(quarantine)).toMatchObject({ success: true });
});

test('every test file with a recorded time exists', () => {
  const files = Object.keys(times.elapsedSeconds);
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

test('the file of budgets sets limits for CPU time and the event loop of a test run', () => {
  expect(budget.cpuSeconds).toBeGreaterThan(0);
  expect(budget.loopMs).toBeGreaterThan(0);
});

test.each([
  ['999', '100', true],
  ['1000', '100', true],
  ['1001', '100', false],
  // A slower machine gets a proportionally larger budget. A faster machine does not get a smaller budget.
  ['1500', '150', true],
  ['1501', '150', false],
  ['1000', '50', true],
  // The system does not measure CPU time.
  ['Number.NaN', '100', true],
])(
  'a test run of %s CPU seconds keeps the budget of 1000 s if the reference loop takes %s ms instead of 100: %s',
  (spent, loop, isKept) => {
    const printed = runProgram(`
      import { judgeBudget } from './scripts/testing/summary.mjs';
      const budget = { cpuSeconds: 1000, loopMs: 100 };
      console.log(JSON.stringify(judgeBudget(budget, ${spent}, ${loop})));`);
    expect(printed).toEqual({ isKept, line: expect.stringContaining('CPU') });
  },
);

test('the CPU time of a step of verify includes all processes that the step starts', () => {
  const works = `
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 200_000);
    console.log('done');
    process.exitCode = 3;`;
  const printed = runProgram(`
    import { measureNode } from './scripts/run-step.mjs';
    const { code, output, cpu } = await measureNode(['-e', ${JSON.stringify(works)}]);
    console.log(JSON.stringify({ code, output, hasCost: !(cpu < 0.2) }));`);
  expect(printed).toEqual({ code: 3, output: 'done\n', hasCost: true });
});
