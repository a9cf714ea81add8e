// Only for `npm run helm`: Helm renders the chart, and `npm test` does not need it.
const { projects } = require('../../jest.config.cjs');

const [{ testPathIgnorePatterns: _ignored, ...unit }] = projects;

module.exports = {
  ...unit,
  displayName: 'helm',
  testMatch: ['<rootDir>/test/helm/*.helm.ts'],
};
