// The Node environment of jest, which also records the cost of each test file. The cost is the elapsed time, and the
// CPU of the worker and of all ended processes that it started. CPU is recorded only on systems that count it (Linux).
const { appendFileSync, readFileSync } = require('node:fs');
const { relative } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Indices of fields in /proc/self/stat after the name: user and system time of the process, then of its ended children.
 */
const CPU_FIELDS = [11, 12, 13, 14];
const TICK_MS = 10;

function cpuMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return CPU_FIELDS.reduce((sum, field) => sum + Number(fields[field]), 0) * TICK_MS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

class MeasuredEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.file = relative(config.globalConfig.rootDir, context.testPath);
    this.began = { cpuMs: cpuMs(), atMs: performance.now() };
  }

  async teardown() {
    await super.teardown();
    const record = process.env.KEEPWATCH_TEST_RECORD;
    if (!record) return;
    const cost = {
      file: this.file,
      cpuMs: Math.round(cpuMs() - this.began.cpuMs),
      wallMs: Math.round(performance.now() - this.began.atMs),
    };
    appendFileSync(record, `${JSON.stringify(cost)}\n`);
  }
}

module.exports = MeasuredEnvironment;
