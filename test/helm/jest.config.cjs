// Configures Jest for `npm run helm`. It needs Helm, and `npm test` does not.
const { projects } = require('../../jest.config.cjs');

const [{ testPathIgnorePatterns: _ignored, ...unit }] = projects;

module.exports = {
  ...unit,
  displayName: 'helm',
  testMatch: ['<rootDir>/test/helm/*.helm.ts'],
};
