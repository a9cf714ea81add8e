// Two projects: `unit` needs no server and is part of `npm run verify`;
// `servers` (*.it.test.ts) starts real processes and runs one file at a time in `npm test`.
const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/workers-read-typescript.cjs'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
    // Packages without a CommonJS form; Node itself can require them, the test runner can't.
    '/node_modules/temporal-(polyfill|utils)/.+\\.js$': [
      '@swc/jest',
      { jsc: { target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!temporal-(polyfill|utils)/)'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.keepwatch'],
};

module.exports = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.it\\.test\\.ts$'],
    },
    {
      ...shared,
      displayName: 'servers',
      testMatch: ['<rootDir>/test/**/*.it.test.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
  testTimeout: 120000,
};
