/** Tests a failure with an alert policy, from the check to the recovery, on a real server. */
import { alertWorkflowId, type IncidentSilence } from '../../../src/contracts/alerts';
import { type EscalationStep, escalationWorkflowId } from '../../../src/contracts/escalation';
import {
  monitorWorkflowId,
  ORCHESTRATOR_QUEUE,
  WORKFLOW_TYPES,
} from '../../../src/contracts/workflows';
import { webhookTarget } from '../../support/alert-message';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { endOf } from '../loop/random-orders';
import { startVirtualService, type VirtualService } from '../virtual-service';

const HOUR = 3_600_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
});
afterAll(() => service.stop());

function step(afterMinutes: number, names: readonly string[], more: Partial<EscalationStep> = {}) {
  const contacts = names.map((id) => ({
    id,
    recipients: { channels: [], targets: [webhookTarget(id)] },
  }));
  return { afterMinutes, contacts, until: 'acknowledged' as const, repeat: null, ...more };
}

/** Starts a monitor that is down from its first slot. It is not checked again automatically. */
async function startFailing(id: string, steps: readonly EscalationStep[] | null): Promise<string> {
  if (steps !== null)
    service.ledger.policies.set(id, { policyName: id, steps, quietHours: null, lastResort: null });
  const rules = { channels: [], onFailure: true, onRecovery: true, onDegraded: false };
  const config = monitorConfig(id, {
    anchorMs: service.nowMs(),
    intervalMs: 48 * HOUR,
    name: id,
    alerts: {
      ...rules,
      targets: [webhookTarget(`${id} channel`)],
      remindEveryMinutes: null,
      policy: id,
    },
  });
  service.answer(id, () => outcomeOf('down'));
  await service.gateway.configureMonitor(config);
  await service.until('the check', () => incidentOf(id) !== null);
  return incidentOf(id) ?? '';
}

const incidentOf = (id: string): string | null =>
  service.ledger.checks.findLast(({ monitorId }) => monitorId === id)?.currentIncidentId ?? null;

async function recover(id: string): Promise<void> {
  service.answer(id, () => outcomeOf('up'));
  const config = monitorConfig(id, { intervalMs: 48 * HOUR, name: id });
  await service.gateway.checkMonitorNow(config, { requestId: `up ${id}`, requestedAtMs: 1 });
}

const kindsAt = (key: string): readonly string[] =>
  service.ledger.tries.filter((one) => one.target === key).map(({ alert }) => alert.kind);
const answer = (incidentId: string, said: Partial<IncidentSilence>): IncidentSilence => ({
  incidentId,
  sequence: 1,
  isAcknowledged: false,
  snoozedUntilMs: null,
  ...said,
});

test('an escalation takes over a failure, and sends the recovery to the people it notified', async () => {
  const incidentId = await startFailing('mon_policy', [step(0, ['first']), step(30, ['second'])]);
  await service.until('the first step', () => kindsAt('first').length === 1);
  const acknowledged = answer(incidentId, { isAcknowledged: true });
  const silence = (said: IncidentSilence) => service.gateway.silence('monitor', 'mon_policy', said);
  await Promise.all([silence(acknowledged), silence(acknowledged)]);
  await silence(answer(incidentId, { sequence: 2 }));
  await service.until('the reminder', () => kindsAt('first').length === 2);
  await service.replaceOrchestrator();
  await recover('mon_policy');
  await service.until('the recovery', () => kindsAt('first').length === 3);
  expect(await endOf(service, escalationWorkflowId(incidentId))).toBe('COMPLETED');
  expect(kindsAt('first')).toEqual(['failure', 'reminder', 'recovery']);
  expect([kindsAt('second'), kindsAt('mon_policy channel')]).toEqual([[], []]);
  const stored = service.ledger.escalations.get(incidentId);
  expect(stored).toMatchObject({ isOver: true, done: [0] });
  expect(stored?.events?.map((event) => event.kind === 'notified' && event.numbers)).toEqual([
    [0],
    [],
  ]);
});

async function priorityOf(workflowId: string): Promise<number> {
  const handle = service.client.workflow.getHandle(workflowId);
  const { raw } = await handle.describe();
  return raw.workflowExecutionInfo?.priority?.priorityKey ?? 0;
}

test('alerts, escalations and their notifications have priority over checks', async () => {
  const incidentId = await startFailing('mon_first', [step(0, ['before checks'])]);
  await startFailing('mon_plain', null);
  const sentTo = (key: string) =>
    service.until(`an alert to ${key}`, () =>
      service.ledger.tries.find((one) => one.target === key),
    );
  const sent = await Promise.all([sentTo('before checks'), sentTo('mon_plain channel')]);
  const notifying = [
    escalationWorkflowId(incidentId),
    ...sent.map(({ alert }) => alertWorkflowId(alert.id)),
  ];
  expect(await Promise.all(notifying.map(priorityOf))).toEqual([1, 1, 1]);
  expect(await priorityOf(monitorWorkflowId('mon_first'))).toBe(0);
});

/** A second in minutes. Steps are only seconds apart, because time passes by itself in this test. */
const SECONDS = 1 / 60;

test('each step and repeat is sent once and in order, even if workers are lost', async () => {
  const repeat = { everyMinutes: 2 * SECONDS, times: 2 };
  await startFailing('mon_lost', [
    step(0, ['one'], { repeat }),
    step(3 * SECONDS, ['two', 'one']),
    step(6 * SECONDS, ['three']),
  ]);
  await service.until('the first step', () => kindsAt('one').length === 1);
  await service.replaceOrchestrator();
  await service.until('the second step', () => kindsAt('two').length === 1);
  await service.replaceOrchestrator();
  await service.until('the third step', () => kindsAt('three').length === 1);
  // Each recipient has a separate delivery, so the delivery of a repeat may end after the delivery of a later step.
  await service.until('the repeats', () => kindsAt('one').length === 4);
  expect(kindsAt('one')).toEqual(['failure', 'reminder', 'reminder', 'reminder']);
  await recover('mon_lost');
  const all = ['one', 'two', 'three'];
  await service.until('the recovery', () => all.every((key) => kindsAt(key).at(-1) === 'recovery'));
  expect(kindsAt('two')).toEqual(['failure', 'recovery']);
  expect(kindsAt('three')).toEqual(['failure', 'recovery']);
});

test('a snooze and quiet hours defer the steps until they end', async () => {
  const id = 'mon_held';
  const incidentId = await startFailing(id, [step(0, ['a']), step(5 * SECONDS, ['b'])]);
  await service.until('the first step', () => kindsAt('a').length === 1);
  const untilMs = Date.now() + 4_000;
  await service.gateway.silence('monitor', id, answer(incidentId, { snoozedUntilMs: untilMs }));
  service.ledger.quietUntilMs = untilMs + 2_000;
  await service.until('the reminder', () => kindsAt('a').length === 2);
  await service.until('the next step', () => kindsAt('b').length === 1);
  const atMs = service.ledger.tries.filter(({ target: key }) => key === 'a').at(-1)?.atMs ?? 0;
  expect(atMs).toBeGreaterThanOrEqual(untilMs + 2_000);
  expect(kindsAt('a')).toEqual(['failure', 'reminder']);
  await recover(id);
  await service.until('the recovery', () => kindsAt('b').at(-1) === 'recovery');
});

test('an escalation of an incident that has ended sends no more steps', async () => {
  const id = 'mon_over';
  await startFailing(id, [step(0, ['g']), step(2 * SECONDS, ['h']), step(3 * SECONDS, ['i'])]);
  await service.until('the first step', () => kindsAt('g').length === 1);
  service.ledger.standings.set(id, 'over');
  await recover(id);
  await service.until('the recovery', () => kindsAt('g').at(-1) === 'recovery');
  expect([kindsAt('h'), kindsAt('i')]).toEqual([[], []]);
});

/**
 * Terminates the workflow of the escalation, as if Temporal had lost its data. The database still contains the
 * escalation.
 */
async function loseEscalation(incidentId: string): Promise<void> {
  await service.until('it is stored', () => ledgerOf(incidentId)?.done.includes(0) === true);
  await service.client.workflow.getHandle(escalationWorkflowId(incidentId)).terminate('lost');
}

const ledgerOf = (incidentId: string) => service.ledger.escalations.get(incidentId);

test('the recovery reaches the people notified, even if Temporal has lost the escalation', async () => {
  const incidentId = await startFailing('mon_gone', [step(0, ['j']), step(30, ['k'])]);
  await service.until('the first step', () => kindsAt('j').length === 1);
  await loseEscalation(incidentId);
  await recover('mon_gone');
  await service.until('the recovery', () => kindsAt('j').length === 2);
  expect([kindsAt('j'), kindsAt('k')]).toEqual([['failure', 'recovery'], []]);
  expect(kindsAt('mon_gone channel')).toEqual([]);
});

test('a lost escalation continues where it was when its monitor reports the failure again', async () => {
  const id = 'mon_again';
  const incidentId = await startFailing(id, [step(0, ['l']), step(3 * SECONDS, ['m'])]);
  await service.until('the first step', () => kindsAt('l').length === 1);
  await loseEscalation(incidentId);
  const alert = ledgerOf(incidentId)?.alert;
  if (alert === undefined) throw new Error('nothing is stored');
  const again = { ...alert, id: `${alert.id}-again` };
  await service.client.workflow.execute(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(again.id),
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [{ v: 1, alert: again, recipients: { channels: [], targets: [] } }],
  });
  await service.until('the next step', () => kindsAt('m').length === 1);
  expect([kindsAt('l'), kindsAt('m')]).toEqual([['failure'], ['failure']]);
  await recover(id);
  await service.until('the recovery', () => kindsAt('m').at(-1) === 'recovery');
});

test('a monitor without a policy notifies its own channels of the failure and the recovery', async () => {
  const incidentId = await startFailing('mon_plain', null);
  await service.until('the failure', () => kindsAt('mon_plain channel').length === 1);
  expect(incidentId).not.toBe('');
  await recover('mon_plain');
  await service.until('the recovery', () => kindsAt('mon_plain channel').length === 2);
  expect(kindsAt('mon_plain channel')).toEqual(['failure', 'recovery']);
});

test('a step waits for its hours and sends one alert, even if the orchestrator is lost before the hours', async () => {
  const { ledger } = service;
  const startedAtMs = service.nowMs();
  ledger.closedUntilMs.set('desk', startedAtMs + 9 * HOUR);
  const repeat = { everyMinutes: 60, times: 3 };
  await startFailing('mon_step_hours', [
    step(0, ['desk'], { hours: 'desk', repeat }),
    step(30, ['on call']),
  ]);
  await service.until('the step without hours', () => kindsAt('on call').length === 1);
  await service.pass(startedAtMs + 9 * HOUR - 1_000 - service.nowMs());
  expect(kindsAt('desk')).toEqual([]);
  await service.replaceOrchestrator();
  await service.withoutOrchestrator(() => service.pass(60_000));
  await service.until('the step with hours', () => kindsAt('desk').length > 0);
  await service.pass(HOUR);
  expect(kindsAt('desk')).toEqual(['failure']);
  const [told] = ledger.tries.filter(({ target }) => target === 'desk');
  expect(Number(told?.alert.openedAtMs) - startedAtMs).toBeLessThan(60_000);
  expect(Number(told?.alert.atMs)).toBeGreaterThanOrEqual(startedAtMs + 9 * HOUR);
  await recover('mon_step_hours');
});

test("an escalation step sends nothing about an incident that ends before the step's hours begin", async () => {
  const { ledger } = service;
  ledger.closedUntilMs.set('day', service.nowMs() + 9 * HOUR);
  await startFailing('mon_step_over', [step(0, ['day'], { hours: 'day' })]);
  await service.pass(HOUR);
  await recover('mon_step_over');
  await service.pass(10 * HOUR);
  expect(kindsAt('day')).toEqual([]);
});
