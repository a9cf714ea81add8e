/** The Temporal servers that tests of workflows run on: one that skips time, and the one of the test run. */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/workflows';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { createProgress } from '../../src/embedded/progress';
import { findTestServer } from '../../src/embedded/test-server-sources';
import { temporalAddress, uniqueSuite } from '../support/service';

const INDEXED_KEYWORD = 2;
const INDEXED_KEYWORD_LIST = 7;

/** Time passes only when a test says so. */
export async function openVirtualTime(): Promise<TestWorkflowEnvironment> {
  const path = await findTestServer({
    environment: process.env,
    progress: createProgress(process.stderr),
  });
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  await registerSearchAttributes(environment);
  return environment;
}

/**
 * The server of the test run, whose time passes by itself. Unlike the time-skipping one it takes a
 * workflow from a worker that is gone.
 */
export async function openRealTime(): Promise<TestWorkflowEnvironment> {
  const address = temporalAddress();
  const namespace = uniqueSuite();
  await prepareNamespace(address, namespace);
  return TestWorkflowEnvironment.createFromExistingServer({ address, namespace });
}

async function registerSearchAttributes(environment: TestWorkflowEnvironment): Promise<void> {
  const types = Object.values(SEARCH_ATTRIBUTES).map((name) => [
    name,
    name === SEARCH_ATTRIBUTES.regions ? INDEXED_KEYWORD_LIST : INDEXED_KEYWORD,
  ]);
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: Object.fromEntries(types),
  });
}
