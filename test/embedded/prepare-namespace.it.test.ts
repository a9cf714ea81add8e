import { Connection } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time';
import { SEARCH_ATTRIBUTE_TYPES } from '../../src/contracts/search-attributes';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { temporalAddress, uniqueSuite } from '../support/service';

const HOUR_MS = 60 * 60 * 1000;
let connection: Connection;

beforeAll(async () => {
  connection = await Connection.connect({ address: temporalAddress() });
});

afterAll(async () => {
  await connection.close();
});

async function retentionHours(namespace: string): Promise<number> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  return tsToMs(config?.workflowExecutionRetentionTtl) / HOUR_MS;
}

async function registerWithRetention(hours: number): Promise<string> {
  const namespace = uniqueSuite();
  const workflowExecutionRetentionPeriod = msToTs(hours * HOUR_MS);
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod,
  });
  return namespace;
}

test('preparing a missing namespace creates it once, with retention and search attributes', async () => {
  const namespace = uniqueSuite();
  await prepareNamespace(temporalAddress(), namespace);
  await prepareNamespace(temporalAddress(), namespace);
  expect(await retentionHours(namespace)).toBe(26);
  const answer = await connection.operatorService.listSearchAttributes({ namespace });
  expect(Object.keys(answer.customAttributes ?? {})).toEqual(
    expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTE_TYPES)),
  );
});

test.each([
  ['a shorter retention', 24],
  ['the retention of earlier versions', 72],
])('%s of a namespace is changed to 26 h', async (_what, hours) => {
  const namespace = await registerWithRetention(hours);
  await prepareNamespace(temporalAddress(), namespace);
  expect(await retentionHours(namespace)).toBe(26);
});

test('a longer retention of a namespace is kept', async () => {
  const namespace = await registerWithRetention(24 * 30);
  await prepareNamespace(temporalAddress(), namespace);
  expect(await retentionHours(namespace)).toBe(24 * 30);
});

test('two processes that prepare one namespace at once both succeed', async () => {
  const namespace = uniqueSuite();
  await Promise.all([
    prepareNamespace(temporalAddress(), namespace),
    prepareNamespace(temporalAddress(), namespace),
  ]);
  expect(await retentionHours(namespace)).toBe(26);
});
