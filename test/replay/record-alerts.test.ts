/**
 * Tests that the histories of alerts, escalations, digests, tests and housekeeping can be replayed. Stores them on
 * request.
 */
import { type AlertMessage, type AlertTarget, alertWorkflowId } from '../../src/contracts/alerts';
import { digestWorkflowId } from '../../src/contracts/digests';
import { type EscalationPlan, escalationWorkflowId } from '../../src/contracts/escalation';
import { HOUSEKEEPING_WORKFLOW_ID } from '../../src/contracts/housekeeping';
import {
  monitorWorkflowId,
  ORCHESTRATOR_QUEUE,
  SILENCE_UPDATE,
  testCheckWorkflowId,
  WORKFLOW_TYPES,
} from '../../src/contracts/workflows';
import { beginEscalation } from '../../src/domain/alerting/escalation-course';
import { createLogger } from '../../src/platform/logger';
import { foldAlerts } from '../../src/temporal/calls/alert-calls';
import { ensureHousekeeping } from '../../src/temporal/ensure-housekeeping';
import { createReconcileGateway } from '../../src/temporal/reconcile-gateway';
import { buildAlert, webhookTarget } from '../support/alert-message';
import { monitorConfig, outcomeOf } from '../support/outcomes';
import { startVirtualService, type VirtualService } from '../workflows/virtual-service';
import { keepHistory } from './keep-history';

const MINUTE = 60_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService();
});
afterAll(() => service.stop());

async function alertMessage(name: string): Promise<AlertMessage> {
  const atMs = service.nowMs();
  return buildAlert({
    id: `owed-${name}`,
    accountId: 'acc_replay',
    incidentId: `inc_${name}`,
    resourceId: `mon_${name}`,
    resourceName: name,
    atMs,
    regions: ['eu-west'],
  });
}

test('the history of an alert to a busy and an available recipient can be replayed', async () => {
  const { ledger, client } = service;
  let answers = 0;
  ledger.receivers.set('slow', () => {
    answers += 1;
    return answers < 3
      ? { kind: 'later', detail: 'busy', afterMs: null }
      : { kind: 'sent', detail: 'taken' };
  });
  const alert = await alertMessage('shop');
  const recipients = { channels: [], targets: [webhookTarget('slow'), webhookTarget('quick')] };
  await client.workflow.start(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [{ v: 1, alert, recipients }],
  });
  const isSent = (key: string) => ledger.deliveries.get(`${alert.id} ${key}`)?.status === 'sent';
  await service.until('the first place', () => isSent('quick'));
  await service.pass(MINUTE);
  await service.until('the other one', () => isSent('slow'));
  await keepHistory(service, 'alert', alertWorkflowId(alert.id));
});

test('the histories of housekeeping and of testing an unsaved definition can be replayed', async () => {
  const { gateway, ledger, client } = service;
  await gateway.testMonitor(monitorConfig('mon_replay_test'), MINUTE);
  await keepHistory(service, 'test-check', testCheckWorkflowId('mon_replay_test'));
  const stop = ensureHousekeeping(client, createLogger('test', 'silent'));
  await service.until('a pass', () => ledger.housekeeping.length > 0);
  stop();
  await service.pass(3 * MINUTE);
  await keepHistory(service, 'housekeeping-rollouts', HOUSEKEEPING_WORKFLOW_ID);
  await client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID).terminate();
});

/**
 * Moves the time with `pass` while a digest collects alerts. Waiting for the end of the digest would skip this time.
 */
test('the history of a digest can be replayed, and each recipient gets one digest', async () => {
  const { client } = service;
  const { ledger } = service;
  ledger.tries.length = 0;
  const fold = async (name: string, keys: readonly string[]) =>
    foldAlerts(client, [{ alert: await alertMessage(name), targets: keys.map(webhookTarget) }]);
  await fold('one', ['both', 'first']);
  await fold('two', ['both']);
  await fold('two', ['both']);
  await fold('three', ['both']);
  expect(ledger.folded).toEqual([]);
  await client.workflow.getHandle(digestWorkflowId('acc_replay')).result();
  expect(ledger.folded.map(({ resourceName }) => resourceName)).toEqual(['one', 'two', 'three']);
  await service.until('the digests', () => ledger.tries.length === 2);
  const told = ledger.tries.map((sent) => [
    sent.target,
    sent.alert.entries.map(({ resourceName }) => resourceName),
  ]);
  expect(Object.fromEntries(told)).toEqual({ both: ['one', 'two', 'three'], first: ['one'] });
  await keepHistory(service, 'digest', digestWorkflowId('acc_replay'));
});

test('the histories of a digest and its monitor can be replayed if an alert joins the digest before it has a workflow', async () => {
  const { ledger, gateway, client } = service;
  const rules = { channels: [], targets: [webhookTarget('folded')], remindEveryMinutes: null };
  const config = monitorConfig('mon_replay_folded', {
    accountId: 'acc_replay_folded',
    anchorMs: service.nowMs(),
    alerts: { ...rules, onFailure: true, onRecovery: true, onDegraded: false },
  });
  const isSent = (kind: AlertMessage['kind']) =>
    ledger.tries.some(({ target, alert }) => target === 'folded' && alert.kind === kind);
  ledger.admits = 0;
  service.answer(config.id, () => outcomeOf('down'));
  await gateway.configureMonitor(config);
  await service.until('the digest', () => isSent('digest'));
  ledger.admits = Number.POSITIVE_INFINITY;
  await client.workflow.getHandle(digestWorkflowId(config.accountId)).result();
  service.answer(config.id, () => outcomeOf('up'));
  await service.pass(MINUTE);
  await service.until('the recovery', () => isSent('recovery'));
  await keepHistory(service, 'monitor-folded', monitorWorkflowId(config.id));
  await keepHistory(service, 'digest-of-batches', digestWorkflowId(config.accountId));
  await gateway.removeMonitor(config.id);
});

/** Returns a plan that names the policy of a resource. */
function planOf(names: readonly string[]): EscalationPlan {
  const contactOf = (id: string) => ({
    id,
    recipients: { channels: [], targets: [webhookTarget(id)] },
  });
  const steps = names.map((id, index) => ({
    afterMinutes: index * 5,
    until: 'acknowledged' as const,
    repeat: null,
    contacts: [contactOf(id)],
  }));
  return { policyName: 'p', steps, quietHours: null, lastResort: null, route: 1 };
}

test('the histories of an escalation and of the alerts that it takes over can be replayed', async () => {
  const { ledger, client } = service;
  const { workflow } = client;
  const alert = await alertMessage('escalated');
  const { incidentId, resourceId } = alert;
  ledger.policies.set(resourceId, planOf(['ann', 'bob', 'cho']));
  const start = (owed: AlertMessage) =>
    workflow.start(WORKFLOW_TYPES.alert, {
      workflowId: alertWorkflowId(owed.id),
      taskQueue: ORCHESTRATOR_QUEUE,
      args: [
        { v: 1, alert: owed, recipients: { channels: [], targets: [webhookTarget('channel')] } },
      ],
    });
  const kindsAt = (key: string) =>
    ledger.tries.flatMap((one) => (one.target === key ? [one.alert.kind] : []));
  await start(alert);
  await service.until('the first step', () => kindsAt('ann').length === 1);
  const id = escalationWorkflowId(incidentId ?? '');
  const answer = { incidentId, sequence: 1, isAcknowledged: true, snoozedUntilMs: null };
  const escalation = workflow.getHandle(id);
  await escalation.executeUpdate(SILENCE_UPDATE, { args: [answer] });
  const taken = { ...answer, sequence: 2, isAcknowledged: false };
  await escalation.executeUpdate(SILENCE_UPDATE, { args: [taken] });
  await service.until('the reminder', () => kindsAt('ann').length === 2);
  ledger.quietUntilMs = service.nowMs() + 6 * MINUTE;
  await service.pass(7 * MINUTE);
  await service.until('the second step', () => kindsAt('bob').length === 1);
  await start({ ...alert, id: 'owed-recovered', kind: 'recovery', ends: ['failure'] });
  await service.until('the end', () => kindsAt('bob').length > 1 && kindsAt('ann').length > 2);
  await escalation.result();
  expect(kindsAt('channel')).toEqual([]);
  expect(kindsAt('ann')).toEqual(['failure', 'reminder', 'recovery']);
  await keepHistory(service, 'escalation', id);
  await keepHistory(service, 'alert-handed-over', alertWorkflowId(alert.id));
});

test('the history of an alert with a fallback can be replayed', async () => {
  const { ledger, client } = service;
  const hasStandby = () => ledger.tries.some((one) => one.target === 'standby');
  ledger.receivers.set('busy', () =>
    hasStandby()
      ? { kind: 'sent', detail: 'taken' }
      : { kind: 'later', detail: 'busy', afterMs: 60_000 },
  );
  const alert = await alertMessage('fallen-back');
  const first: AlertTarget = {
    ...webhookTarget('busy'),
    channelId: 'chn_1',
    fallback: { channelId: 'chn_2', afterMinutes: 10 },
  };
  const second: AlertTarget = { ...webhookTarget('standby'), channelId: 'chn_2', isStandby: true };
  await client.workflow.start(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [{ v: 1, alert, recipients: { channels: [], targets: [first, second] } }],
  });
  const isSent = (key: string) => ledger.deliveries.get(`${alert.id} ${key}`)?.status === 'sent';
  await service.pass(13 * MINUTE);
  await service.until('both channels', () => isSent('standby') && isSent('busy'));
  await keepHistory(service, 'alert-fallback', alertWorkflowId(alert.id));
});

test('the history of a monitor can be replayed if the alert about a failure waits for dependencies', async () => {
  const { ledger, gateway } = service;
  const parent = monitorConfig('mon_replay_parent', { anchorMs: service.nowMs() });
  const alerts = { ...parent.alerts, targets: [webhookTarget('child')] };
  const config = { ...parent, id: 'mon_replay_child', alerts, dependsOn: [parent.id] };
  for (const { id } of [parent, config]) service.answer(id, () => outcomeOf('down'));
  await gateway.configureMonitor(parent);
  await gateway.configureMonitor(config);
  const isExplained = () =>
    ledger.decisions.some(({ explainedBy }) => explainedBy?.id === parent.id) ||
    ledger.checks.some(({ incident }) => incident?.explainedBy?.id === parent.id);
  await service.until('it is explained', isExplained);
  service.answer(parent.id, () => outcomeOf('up'));
  const isNotified = () => ledger.tries.some((one) => one.target === 'child');
  await service.until('its own alert', async () => {
    await service.pass(MINUTE);
    return isNotified();
  });
  await keepHistory(service, 'monitor-depends', monitorWorkflowId(config.id));
  for (const { id } of [parent, config]) await gateway.removeMonitor(id);
});

test("the history of an identity provider's escalation can be replayed, with later recipients and its end", async () => {
  const temporal = createReconcileGateway(service.client);
  const provider = { resourceType: 'identityProvider', resourceId: 'idp_replay' } as const;
  const alert = { ...(await alertMessage('provider')), ...provider };
  const incidentId = alert.incidentId ?? '';
  const planFor = (...names: string[]): EscalationPlan => ({
    policyName: '',
    steps: names.map((id) => ({
      key: `direct:${id}`,
      afterMinutes: 0,
      until: 'acknowledged',
      repeat: { everyMinutes: 5, times: 2 },
      quietHours: { timeZone: 'UTC', days: ['mon'], from: '02:00', to: '03:00' },
      contacts: [{ id, recipients: { channels: [], targets: [webhookTarget(id)] } }],
    })),
    quietHours: null,
    lastResort: null,
  });
  const first = planFor('first of provider');
  const state = beginEscalation(alert, first, service.nowMs());
  const escalation = { accountId: alert.accountId, incidentId, state };
  await temporal.extendEscalation(escalation, first);
  await service.pass(2 * MINUTE);
  await temporal.extendEscalation(escalation, planFor('first of provider', 'later one'));
  await service.pass(6 * MINUTE);
  await temporal.endEscalation(escalation, { ...alert, id: 'provider-over', kind: 'recovery' });
  const workflowId = escalationWorkflowId(incidentId);
  await service.client.workflow.getHandle(workflowId).result();
  await keepHistory(service, 'escalation-of-provider', workflowId);
});
