/** Tests the escalation of an identity provider in its workflow: later recipients, repeated calls, and one recovery. */
import { type EscalationPlan, escalationWorkflowId } from '../../../src/contracts/escalation';
import { beginEscalation } from '../../../src/domain/alerting/escalation-course';
import { createReconcileGateway } from '../../../src/temporal/reconcile-gateway';
import { buildAlert, webhookTarget } from '../../support/alert-message';
import { endOf } from '../loop/random-orders';
import { startVirtualService, type VirtualService } from '../virtual-service';

let service: VirtualService;
beforeAll(async () => {
  service = await startVirtualService([]);
});
afterAll(() => service.stop());

const MINUTE_MS = 60_000;

function planFor(...names: string[]): EscalationPlan {
  const steps = names.map((id) => ({
    key: `direct:${id}`,
    afterMinutes: 0,
    until: 'acknowledged' as const,
    repeat: null,
    contacts: [{ id, recipients: { channels: [], targets: [webhookTarget(id)] } }],
  }));
  return { policyName: '', steps, quietHours: null, lastResort: null };
}

function providerAlert(incidentId: string) {
  const subject = { resourceType: 'identityProvider', resourceId: 'idp_1' } as const;
  return buildAlert({ ...subject, id: `${incidentId}-failure`, incidentId, atMs: service.nowMs() });
}

function record(incidentId: string, plan: EscalationPlan) {
  const state = beginEscalation(providerAlert(incidentId), plan, service.nowMs());
  return { accountId: 'acc_1', incidentId, state };
}

const kindsAt = (key: string): readonly string[] =>
  service.ledger.tries.filter((one) => one.target === key).map(({ alert }) => alert.kind);

test('each recipient of an escalation with added steps gets one alert and one recovery, even if calls repeat', async () => {
  const temporal = createReconcileGateway(service.client);
  const incidentId = 'inc_again';
  const first = planFor('a');
  for (let times = 0; times < 3; times += 1)
    await temporal.extendEscalation(record(incidentId, first), first);
  await service.until('the first alert', () => kindsAt('a').length === 1);
  await service.pass(3 * MINUTE_MS);
  const more = planFor('a', 'b');
  for (let times = 0; times < 3; times += 1)
    await temporal.extendEscalation(record(incidentId, more), more);
  await service.replaceOrchestrator();
  await service.until('the second alert', () => kindsAt('b').length === 1);
  const recovery = { ...providerAlert(incidentId), id: 'over', kind: 'recovery' as const };
  await temporal.endEscalation(record(incidentId, planFor()), recovery);
  await service.until('the recovery', () => kindsAt('b').length === 2);
  expect(await endOf(service, escalationWorkflowId(incidentId))).toBe('COMPLETED');
  await temporal.endEscalation(record(incidentId, planFor()), recovery);
  await temporal.extendEscalation(record(incidentId, more), more);
  await service.pass(10 * MINUTE_MS);
  expect([kindsAt('a'), kindsAt('b')]).toEqual([
    ['failure', 'recovery'],
    ['failure', 'recovery'],
  ]);
});

test('after the loss of an escalation, everyone notified gets the recovery, and no alert twice', async () => {
  const temporal = createReconcileGateway(service.client);
  const incidentId = 'inc_lost';
  const plan = planFor('c');
  await temporal.extendEscalation(record(incidentId, plan), plan);
  await service.until('the alert', () => kindsAt('c').length === 1);
  const stored = await service.until('the state', () => service.ledger.escalations.get(incidentId));
  await service.client.workflow.getHandle(escalationWorkflowId(incidentId)).terminate('lost');
  const recovery = { ...providerAlert(incidentId), id: 'over too', kind: 'recovery' as const };
  await temporal.endEscalation({ accountId: 'acc_1', incidentId, state: stored }, recovery);
  await service.until('the recovery', () => kindsAt('c').length === 2);
  await service.pass(10 * MINUTE_MS);
  expect(kindsAt('c')).toEqual(['failure', 'recovery']);
});

test('an acknowledged outage notifies no recipients that are added later', async () => {
  const temporal = createReconcileGateway(service.client);
  const incidentId = 'inc_silent';
  const [step] = planFor('d').steps;
  const contacts = (step?.contacts ?? []).map((one) => ({ ...one, isRecoveryOff: true as const }));
  const plan = { ...planFor(), steps: step === undefined ? [] : [{ ...step, contacts }] };
  await temporal.extendEscalation(record(incidentId, plan), plan);
  await service.until('the alert', () => kindsAt('d').length === 1);
  const silence = { incidentId, sequence: 1, isAcknowledged: true, snoozedUntilMs: null };
  await service.gateway.silence('identityProvider', 'idp_1', silence);
  const more = planFor('d', 'e');
  await temporal.extendEscalation(record(incidentId, more), more);
  await service.pass(10 * MINUTE_MS);
  const recovery = { ...providerAlert(incidentId), id: 'quiet', kind: 'recovery' as const };
  await temporal.endEscalation(record(incidentId, planFor()), recovery);
  await service.pass(10 * MINUTE_MS);
  expect([kindsAt('d'), kindsAt('e')]).toEqual([['failure'], []]);
});
