// A jest reporter. Records failures in the file that KEEPWATCH_TEST_RECORD names. In the long form, it also prints the
// progress after each file.
const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

/** Number of lines of each message that are recorded. They contain expected and received values, but not the stack. */
const LINES = 8;

class RunReporter {
  #done = 0;
  #total = 0;
  #beganAtMs = Date.now();

  onRunStart({ numTotalTestSuites }) {
    this.#total = numTotalTestSuites;
  }

  onTestResult({ path }, { testExecError, testResults }) {
    this.#done += 1;
    this.#recordFailures(relative(process.cwd(), path), testExecError, testResults);
    if (process.env.KEEPWATCH_TEST_LONG !== 'on') return;
    const minutes = ((Date.now() - this.#beganAtMs) / 60_000).toFixed(1);
    process.stderr.write(`  ${this.#done} of ${this.#total} files after ${minutes} min\n`);
  }

  #recordFailures(file, testExecError, testResults) {
    const record = process.env.KEEPWATCH_TEST_RECORD;
    if (!record) return;
    const failed = testResults.filter(({ status }) => status === 'failed');
    const broken = testExecError ? [['the suite did not run', testExecError.message ?? '']] : [];
    const each = failed.map(({ fullName, failureMessages }) => [fullName, failureMessages.join()]);
    for (const [test, text] of [...broken, ...each]) {
      const lines = stripVTControlCharacters(text)
        .split('\n')
        .filter((line) => line.trim());
      const message = lines
        .slice(0, LINES)
        .map((line) => line.trim())
        .join('\n');
      appendFileSync(record, `${JSON.stringify({ failed: { file, test, message } })}\n`);
    }
  }
}

module.exports = RunReporter;
