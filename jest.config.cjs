// Four projects. `unit` (*.test.ts) needs no server and is part of `npm run verify`. `workflows` needs no server
// either, but costs more, because it runs workflows from start to end in the test's process. `servers` (*.it.test.ts)
// runs on real servers, and sends real requests to targets that misbehave. `npm test` runs all three. `long`
// (*.long.test.ts) is too long for CI.

// The long form runs in the time zone of its machine.
if (process.env.KEEPWATCH_TEST_LONG !== 'on') process.env.TZ = 'UTC';

const WORKFLOW_TESTS = ['<rootDir>/test/workflows/', '<rootDir>/test/replay/record-'];
const OTHER_PROJECTS = '\\.(it|long)\\.test\\.ts$';
const withServers = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};
const shared = {
  rootDir: __dirname,
  runtime: '<rootDir>/test/support/shared-packages.cjs',
  testEnvironment: '<rootDir>/test/support/own-realm-environment.cjs',
  setupFiles: ['<rootDir>/test/support/workers-read-typescript.cjs'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.keepwatch'],
};

module.exports = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', OTHER_PROJECTS, ...WORKFLOW_TESTS],
    },
    {
      ...shared,
      displayName: 'workflows',
      testMatch: [
        '<rootDir>/test/workflows/**/*.test.ts',
        '<rootDir>/test/replay/record-*.test.ts',
      ],
      testPathIgnorePatterns: ['/node_modules/', OTHER_PROJECTS],
    },
    {
      ...shared,
      ...withServers,
      displayName: 'servers',
      testMatch: ['<rootDir>/test/**/*.it.test.ts'],
    },
    {
      ...shared,
      ...withServers,
      displayName: 'long',
      testMatch: ['<rootDir>/test/**/*.long.test.ts'],
    },
  ],
  // An idle worker that uses more memory is restarted. Test files leave memory behind, which makes later files in the
  // same worker slower.
  workerIdleMemoryLimit: '800MB',
  // Longer than the limit of a single wait (test/support/wait-until.ts), so that a failed wait can report what it
  // waited for.
  testTimeout: process.env.KEEPWATCH_TEST_LONG === 'on' ? 3_600_000 : 300_000,
};
