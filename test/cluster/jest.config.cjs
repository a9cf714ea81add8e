// Only for `npm run cluster`: the cluster needs programs that `npm test` does not.
const { projects } = require('../../jest.config.cjs');

const [{ testPathIgnorePatterns: _ignored, ...unit }] = projects;

module.exports = {
  ...unit,
  displayName: 'cluster',
  testMatch: ['<rootDir>/test/cluster/*.cluster.ts'],
};
