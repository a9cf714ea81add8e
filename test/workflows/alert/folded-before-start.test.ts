/** Tests a mass failure on a virtual clock: which alerts get a workflow, and that none is lost or sent twice. */
import {
  type AlertMessage,
  alertWorkflowId,
  type FoldedAlert,
} from '../../../src/contracts/alerts';
import { digestWorkflowId } from '../../../src/contracts/digests';
import { escalationWorkflowId } from '../../../src/contracts/escalation';
import { type MonitorConfig, monitorWorkflowId } from '../../../src/contracts/workflows';
import { foldAlerts } from '../../../src/temporal/calls/alert-calls';
import { buildAlert, webhookTarget } from '../../support/alert-message';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { testSize } from '../../support/test-size';
import { createGate, endOf } from '../loop/random-orders';
import { patchesIn } from '../patches-in';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BURST = 10;
const MANY = testSize('folded', { ci: 40, long: 500 });
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService();
});
beforeEach(() => {
  service.ledger.admits = Number.POSITIVE_INFINITY;
});
afterEach(() => service.removeAll());
afterAll(() => service.stop());

/** Starts a monitor that fails from its first slot. By default, it has its own account. */
async function startFailing(
  id: string,
  { accountId = `acc_${id}`, intervalMs = 48 * HOUR }: Partial<MonitorConfig> = {},
): Promise<MonitorConfig> {
  const rules = { channels: [], onFailure: true, onRecovery: true, onDegraded: false };
  const config = monitorConfig(id, {
    accountId,
    anchorMs: service.nowMs(),
    intervalMs,
    name: id,
    alerts: { ...rules, targets: [webhookTarget(accountId)], remindEveryMinutes: null },
  });
  service.answer(id, () => outcomeOf('down'));
  await service.gateway.configureMonitor(config);
  return config;
}

const triesAt = (key: string) => service.ledger.tries.filter((entry) => entry.target === key);
const kindsAt = (key: string) => triesAt(key).map(({ alert }) => alert.kind);
const isRecorded = (id: string) => service.ledger.checks.some(({ monitorId }) => monitorId === id);
/** Returns the entries of all digests that a recipient got, in order. Each entry is a kind and a name. */
const entriesAt = (key: string) =>
  triesAt(key).flatMap(({ alert }) =>
    alert.entries.map(({ kind, resourceName }) => `${kind} ${resourceName}`),
  );

/** Returns the child workflows that a monitor has started. */
async function childrenOf(id: string): Promise<readonly string[]> {
  const handle = service.client.workflow.getHandle(monitorWorkflowId(id));
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(
    ({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child?.workflowId ?? [],
  );
}

async function untilDigestEnds(accountId: string): Promise<void> {
  await endOf(service, digestWorkflowId(accountId));
  await service.until('its messages', () => kindsAt(accountId).includes('digest'));
}

test('a mass failure starts no more child workflows than the burst limit', async () => {
  const accountId = 'acc_mass';
  service.ledger.admits = BURST;
  const ids = Array.from({ length: MANY }, (_, index) => `mon_mass_${index}`);
  for (const id of ids) await startFailing(id, { accountId });
  await service.until('all checks', () => ids.every(isRecorded));
  await untilDigestEnds(accountId);
  const started: string[] = [];
  for (const id of ids) started.push(...(await childrenOf(id)));
  expect(started).toHaveLength(BURST);
  expect(service.ledger.foldSignals.flat()).toHaveLength(MANY - BURST);
  expect(service.ledger.foldSignals.length).toBeLessThanOrEqual(Math.ceil(MANY / 20));
  const alone = triesAt(accountId).flatMap(({ alert }) =>
    alert.kind === 'digest' ? [] : [`${alert.kind} ${alert.resourceName}`],
  );
  const entries = triesAt(accountId).flatMap(({ alert }) => alert.entries);
  for (const entry of entries)
    expect(entry).toMatchObject({ resourceId: entry.resourceName, reason: expect.any(String) });
  const reported = [...alone, ...entriesAt(accountId)];
  expect(reported.toSorted()).toEqual(ids.map((id) => `failure ${id}`).toSorted());
});

test('if a workflow task is repeated, an alert that went into a digest is sent once', async () => {
  const id = 'mon_repeated';
  const accountId = `acc_${id}`;
  const gate = createGate();
  gate.close();
  service.ledger.gate = gate.passage();
  service.ledger.admits = 0;
  const before = service.ledger.foldSignals.length;
  await startFailing(id);
  await service.until('the signal', () => service.ledger.foldSignals.length > before);
  // The result of the task that folded the alert never reaches Temporal. The repeated task would not fold the alert.
  service.ledger.admits = Number.POSITIVE_INFINITY;
  await service.replaceOrchestrator();
  gate.open();
  await service.until('the record', () => isRecorded(id));
  await untilDigestEnds(accountId);
  await service.pass(5 * MINUTE);
  expect(new Set(service.ledger.foldSignals.slice(before).flat()).size).toBe(1);
  expect(kindsAt(accountId)).toEqual(['digest']);
  expect(entriesAt(accountId)).toEqual([`failure ${id}`]);
  expect(triesAt(accountId)[0]?.alert.only).toMatchObject({ kind: 'failure', resourceId: id });
  expect(await childrenOf(id)).toEqual([]);
});

test('an alert that cannot be counted towards the burst limit starts its own workflow and is sent', async () => {
  const id = 'mon_uncounted';
  service.ledger.isAway = true;
  await startFailing(id);
  await service.until('the alert', () => kindsAt(`acc_${id}`).length === 1);
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  expect(kindsAt(`acc_${id}`)).toEqual(['failure']);
  expect(await childrenOf(id)).toHaveLength(1);
});

test.each([
  ['the signal to the digest is lost', 'lost'],
  ['Temporal has received the signal to the digest, but its response is lost', 'response lost'],
  ['the signal to the digest takes longer than the local activity may', 'no response'],
] as const)(
  'if %s, the child workflow puts the alert into a digest, and the alert is sent once',
  async (_what, failure) => {
    const id = `mon_signal_${failure.replaceAll(' ', '_')}`;
    const accountId = `acc_${id}`;
    service.ledger.admits = 0;
    service.ledger.foldFailures.push(failure);
    await startFailing(id);
    await service.until('the record', () => isRecorded(id));
    service.ledger.admits = Number.POSITIVE_INFINITY;
    const [child = ''] = await childrenOf(id);
    expect(await endOf(service, child)).toBe('COMPLETED');
    await untilDigestEnds(accountId);
    await service.pass(5 * MINUTE);
    expect(await childrenOf(id)).toHaveLength(1);
    expect(kindsAt(accountId)).toEqual(['digest']);
    expect(entriesAt(accountId)).toEqual([`failure ${id}`]);
  },
);

test('an alert counts once towards the burst limit, in the workflow that raises the alert', async () => {
  service.ledger.admits = 5;
  await startFailing('mon_counted');
  await service.until('the alert', () => kindsAt('acc_mon_counted').length === 1);
  await service.pass(MINUTE);
  expect(service.ledger.admits).toBe(4);
});

test("an alert with a policy does not count towards the burst limit, and the policy's steps are always sent", async () => {
  const id = 'mon_handed_over';
  const contact = { id: 'ann', recipients: { channels: [], targets: [webhookTarget('ann')] } };
  const step = {
    afterMinutes: 0,
    contacts: [contact],
    until: 'acknowledged',
    repeat: null,
  } as const;
  service.ledger.policies.set(id, {
    policyName: id,
    steps: [step],
    quietHours: null,
    lastResort: null,
  });
  service.ledger.admits = 1;
  const config = await startFailing(id);
  await service.until('the first step', () => kindsAt('ann').length === 1);
  // The burst limit has counted only the step of the escalation, not the alert.
  expect(service.ledger.admits).toBe(0);
  // Removes the policy. The escalation in progress still gets the end of the incident.
  service.ledger.policies.delete(id);
  const { incidentId } = triesAt('ann')[0]?.alert ?? {};
  service.ledger.escalations.delete(incidentId ?? '');
  service.ledger.admits = 1;
  service.answer(id, () => outcomeOf('up'));
  await service.gateway.checkMonitorNow(config, { requestId: 'up', requestedAtMs: 1 });
  await service.until('the end', () => kindsAt('ann').length === 2);
  expect(kindsAt('ann')).toEqual(['failure', 'recovery']);
  expect(await endOf(service, escalationWorkflowId(incidentId ?? ''))).toBe('COMPLETED');
  expect(kindsAt(`acc_${id}`)).toEqual([]);
});

test('a recovery joins the unsent digest of its failure, even if it could be sent alone', async () => {
  const id = 'mon_pair';
  const accountId = `acc_${id}`;
  service.ledger.admits = 0;
  const config = await startFailing(id);
  await service.until('the failure', () => isRecorded(id));
  service.ledger.admits = Number.POSITIVE_INFINITY;
  service.answer(id, () => outcomeOf('up'));
  await service.pass(1_000);
  await service.gateway.checkMonitorNow(config, { requestId: 'up', requestedAtMs: 1 });
  await untilDigestEnds(accountId);
  await service.pass(MINUTE);
  expect(entriesAt(accountId)).toEqual([`failure ${id}`, `recovery ${id}`]);
  expect(kindsAt(accountId)).toEqual(['digest']);
  // After the digest has been sent, alerts are sent individually again.
  service.answer(id, () => outcomeOf('down'));
  await service.gateway.checkMonitorNow(config, { requestId: 'down', requestedAtMs: 2 });
  await service.until('the next failure', () => kindsAt(accountId).length === 2);
  expect(kindsAt(accountId)).toEqual(['digest', 'failure']);
});

test('a digest with a large history continues as new and sends each alert once', async () => {
  const accountId = 'acc_large';
  const atMs = service.nowMs();
  const alertOf = (name: string): AlertMessage =>
    buildAlert({
      id: name,
      accountId,
      incidentId: `inc_${name}`,
      resourceName: name,
      atMs,
      assertion: { text: 'body contains', expected: 'x'.repeat(4_000), actual: '' },
    });
  const signal = async (from: number, count: number): Promise<void> => {
    const names = Array.from({ length: count }, (_, index) => `large ${from + index}`);
    const targets = [webhookTarget(accountId)];
    await foldAlerts(
      service.client,
      names.map((name) => ({ alert: alertOf(name), targets })),
    );
  };
  await signal(0, 1);
  const handle = service.client.workflow.getHandle(digestWorkflowId(accountId));
  const { runId } = await handle.describe();
  for (let from = 1; from < 1_400; from += 100) await signal(from, 100);
  await service.pass(1_000);
  await signal(1_401, 20);
  await service.pass(2 * MINUTE);
  await endOf(service, digestWorkflowId(accountId));
  const entries = entriesAt(accountId);
  expect(new Set(entries).size).toBe(entries.length);
  expect(entries).toHaveLength(1_421);
  expect(runId).not.toBe((await handle.describe()).runId);
});

test('an alert whose digest has been sent is not reported again in another digest', async () => {
  const accountId = 'acc_again';
  const targets = [webhookTarget(accountId)];
  const alertOf = (name: string): AlertMessage =>
    buildAlert({
      id: name,
      accountId,
      incidentId: null,
      resourceName: name,
      atMs: service.nowMs(),
    });
  await foldAlerts(service.client, [{ alert: alertOf('again one'), targets }]);
  await untilDigestEnds(accountId);
  const repeated = ['again one', 'again two'].map(
    (name): FoldedAlert => ({ alert: alertOf(name), targets, isRepeated: true }),
  );
  await foldAlerts(service.client, repeated);
  await service.pass(MINUTE);
  expect(await endOf(service, digestWorkflowId(accountId))).toBe('COMPLETED');
  expect(entriesAt(accountId)).toEqual(['failure again one', 'failure again two']);
});

test('the history of a monitor has the patch marker `folded-before-start`', async () => {
  await startFailing('mon_patch');
  await service.until('the alert', () => kindsAt('acc_mon_patch').length === 1);
  expect(await patchesIn(service, 'mon_patch')).toContain('folded-before-start');
  expect(await endOf(service, alertWorkflowId(triesAt('acc_mon_patch')[0]?.alert.id ?? ''))).toBe(
    'COMPLETED',
  );
});
