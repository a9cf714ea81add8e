// Configures Jest for `npm run faults`. A stage has its own servers, so it does not start the servers of `npm test`.
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
