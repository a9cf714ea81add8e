/**
 * Tests which alerts and escalations restart after Temporal has lost them, on a real Temporal server and database. No
 * worker runs, so only the pass changes anything.
 */
import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import type { AlertInput, AlertMessage, AlertTarget } from '../../src/contracts/alerts';
import { alertWorkflowId } from '../../src/contracts/alerts';
import { digestWorkflowId } from '../../src/contracts/digests';
import { type EscalationRecord, escalationWorkflowId } from '../../src/contracts/escalation';
import { beginEscalation, notifyDue } from '../../src/domain/alerting/escalation-course';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { createReconcileSource, createStores } from '../../src/models';
import type { Alert } from '../../src/models/alerting/alerts';
import { resumeLostAlerts } from '../../src/services/operations/resume-lost-alerts';
import { resumeLostEscalations } from '../../src/services/operations/resume-lost-escalations';
import { foldAlerts, restoreAlert } from '../../src/temporal/calls/alert-calls';
import { createTemporalClient } from '../../src/temporal/connect';
import { createReconcileGateway } from '../../src/temporal/reconcile-gateway';
import { newId } from '../models/example-records';
import { openTestDatabase, type TestDatabase } from '../models/test-database';
import { buildAlert } from '../support/alert-message';
import { never } from '../support/never';
import { temporalAddress, uniqueSuite } from '../support/service';
import { waitUntil } from '../support/wait-until';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SECRET_KEYS = ['ab'.repeat(32)];
const { signal } = new AbortController();
const NOTHING = { resumed: 0, givenUp: 0 };
let opened: TestDatabase;
let client: Client;
let needs: Parameters<typeof resumeLostAlerts>[0];

beforeAll(async () => {
  opened = await openTestDatabase();
});
beforeEach(async () => {
  const namespace = uniqueSuite();
  await prepareNamespace(temporalAddress(), namespace);
  client = createTemporalClient({ address: temporalAddress(), namespace }, SECRET_KEYS);
  await opened.database.models.alerts.deleteMany({});
  needs = {
    stores: createStores(opened.database),
    clock: { now: () => Date.now() },
    sleep: async () => undefined,
    temporal: createReconcileGateway(client),
    source: createReconcileSource(opened.database),
  };
});
afterEach(() => client.connection.close());
afterAll(() => opened?.close());

const pass = () => resumeLostAlerts(needs, signal);
const handleOf = ({ id }: AlertMessage) => client.workflow.getHandle(alertWorkflowId(id));
const rowOf = async (id: string) => opened.database.models.alerts.findOne({ _id: id }).lean();

let made = 0;

function pendingAlert(atMs: number): AlertMessage {
  made += 1;
  return buildAlert({
    id: `pending-${made}`,
    accountId: newId('account'),
    incidentId: newId('incident'),
    resourceId: newId('monitor'),
    resourceName: 'shop',
    atMs,
    regions: ['eu-west'],
    assertion: { text: 'status equals', expected: '200', actual: '$where: 500' },
  });
}

const targetOf = (key: string): AlertTarget => ({
  key,
  type: 'webhook',
  channelId: null,
  masked: key,
  sealed: `sealed ${key}`,
});

/** Stores a pending alert in the state in which its sender leaves it after two tries. */
async function savePending(alert: AlertMessage, target: AlertTarget): Promise<Alert> {
  const failed = { atMs: alert.atMs, outcome: 'failed' as const, detail: 'away' };
  const row: Alert = {
    id: newId('alert', alert.atMs),
    accountId: alert.accountId,
    incidentId: alert.incidentId,
    resourceId: alert.resourceId,
    kind: alert.kind,
    channelId: null,
    channelType: 'webhook',
    recipient: target.masked,
    status: 'pending',
    attempts: [failed, failed],
    sequence: 2,
    createdAtMs: alert.atMs,
    sentAtMs: null,
    certificate: null,
    pending: { alert, target },
  };
  await needs.stores.alerts.save(alert.accountId, row);
  return row;
}

async function inputOf(alert: AlertMessage): Promise<AlertInput> {
  const { events } = await handleOf(alert).fetchHistory();
  const { input } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  return decodeFromPayloadsAtIndex(client.options.loadedDataConverter, 0, input?.payloads);
}

/** Expects that another pass does nothing. Otherwise it would send an alert twice. */
async function expectNothing(): Promise<void> {
  const found = await pass();
  await never(() => expect(found).toEqual(NOTHING));
}

test('a pending alert without a workflow is started again for the recipients not yet reached', async () => {
  const alert = pendingAlert(Date.now() - HOUR);
  await savePending(alert, targetOf('first'));
  const second = await savePending(alert, targetOf('second'));
  expect(await pass()).toEqual({ resumed: 1, givenUp: 0 });
  const { alert: begun, recipients: places, earlier } = await inputOf(alert);
  expect(begun).toEqual(alert);
  expect(places.targets.map(({ key }) => key).toSorted()).toEqual(['first', 'second']);
  expect(earlier?.['second']).toEqual(second.attempts);
  await expectNothing();
  await handleOf(alert).terminate('by mistake');
  await waitUntil('it begins again', async () => (await pass()).resumed === 1);
  await expectNothing();
});

test('alerts that were sent, refused or just started are not started again', async () => {
  const done = pendingAlert(Date.now() - HOUR);
  const row = await savePending(done, targetOf('done'));
  await needs.stores.alerts.save(done.accountId, {
    ...row,
    status: 'sent',
    sequence: 3,
    pending: null,
  });
  await savePending(pendingAlert(Date.now()), targetOf('young'));
  await expectNothing();
});

test('an alert pending for more than a day is recorded as failed, with its attempts', async () => {
  const alert = pendingAlert(Date.now() - 25 * HOUR);
  const { id } = await savePending(alert, targetOf('old'));
  expect(await pass()).toEqual({ resumed: 0, givenUp: 1 });
  expect(await rowOf(id)).toMatchObject({ status: 'failed', pending: null });
  expect((await rowOf(id))?.attempts).toHaveLength(3);
  await expectNothing();
});

test('an alert that waits in a digest is not started again', async () => {
  const alert = pendingAlert(Date.now() - MINUTE);
  const target = targetOf('folded');
  await savePending(alert, target);
  await foldAlerts(client, [{ alert, targets: [target] }]);
  await waitUntil('Temporal lists the workflow', async () => {
    return (await needs.temporal.listOpen('digest')).length === 1;
  });
  await expectNothing();
});

test('the alerts of a lost digest go into a new digest, unless the lost digest was sent', async () => {
  const alert = pendingAlert(Date.now() - MINUTE);
  const target = targetOf('folded');
  const row = await savePending(alert, target);
  const folded: Alert = { ...row, sequence: 3, pending: { alert, target, isFolded: true } };
  await needs.stores.alerts.save(alert.accountId, folded);
  expect(await pass()).toEqual({ resumed: 1, givenUp: 0 });
  await waitUntil('Temporal lists the workflow', async () => {
    return (await needs.temporal.listOpen('digest')).length === 1;
  });
  await expectNothing();
  const digest = client.workflow.getHandle(digestWorkflowId(alert.accountId));
  await digest.terminate('lost');
  await waitUntil('the alert is folded again', async () => (await pass()).resumed === 1);
  await digest.terminate('lost');
  const sent: Alert = { ...folded, status: 'suppressed', sequence: 4, pending: null };
  await needs.stores.alerts.save(alert.accountId, sent);
  await expectNothing();
});

describe('an escalation', () => {
  const target = targetOf('on call');
  const contact = { id: 'ann', recipients: { channels: [], targets: [target] } };
  const times = { until: 'acknowledged', repeat: null, contacts: [contact] } as const;
  const resume = () => resumeLostEscalations(needs, signal);

  /** Stores an escalation in the state in which its workflow leaves it after the first of two steps. */
  async function saveEscalation(beganAtMs: number): Promise<EscalationRecord> {
    const alert = pendingAlert(beganAtMs);
    const steps = [0, 60].map((afterMinutes) => ({ ...times, afterMinutes }));
    const plan = { policyName: 'p', steps, quietHours: null, lastResort: null };
    const { state } = notifyDue(beginEscalation(alert, plan, beganAtMs), beganAtMs);
    const { accountId, incidentId } = alert;
    const record = { accountId, incidentId: incidentId ?? '', state: { ...state, sequence: 2 } };
    await needs.stores.escalations.save(accountId, record);
    return record;
  }
  const handle = ({ incidentId }: EscalationRecord) =>
    client.workflow.getHandle(escalationWorkflowId(incidentId));

  beforeEach(() => opened.database.models.escalations.deleteMany({}));

  test('a lost escalation continues once from its last state, unless it has just started', async () => {
    const record = await saveEscalation(Date.now() - MINUTE);
    await saveEscalation(Date.now());
    expect(await resume()).toBe(1);
    const { events } = await handle(record).fetchHistory();
    const { input } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    const converter = client.options.loadedDataConverter;
    const begun = await decodeFromPayloadsAtIndex(converter, 0, input?.payloads);
    expect(begun).toEqual(record.state);
    expect(record.state.done).toEqual([0]);
    await waitUntil('Temporal lists the workflow', async () => {
      return (await needs.temporal.listOpen('escalation')).length === 1;
    });
    const again = await resume();
    await never(() => expect(again).toBe(0));
  });

  test('an escalation with a lost end is recorded as ended, and older updates change nothing', async () => {
    const record = await saveEscalation(Date.now() - MINUTE);
    const over = { ...record, state: { ...record.state, isOver: true, sequence: 3 } };
    await needs.stores.escalations.save(record.accountId, over);
    await needs.stores.escalations.save(record.accountId, record);
    const stored = await needs.stores.escalations.find(record.accountId, record.incidentId);
    expect(stored?.state.isOver).toBe(true);
    const again = await resume();
    await never(() => expect(again).toBe(0));
  });
});

test('events for programs have a lower priority than alerts in every queue, and accounts take turns', async () => {
  const alert = pendingAlert(Date.now());
  const event: AlertMessage = { ...pendingAlert(Date.now()), kind: 'event', incidentId: null };
  for (const message of [alert, event]) {
    const recipients = { channels: ['chn_any'], targets: [] };
    await restoreAlert(client, { v: 1, alert: message, recipients, decided: 'send' });
  }
  const priorityOf = async (message: AlertMessage) => (await handleOf(message).describe()).priority;
  const { accountId: fairnessKey } = alert;
  expect(await priorityOf(alert)).toMatchObject({ priorityKey: 1, fairnessKey });
  expect(await priorityOf(event)).toMatchObject({ priorityKey: 5 });
});
