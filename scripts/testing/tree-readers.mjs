// Lists unit tests that a change can affect although they do not import the changed file. Such tests read files of the
// checkout, bundle the workflows, or start a process or a worker. `npm run verify` runs them after every change.
// test/architecture/verify-steps.test.ts checks that the list is complete.

/** Entries with a slash at the end are whole folders, all others are test files. */
const READERS = [
  'test/architecture/',
  'test/compose/',
  'test/config/',
  'test/docs/',
  'test/examples/',
  'test/faults/',
  'test/image/',
  'test/ops/',
  'test/recipes/',
  'test/release/',
  'test/surface/',
  'test/replay/',
  'test/text/',
  'test/api/pages/docs-files',
  'test/api/pages/docs-html',
  'test/api/pages/dashboard-files',
  'test/api/pages/reference/fields',
  'test/api/routing/described-operations',
  'test/checks/redaction',
  'test/cli/checkly-project',
  'test/cli/examples',
  'test/cli/import/meaning',
  'test/cli/import/status-pages',
  'test/cli/imports',
  'test/dashboard/shared/trouble',
  'test/demo/follow-service',
  'test/demo/throw-away-service',
  'test/domain/assertions/json-path-syntax',
  'test/embedded/database/case-coverage',
  'test/faults/ledger',
  'test/main/outgoing-options',
  'test/notify/template',
  'test/platform/metrics-export',
  'test/platform/unhandled-errors',
  'test/services/alerting/refuse-template',
  'test/services/heartbeats/take-ping',
];

/** True if the path is a test without servers. */
export function isUnitTest(path) {
  return path.endsWith('.test.ts') && !/\.(it|long)\.test\.ts$/.test(path);
}

/** True if this unit test has to run after every change. */
export function readsTheTree(path) {
  return READERS.some((reader) =>
    reader.endsWith('/') ? path.startsWith(reader) : path === `${reader}.test.ts`,
  );
}
