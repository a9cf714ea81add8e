/** A failure that goes by an alert policy, from the check to the recovery, on a real server. */
import type { AlertTarget, IncidentSilence } from '../../../src/contracts/alerts';
import { type EscalationStep, escalationWorkflowId } from '../../../src/contracts/escalation';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { waitUntil } from '../../support/wait-until';
import { endOf } from '../loop/random-orders';
import { openRealTime, startVirtualService, type VirtualService } from '../virtual-service';

const HOUR = 3_600_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west'], { openEnvironment: openRealTime });
});
afterAll(() => service.stop());

const target = (key: string): AlertTarget => ({
  key,
  type: 'webhook',
  channelId: null,
  masked: key,
  sealed: '',
});

function step(afterMinutes: number, names: readonly string[], more: Partial<EscalationStep> = {}) {
  const contacts = names.map((id) => ({ id, recipients: { channels: [], targets: [target(id)] } }));
  return { afterMinutes, contacts, until: 'acknowledged' as const, repeat: null, ...more };
}

/** A monitor that is down from its first slot on and is not checked again by itself. */
async function startFailing(id: string, steps: readonly EscalationStep[] | null): Promise<string> {
  if (steps !== null)
    service.ledger.policies.set(id, { policyName: id, steps, quietHours: null, lastResort: null });
  const rules = { channels: [], onFailure: true, onRecovery: true, onDegraded: false };
  const config = monitorConfig(id, {
    anchorMs: await service.nowMs(),
    intervalMs: 48 * HOUR,
    name: id,
    alerts: { ...rules, targets: [target(`${id} channel`)], remindEveryMinutes: null, policy: id },
  });
  service.answer(id, () => outcomeOf('down'));
  await service.gateway.configureMonitor(config);
  await waitUntil('the check', () => incidentOf(id) !== null);
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

test('a failure is handed to its escalation, an answer holds it, and the recovery reaches whoever was notified and nobody else', async () => {
  const incidentId = await startFailing('mon_policy', [step(0, ['first']), step(30, ['second'])]);
  await waitUntil('the first step', () => kindsAt('first').length === 1);
  const acknowledged = answer(incidentId, { isAcknowledged: true });
  const silence = (said: IncidentSilence) => service.gateway.silence('monitor', 'mon_policy', said);
  await Promise.all([silence(acknowledged), silence(acknowledged)]);
  await silence(answer(incidentId, { sequence: 2 }));
  await waitUntil('the reminder', () => kindsAt('first').length === 2);
  await service.replaceOrchestrator();
  await recover('mon_policy');
  await waitUntil('the recovery', () => kindsAt('first').length === 3);
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

/** A fraction of a minute; time passes by itself here. */
const SECONDS = 1 / 60;

test('each step comes once and in order, and repeats, however often workers are lost', async () => {
  const repeat = { everyMinutes: 2 * SECONDS, times: 2 };
  await startFailing('mon_lost', [
    step(0, ['one'], { repeat }),
    step(3 * SECONDS, ['two', 'one']),
    step(6 * SECONDS, ['three']),
  ]);
  await waitUntil('the first step', () => kindsAt('one').length === 1);
  await service.replaceOrchestrator();
  await waitUntil('the second step', () => kindsAt('two').length === 1);
  await service.replaceOrchestrator();
  await waitUntil('the third step', () => kindsAt('three').length === 1);
  expect(kindsAt('one')).toEqual(['failure', 'reminder', 'reminder', 'reminder']);
  await recover('mon_lost');
  const all = ['one', 'two', 'three'];
  await waitUntil('the recovery', () => all.every((key) => kindsAt(key).at(-1) === 'recovery'));
  expect(kindsAt('two')).toEqual(['failure', 'recovery']);
  expect(kindsAt('three')).toEqual(['failure', 'recovery']);
});

test('a snooze and quiet hours hold the steps, which come afterwards', async () => {
  const id = 'mon_held';
  const incidentId = await startFailing(id, [step(0, ['a']), step(5 * SECONDS, ['b'])]);
  await waitUntil('the first step', () => kindsAt('a').length === 1);
  const untilMs = Date.now() + 4_000;
  await service.gateway.silence('monitor', id, answer(incidentId, { snoozedUntilMs: untilMs }));
  service.ledger.quietUntilMs = untilMs + 2_000;
  await waitUntil('the reminder', () => kindsAt('a').length === 2);
  await waitUntil('the next step', () => kindsAt('b').length === 1);
  const atMs = service.ledger.tries.filter(({ target: key }) => key === 'a').at(-1)?.atMs ?? 0;
  expect(atMs).toBeGreaterThanOrEqual(untilMs + 2_000);
  expect(kindsAt('a')).toEqual(['failure', 'reminder']);
  await recover(id);
  await waitUntil('the recovery', () => kindsAt('b').at(-1) === 'recovery');
});

test('what is over notifies nobody more', async () => {
  const id = 'mon_over';
  await startFailing(id, [step(0, ['g']), step(2 * SECONDS, ['h']), step(3 * SECONDS, ['i'])]);
  await waitUntil('the first step', () => kindsAt('g').length === 1);
  service.ledger.standings.set(id, 'over');
  await recover(id);
  await waitUntil('the recovery', () => kindsAt('g').at(-1) === 'recovery');
  expect([kindsAt('h'), kindsAt('i')]).toEqual([[], []]);
});

test('what has no policy notifies its own channels of the failure and of the end', async () => {
  const incidentId = await startFailing('mon_plain', null);
  await waitUntil('the failure', () => kindsAt('mon_plain channel').length === 1);
  expect(incidentId).not.toBe('');
  await recover('mon_plain');
  await waitUntil('the recovery', () => kindsAt('mon_plain channel').length === 2);
  expect(kindsAt('mon_plain channel')).toEqual(['failure', 'recovery']);
});
