// For `npm run faults` alone: a stage has servers of its own, so that those of `npm test` would only take its time.
const { projects, testTimeout } = require('../../jest.config.cjs');

const {
  globalSetup: _setup,
  globalTeardown: _teardown,
  ...servers
} = projects.find(({ displayName }) => displayName === 'long');

module.exports = {
  ...servers,
  displayName: 'faults',
  testMatch: ['<rootDir>/test/faults/faults.long.test.ts'],
  testTimeout,
};
