// The jest configuration of the unit tests, with mutants in the sources under test.
const base = require('../../../jest.config.cjs');

const unit = base.projects.find(({ displayName }) => displayName === 'unit');
const [[pattern, [, options]], ...others] = Object.entries(unit.transform);
const at = (file) => `<rootDir>/scripts/testing/mutations/${file}`;

module.exports = {
  ...unit,
  testEnvironment: at('environment.cjs'),
  transform: { [pattern]: [at('transform.cjs'), options], ...Object.fromEntries(others) },
  setupFilesAfterEnv: [at('setup.cjs')],
  runner: at('runner.cjs'),
  reporters: [],
  testTimeout: 120_000,
};
