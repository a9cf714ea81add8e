// For `npm run helm` alone: the chart is rendered by Helm, which `npm test` does without.
const { projects } = require('../../jest.config.cjs');

const [{ testPathIgnorePatterns: _ignored, ...unit }] = projects;

module.exports = {
  ...unit,
  displayName: 'helm',
  testMatch: ['<rootDir>/test/helm/*.helm.ts'],
};
