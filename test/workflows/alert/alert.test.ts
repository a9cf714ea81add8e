/** Tests alerts on a virtual clock: who gets them, how long delivery is retried, and which alerts are folded. */
import {
  type AlertInput,
  type AlertMessage,
  type AlertTarget,
  alertWorkflowId,
  type DeliveryRecord,
  type IncidentSilence,
} from '../../../src/contracts/alerts';
import { digestWorkflowId } from '../../../src/contracts/digests';
import {
  type MonitorConfig,
  ORCHESTRATOR_QUEUE,
  SIGNALS,
  WORKFLOW_TYPES,
} from '../../../src/contracts/workflows';
import { foldAlerts } from '../../../src/temporal/calls/alert-calls';
import { buildAlert, webhookTarget } from '../../support/alert-message';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { endOf } from '../loop/random-orders';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService();
});
afterEach(() => service.removeAll());
afterAll(() => service.stop());

/**
 * Returns recipients, one for each channel. Each channel is the fallback of the previous channel, after a quarter of an
 * hour.
 */
function chainOf(...keys: readonly string[]): readonly AlertTarget[] {
  return keys.map((key, index) => {
    const next = keys[index + 1];
    return {
      ...webhookTarget(key),
      channelId: key,
      ...(index > 0 && { isStandby: true }),
      ...(next !== undefined && { fallback: { channelId: next, afterMinutes: 15 } }),
    };
  });
}

interface Reminded {
  readonly intervalMs: number;
  readonly remindEveryMinutes: number | null;
}

/** Starts a monitor that fails from its first slot. By default, it has no second slot within the test. */
async function startFailing(
  id: string,
  keys: readonly (string | AlertTarget)[],
  { intervalMs = 48 * HOUR, remindEveryMinutes = null }: Partial<Reminded> = {},
): Promise<MonitorConfig> {
  const rules = { channels: [], onFailure: true, onRecovery: true, onDegraded: false };
  const targets = keys.map((key) => (typeof key === 'string' ? webhookTarget(key) : key));
  const config = monitorConfig(id, {
    anchorMs: service.nowMs(),
    intervalMs,
    name: id,
    alerts: { ...rules, targets, remindEveryMinutes },
  });
  service.answer(id, () => outcomeOf('down'));
  await service.gateway.configureMonitor(config);
  return config;
}

const triesAt = (key: string) => service.ledger.tries.filter((entry) => entry.target === key);
const kindsAt = (key: string) => triesAt(key).map(({ alert }) => alert.kind);
const recordAt = (key: string): DeliveryRecord | undefined =>
  [...service.ledger.deliveries.values()].find((record) => record.target.key === key);

test('a failure alert is sent while the database is away, and recorded afterwards', async () => {
  service.ledger.isAway = true;
  await startFailing('mon_away', ['away']);
  await service.until('the alert', () => triesAt('away').length === 1);
  expect(service.ledger.checks.some(({ monitorId }) => monitorId === 'mon_away')).toBe(false);
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  await service.until('its record', () => recordAt('away')?.status === 'sent');
  expect(kindsAt('away')).toEqual(['failure']);
});

test('a busy recipient is retried after the wait that it asks for, then at growing intervals for a day', async () => {
  let answers = 0;
  service.ledger.receivers.set('busy', () => {
    answers += 1;
    return { kind: 'later', detail: 'busy', afterMs: answers === 1 ? 90_000 : null };
  });
  service.ledger.receivers.set('eager', () => ({ kind: 'later', detail: 'busy', afterMs: 0 }));
  await startFailing('mon_busy', ['busy', 'eager', 'fine']);
  await service.until('the other place', () => recordAt('fine')?.status === 'sent');
  await service.pass(25 * HOUR);
  await service.until('the end of the tries', () => recordAt('busy')?.status === 'failed');
  await service.until('the end of the other tries', () => recordAt('eager')?.status === 'failed');
  const times = triesAt('busy').map(({ atMs }) => atMs);
  const pauses = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  expect(pauses[0]).toBeGreaterThanOrEqual(90_000);
  for (const pause of pauses.slice(10)) expect(Math.round(pause / MINUTE)).toBe(10);
  const lasted = (times.at(-1) ?? 0) - (times[0] ?? 0);
  expect(lasted).toBeGreaterThan(23 * HOUR);
  expect(lasted).toBeLessThanOrEqual(24 * HOUR);
  expect(recordAt('busy')?.attempts).toHaveLength(times.length);
  const eager = triesAt('eager').length;
  expect(eager).toBeGreaterThan(times.length);
  expect(eager).toBeLessThan(times.length + 20);
  expect(triesAt('fine')).toHaveLength(1);
});

test('each attempt to send an alert knows how often its sender was lost before', async () => {
  service.ledger.receivers.set('deadly', () => {
    if (triesAt('deadly').length < 4) throw new Error('the process ends');
    return { kind: 'sent', detail: 'taken' };
  });
  await startFailing('mon_deadly', ['deadly']);
  await service.pass(5 * MINUTE);
  await service.until('the end of the tries', () => recordAt('deadly')?.status === 'sent');
  expect(triesAt('deadly').map(({ lostTries }) => lostTries)).toEqual([0, 1, 2, 3]);
});

test('a recipient that refuses permanently gets one attempt', async () => {
  service.ledger.receivers.set('gone', () => ({ kind: 'refused', detail: '410' }));
  await startFailing('mon_gone_place', ['gone']);
  await service.until('the refusal', () => recordAt('gone')?.status === 'failed');
  await service.pass(10 * MINUTE);
  expect(triesAt('gone')).toHaveLength(1);
});

test('a fallback gets an alert once if its channel is too slow, and the channel is still retried', async () => {
  const busy = () => ({ kind: 'later', detail: 'busy', afterMs: null }) as const;
  service.ledger.receivers.set('main', busy);
  const begunMs = service.nowMs();
  // Both channels have the same third channel as their fallback.
  const other = chainOf('other', 'third');
  service.ledger.receivers.set('other', busy);
  // The alert is resumed after 22 hours, so its tries end two hours later.
  const alert = buildAlert({ id: 'resumed', atMs: begunMs - 22 * HOUR });
  const targets = [...chainOf('main', 'third'), ...other.slice(0, 1)];
  const input: AlertInput = { v: 1, alert, recipients: { channels: [], targets }, earlier: {} };
  await service.client.workflow.start(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [input],
  });
  await service.until('the first tries', () => triesAt('main').length > 0);
  expect(triesAt('third')).toHaveLength(0);
  await service.pass(20 * MINUTE);
  await service.until('the fallback', () => recordAt('third')?.status === 'sent');
  expect(triesAt('third')).toHaveLength(1);
  expect((triesAt('third')[0]?.atMs ?? 0) - begunMs).toBeGreaterThanOrEqual(15 * MINUTE);
  service.ledger.receivers.delete('main');
  await service.pass(20 * MINUTE);
  await service.until('the main channel', () => recordAt('main')?.status === 'sent');
  await service.until('the end of the tries', () => recordAt('other')?.status === 'failed');
  await service.pass(HOUR);
  expect(triesAt('third')).toHaveLength(1);
});

test('a fallback gets an alert at once if its channel refuses permanently', async () => {
  for (const key of ['refusing', 'refusing too'])
    service.ledger.receivers.set(key, () => ({ kind: 'refused', detail: '410' }));
  const begunMs = service.nowMs();
  await startFailing('mon_chain', chainOf('refusing', 'refusing too', 'last'));
  await startFailing('mon_taken', chainOf('taking', 'unused'));
  await service.until('the last of the chain', () => recordAt('last')?.status === 'sent');
  expect((triesAt('last')[0]?.atMs ?? 0) - begunMs).toBeLessThan(5 * MINUTE);
  await service.until('the recipient that accepts it', () => recordAt('taking')?.status === 'sent');
  await service.pass(60 * MINUTE);
  expect(triesAt('unused')).toHaveLength(0);
});

test('over many checks and edits, an outage sends one failure alert and one recovery alert', async () => {
  const config = await startFailing('mon_long', ['long']);
  const checks = () => service.ledger.checks.filter(({ monitorId }) => monitorId === 'mon_long');
  const check = async (requestId: string): Promise<void> => {
    const before = checks().length;
    // Moves the clock, because two checks in one millisecond would count as one slot.
    await service.pass(1);
    await service.gateway.checkMonitorNow(config, { requestId, requestedAtMs: 1 });
    await service.until('the check', () => checks().length > before);
  };
  for (let count = 0; count < 10; count += 1) await check(`down ${count}`);
  await service.gateway.configureMonitorNow({ ...config, version: 2 });
  service.answer('mon_long', () => outcomeOf('up'));
  for (let count = 0; count < 10; count += 1) await check(`up ${count}`);
  await service.until('the recovery', () => kindsAt('long').length === 2);
  expect(kindsAt('long')).toEqual(['failure', 'recovery']);
  const [failure, recovery] = triesAt('long');
  expect(recovery?.alert.incidentId).toBe(failure?.alert.incidentId);
  const request = { method: 'GET', url: 'http://shop.example/' };
  expect(recovery?.alert.passing).toEqual({ ...request, status: null, responseTimeMs: 12 });
  expect(failure?.alert).not.toHaveProperty('passing');
  const told = checks().filter(({ incident }) => incident !== null);
  expect(told.map(({ incident }) => incident?.closedAtMs === null)).toEqual([true, false]);
});

const openIncidentOf = (id: string): string | null =>
  service.ledger.checks.findLast(({ monitorId }) => monitorId === id)?.currentIncidentId ?? null;
const silenceOf = (id: string, said: Partial<IncidentSilence>): IncidentSilence => ({
  incidentId: openIncidentOf(id) ?? '',
  sequence: 1,
  isAcknowledged: false,
  snoozedUntilMs: null,
  ...said,
});
const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);

test('over many checks and continue-as-new, an acknowledged incident sends no reminder', async () => {
  const id = 'mon_acknowledged';
  await startFailing(id, ['acknowledged'], { intervalMs: MINUTE, remindEveryMinutes: 10 });
  await service.until('the first check', () => checksOf(id).length > 0);
  await service.pass(21 * MINUTE);
  await service.until('the reminders', () => kindsAt('acknowledged').length === 3);
  expect(kindsAt('acknowledged')).toEqual(['failure', 'reminder', 'reminder']);

  await service.gateway.silence('monitor', id, silenceOf(id, { isAcknowledged: true }));
  const handle = service.client.workflow.getHandle(`monitor-${id}`);
  const { runId } = await handle.describe();
  await service.pass(MINUTE);
  await handle.signal(SIGNALS.moveOn);
  await service.pass(70 * MINUTE);
  await service.until('the checks', () => checksOf(id).length > 80);
  expect((await handle.describe()).runId).not.toBe(runId);
  expect(kindsAt('acknowledged')).toHaveLength(3);

  service.answer(id, () => outcomeOf('up'));
  await service.pass(2 * MINUTE);
  await service.until('the recovery', () => kindsAt('acknowledged').at(-1) === 'recovery');
  service.answer(id, () => outcomeOf('down'));
  await service.pass(2 * MINUTE);
  await service.until('the next incident', () => kindsAt('acknowledged').length === 5);
  expect(kindsAt('acknowledged').slice(3)).toEqual(['recovery', 'failure']);
  await service.gateway.removeMonitor(id);
});

test('a snoozed incident sends nothing until the snooze ends, and a reminder exactly then', async () => {
  const id = 'mon_snoozed';
  await startFailing(id, ['snoozed'], { intervalMs: 6 * HOUR, remindEveryMinutes: 5 });
  await service.until('the failure', () => kindsAt('snoozed').length === 1);
  await service.until('the first check', () => checksOf(id).length === 1);
  const untilMs = service.nowMs() + 90 * MINUTE;
  await service.gateway.silence('monitor', id, silenceOf(id, { snoozedUntilMs: untilMs }));
  await service.pass(80 * MINUTE);
  expect(kindsAt('snoozed')).toEqual(['failure']);
  await service.pass(11 * MINUTE);
  await service.until('the reminder', () => kindsAt('snoozed').length === 2);
  expect(kindsAt('snoozed')).toEqual(['failure', 'reminder']);
  expect((triesAt('snoozed')[1]?.atMs ?? 0) - untilMs).toBeLessThan(MINUTE);
  expect(checksOf(id)).toHaveLength(1);
  await service.gateway.removeMonitor(id);
});

test('an acknowledgement or snooze that is outdated changes nothing', async () => {
  const id = 'mon_overtaken';
  await startFailing(id, ['overtaken'], { intervalMs: MINUTE, remindEveryMinutes: 5 });
  await service.until('the first check', () => checksOf(id).length > 0);
  const newer = { ...silenceOf(id, {}), sequence: 3 };
  await service.gateway.silence('monitor', id, newer);
  await service.gateway.silence('monitor', id, { ...newer, sequence: 2, isAcknowledged: true });
  await service.pass(7 * MINUTE);
  await service.until('the reminder', () => kindsAt('overtaken').includes('reminder'));
  await service.gateway.removeMonitor(id);
});

function reminderOf(name: string, atMs: number): AlertMessage {
  return buildAlert({
    id: `reminder-${name}`,
    kind: 'reminder',
    accountId: 'acc_digest',
    incidentId: `inc_${name}`,
    resourceId: `mon_${name}`,
    resourceName: name,
    atMs,
  });
}

const alertOf = (key: string) => triesAt(key).map(({ alert }) => alert)[0];
const cancel = (workflowId: string) => service.client.workflow.getHandle(workflowId).cancel();

test('an alert cancelled by an operator is not retried, and its record has the reason', async () => {
  service.ledger.receivers.set('hopeless', () => ({ kind: 'later', detail: '503', afterMs: null }));
  await startFailing('mon_hopeless', ['hopeless', 'reached']);
  await service.until('the first try', () => recordAt('hopeless')?.status === 'pending');
  await service.until('the other place', () => recordAt('reached')?.status === 'sent');
  const workflowId = alertWorkflowId(alertOf('hopeless')?.id ?? '');
  await cancel(workflowId);
  expect(await endOf(service, workflowId)).toBe('CANCELLED');
  const { status, attempts } = recordAt('hopeless') ?? {};
  expect({ status, last: attempts?.at(-1)?.detail }).toEqual({
    status: 'failed',
    last: 'An operator cancelled the alert before it was delivered.',
  });
  expect(recordAt('reached')?.status).toBe('sent');
  const tries = triesAt('hopeless').length;
  await service.pass(20 * MINUTE);
  expect(triesAt('hopeless')).toHaveLength(tries);
});

test('an alert cancelled while the database is away ends once its record is stored', async () => {
  service.ledger.receivers.set('busy and away', () => ({
    kind: 'later',
    detail: '503',
    afterMs: null,
  }));
  service.ledger.isAway = true;
  await startFailing('mon_busy_and_away', ['busy and away']);
  await service.until('two tries', async () => {
    await service.pass(1_000);
    return triesAt('busy and away').length > 1;
  });
  const workflowId = alertWorkflowId(alertOf('busy and away')?.id ?? '');
  await cancel(workflowId);
  await service.pass(MINUTE);
  expect((await service.client.workflow.getHandle(workflowId).describe()).status.name).toBe(
    'RUNNING',
  );
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  expect(await endOf(service, workflowId)).toBe('CANCELLED');
  expect(recordAt('busy and away')?.status).toBe('failed');
});

test('a digest omits reminders of incidents that were acknowledged meanwhile', async () => {
  const atMs = service.nowMs();
  service.ledger.quiet.add('inc_quiet').add('inc_until_recovered');
  const step = { policyName: 'On call', step: 2, steps: 2, lastResort: null } as const;
  const untilRecovered = { ...step, until: 'recovered' } as const;
  for (const name of ['quiet', 'loud', 'until_recovered']) {
    const alert = {
      ...reminderOf(name, atMs),
      ...(name === 'until_recovered' && { escalation: untilRecovered }),
    };
    await foldAlerts(service.client, [{ alert, targets: [webhookTarget('digested')] }]);
  }
  const { workflow } = service.client;
  await workflow.getHandle(digestWorkflowId('acc_digest')).result();
  await service.until('the digest', () => kindsAt('digested').includes('digest'));
  const entries = triesAt('digested').flatMap(({ alert }) => alert.entries);
  expect(entries.map(({ resourceName }) => resourceName)).toEqual(['loud', 'until_recovered']);
});

test('a digest cancelled by an operator is sent at once with all its alerts', async () => {
  const { client } = service;
  const [alert] = service.ledger.tries.map((sent) => sent.alert);
  if (alert === undefined) throw new Error('no alert was sent before');
  const accountId = 'acc_cancelled_digest';
  for (const id of ['one', 'two'])
    await foldAlerts(client, [
      {
        alert: { ...alert, accountId, id, resourceName: id },
        targets: [webhookTarget('hurried')],
      },
    ]);
  const workflowId = digestWorkflowId(accountId);
  await cancel(workflowId);
  expect(await endOf(service, workflowId)).toBe('CANCELLED');
  await service.until('the digest', () => triesAt('hurried').length > 0);
  expect(alertOf('hurried')?.entries.map(({ resourceName }) => resourceName)).toEqual([
    'one',
    'two',
  ]);
});
