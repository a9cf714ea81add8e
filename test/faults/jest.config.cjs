// Only for `npm run faults`: a stage has its own servers, so that those of `npm test` would only
// cost time.
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
