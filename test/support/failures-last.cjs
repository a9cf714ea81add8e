// A reporter that keeps what failed in the file that KEEPWATCH_TEST_FAILURES names, so that `npm test` can end
// with it: a long run scrolls it away, and each of its runs knows only its own.
const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

/** Of each message: what was expected and what came, without the stack. */
const LINES = 8;

class FailuresLast {
  onTestResult({ path }, { testExecError, testResults }) {
    const file = process.env.KEEPWATCH_TEST_FAILURES;
    if (!file) return;
    const failed = testResults.filter(({ status }) => status === 'failed');
    const broken = testExecError ? [['the suite did not run', testExecError.message]] : [];
    const each = failed.map(({ fullName, failureMessages }) => [fullName, failureMessages.join()]);
    for (const [name, message] of [...broken, ...each]) {
      const lines = stripVTControlCharacters(message)
        .split('\n')
        .filter((line) => line.trim());
      const shown = lines.slice(0, LINES).map((line) => `    ${line.trim()}`);
      appendFileSync(file, [`${relative(process.cwd(), path)}: ${name}`, ...shown, ''].join('\n'));
    }
  }
}

module.exports = FailuresLast;
