/** Histories of alerts, digests, tests and the housekeeping: made, replayed, and kept when asked to. */
import {
  type AlertMessage,
  type AlertTarget,
  alertWorkflowId,
  digestWorkflowId,
} from '../../src/contracts/alerts';
import { HOUSEKEEPING_WORKFLOW_ID } from '../../src/contracts/housekeeping';
import {
  ORCHESTRATOR_QUEUE,
  testCheckWorkflowId,
  WORKFLOW_TYPES,
} from '../../src/contracts/workflows';
import { createLogger } from '../../src/platform/logger';
import { foldAlert } from '../../src/temporal/alert-calls';
import { keepHousekeeping } from '../../src/temporal/keep-housekeeping';
import { monitorConfig } from '../support/outcomes';
import { waitUntil } from '../support/wait-until';
import { startVirtualService, type VirtualService } from '../workflows/virtual-service';
import { keepHistory } from './keep-history';

const MINUTE = 60_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService();
});
afterAll(() => service.stop());

const target = (key: string): AlertTarget => ({
  key,
  type: 'webhook',
  channelId: null,
  masked: key,
  sealed: '',
});

async function alertMessage(name: string): Promise<AlertMessage> {
  const atMs = await service.nowMs();
  return {
    id: `owed-${name}`,
    kind: 'failure',
    accountId: 'acc_replay',
    incidentId: `inc_${name}`,
    resourceType: 'monitor',
    resourceId: `mon_${name}`,
    resourceName: name,
    atMs,
    sinceMs: atMs,
    openedAtMs: atMs,
    health: 'down',
    ends: [],
    certificate: null,
    cause: null,
    regions: ['eu-west'],
    assertion: null,
    entries: [],
  };
}

test('the history of an alert replays: a place that is busy at first, and one that is not', async () => {
  const { ledger, environment } = service;
  let answers = 0;
  ledger.receivers.set('slow', () => {
    answers += 1;
    return answers < 3
      ? { kind: 'later', detail: 'busy', afterMs: null }
      : { kind: 'sent', detail: 'taken' };
  });
  const alert = await alertMessage('shop');
  const recipients = { channels: [], targets: [target('slow'), target('quick')] };
  await environment.client.workflow.start(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [{ v: 1, alert, recipients }],
  });
  const isSent = (key: string) => ledger.deliveries.get(`${alert.id} ${key}`)?.status === 'sent';
  await waitUntil('the first place', () => isSent('quick'));
  await service.pass(MINUTE);
  await waitUntil('the other one', () => isSent('slow'));
  await keepHistory(service, 'alert', alertWorkflowId(alert.id));
});

test('the histories of the test of what is unsaved and of the housekeeping replay', async () => {
  const { gateway, ledger, environment } = service;
  await gateway.testMonitor(monitorConfig('mon_replay_test'), MINUTE);
  await keepHistory(service, 'test-check', testCheckWorkflowId('mon_replay_test'));
  const stop = keepHousekeeping(environment.client, createLogger('test', 'silent'));
  await waitUntil('a pass', () => ledger.housekeeping.length > 0);
  stop();
  await service.pass(3 * MINUTE);
  await keepHistory(service, 'housekeeping', HOUSEKEEPING_WORKFLOW_ID);
  await environment.client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID).terminate();
});

/** `pass` takes as long as it says while a digest gathers; waiting for its end skips the time. */
test('each place gets one digest, each alert is noted as folded after it, and the history replays', async () => {
  const { client } = service.environment;
  const { ledger } = service;
  ledger.tries.length = 0;
  const fold = async (name: string, keys: readonly string[]) =>
    foldAlert(client, { alert: await alertMessage(name), targets: keys.map(target) });
  await fold('one', ['both', 'first']);
  await fold('two', ['both']);
  await fold('two', ['both']);
  await fold('three', ['both']);
  expect(ledger.folded).toEqual([]);
  await client.workflow.getHandle(digestWorkflowId('acc_replay')).result();
  expect(ledger.folded.map(({ resourceName }) => resourceName)).toEqual(['one', 'two', 'three']);
  await waitUntil('the digests', () => ledger.tries.length === 2);
  const told = ledger.tries.map((sent) => [
    sent.target,
    sent.alert.entries.map(({ resourceName }) => resourceName),
  ]);
  expect(Object.fromEntries(told)).toEqual({ both: ['one', 'two', 'three'], first: ['one'] });
  await keepHistory(service, 'digest', digestWorkflowId('acc_replay'));
}, 120_000);
