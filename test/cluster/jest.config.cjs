// Configures Jest for `npm run cluster`. The cluster needs programs that `npm test` does not need.
const { projects } = require('../../jest.config.cjs');

const [{ testPathIgnorePatterns: _ignored, ...unit }] = projects;

module.exports = {
  ...unit,
  displayName: 'cluster',
  testMatch: ['<rootDir>/test/cluster/*.cluster.ts'],
};
