// jest runner. First it runs each test file without a mutant, to see which mutants the file reaches. Then it runs each
// mutant with the test files that reach it, the quickest first, until one of these files fails. The outcome of each
// mutant is appended to a file. The results of the first step are stored, too, because jest is restarted often: its
// memory grows with each test file.
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { default: TestRunner } = require('jest-runner');
const { current } = require('./environment.cjs');

const LOOPS_TIMES = 20;
const LOOPS_AT_LEAST = 100_000;

class MutantRunner {
  constructor(globalConfig, context) {
    this.inner = () => new TestRunner(globalConfig, context);
    this.isSerial = true;
    this.supportsEventEmitters = false;
  }

  /** Runs the tests of the file; true if all pass. */
  async passes(test, watcher) {
    const runner = this.inner();
    let hasPassed = false;
    runner.on('test-file-success', ([, result]) => {
      hasPassed = result.numFailingTests === 0 && result.testExecError == null;
    });
    current.reached = new Set();
    current.loops = 0;
    await runner.runTests([test], watcher, { serial: true });
    return hasPassed;
  }

  async survey(test, watcher) {
    current.awake = null;
    current.loopsMax = Number.POSITIVE_INFINITY;
    const beganMs = performance.now();
    if (!(await this.passes(test, watcher)))
      throw new Error(`${test.path} fails without any mutant`);
    const { reached, loops } = current;
    const tookMs = performance.now() - beganMs;
    return { path: test.path, reached: [...reached], loops, tookMs };
  }

  async surveyAll(tests, watcher, plan) {
    const surveys = [];
    for (const test of tests) {
      surveys.push(await this.survey(test, watcher));
      appendFileSync(plan.record, '\n');
    }
    surveys.sort((a, b) => a.tookMs - b.tookMs);
    writeFileSync(plan.surveys, JSON.stringify(surveys));
    return surveys;
  }

  async runTests(tests, watcher) {
    const plan = JSON.parse(readFileSync(process.env.KEEPWATCH_MUTANTS, 'utf8'));
    const { mutants, record } = plan;
    const surveys = existsSync(plan.surveys)
      ? JSON.parse(readFileSync(plan.surveys, 'utf8'))
      : await this.surveyAll(tests, watcher, plan);
    for (const id of mutants) {
      let killedBy = null;
      const reaching = surveys.filter(({ reached }) => reached.includes(id));
      for (const { path, loops } of reaching) {
        if (killedBy !== null) break;
        const test = tests.find((one) => one.path === path);
        current.awake = id;
        current.loopsMax = loops * LOOPS_TIMES + LOOPS_AT_LEAST;
        if (!(await this.passes(test, watcher))) killedBy = path;
      }
      const isReached = reaching.length > 0;
      appendFileSync(record, `${JSON.stringify({ id, killedBy, isReached })}\n`);
    }
  }
}

module.exports = MutantRunner;
