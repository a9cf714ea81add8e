/**
 * Tests failures of resources with dependencies, on a virtual clock. The alert about a failure waits for the
 * dependencies. It is then sent, or a dependency explains the failure.
 */
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { IncidentRecord } from '../../../src/contracts/records';
import type { MonitorConfig } from '../../../src/contracts/workflows';
import { webhookTarget } from '../../support/alert-message';
import {
  heartbeatConfig,
  monitorConfig,
  NO_ALERTS,
  outcomeOf,
  scenarioConfig,
} from '../../support/outcomes';
import { testSize } from '../../support/test-size';
import { startVirtualService, type VirtualService } from '../virtual-service';

/** Number of dependents of one parent. */
const CHILDREN = testSize('children', { ci: 12, long: 200 });
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west'], { mayBeWatched: false });
});
afterEach(async () => {
  service.ledger.dropsSignals = false;
  await service.removeAll();
});
afterAll(() => service.stop());

const states = new Map<string, StepOutcome['status']>();

async function start(id: string, change: Partial<MonitorConfig> = {}): Promise<MonitorConfig> {
  const config = monitorConfig(id, {
    anchorMs: service.nowMs(),
    name: id,
    alerts: { ...NO_ALERTS, targets: [webhookTarget(id)] },
    ...change,
  });
  service.answer(id, () => outcomeOf(states.get(id) ?? 'up'));
  await service.gateway.configureMonitor(config);
  return config;
}

const kindsOf = (id: string) =>
  service.ledger.tries.filter((entry) => entry.target === id).map(({ alert }) => alert.kind);
const sentTo = (id: string) => service.sent.filter((step) => step.id === id).length;

/** Returns the last recorded state of the monitor's incident. */
function incidentOf(id: string): IncidentRecord | undefined {
  const own = service.ledger.checks.filter(({ monitorId }) => monitorId === id);
  const recorded = own.flatMap(({ incident }) => (incident === null ? [] : [incident]));
  const last = recorded.at(-1);
  const decided = service.ledger.decisions.findLast((one) => one.id === last?.id);
  const isLater = (decided?.decisions?.length ?? 0) > (last?.decisions?.length ?? 0);
  return isLater ? decided : last;
}

async function waitForSlots(id: string, count: number, stepMs = 5_000): Promise<void> {
  const slots = () => service.ledger.checks.filter(({ monitorId }) => monitorId === id).length;
  const before = slots();
  await service.until(`slots of ${id}`, async () => {
    if (slots() >= before + count) return true;
    await service.pass(stepMs);
    return slots() >= before + count;
  });
}

test('one fresh check of a dependency explains the failures of all its dependents', async () => {
  // The next slot of the router is an hour away. So its last state is too old to be used.
  await start('mon_router', { intervalMs: HOUR });
  await service.until('the first check', () => sentTo('mon_router') === 1);
  await service.pass(SECOND);
  states.set('mon_router', 'down');
  const downSinceMs = service.nowMs();
  const children = Array.from({ length: CHILDREN }, (_, index) => `mon_c${index}`);
  for (const id of children) {
    states.set(id, 'down');
    await start(id, { dependsOn: ['mon_router'], intervalMs: 10 * MINUTE });
  }
  await service.until('all are explained', () =>
    children.every((id) => incidentOf(id)?.explainedBy?.id === 'mon_router'),
  );
  expect(children.flatMap(kindsOf)).toEqual([]);
  await service.until('the alert of the router', () => kindsOf('mon_router').length === 1);
  expect(kindsOf('mon_router')).toEqual(['failure']);
  // The result of a failed check is valid for half a minute. Then the next question needs another check.
  const halfMinutes = Math.floor((service.nowMs() - downSinceMs) / (MINUTE / 2));
  expect(sentTo('mon_router')).toBeGreaterThanOrEqual(2);
  expect(sentTo('mon_router')).toBeLessThanOrEqual(2 + halfMinutes);
  const explained = incidentOf('mon_c0');
  expect(explained?.decisions?.map(({ reason }) => reason)).toEqual([
    'asks_dependencies',
    'dependency',
  ]);
  expect(explained?.explainedBy).toMatchObject({ name: 'mon_router', untilMs: null });
  // The checks have continued, but no alert of the dependents is sent while the router is down.
  await waitForSlots('mon_c0', 2, 5 * MINUTE);
  expect(children.flatMap(kindsOf)).toEqual([]);
  states.set('mon_router', 'up');
  await service.pass(HOUR);
  await service.until('the recovery', () => kindsOf('mon_router').length === 2);
  for (const id of children.slice(2)) states.set(id, 'up');
  await waitForSlots('mon_c0', 2, 5 * MINUTE);
  await service.until('an alert of its own', () => kindsOf('mon_c0').length === 1);
  expect(incidentOf('mon_c0')?.decisions?.at(-1)?.reason).toBe('notified');
  for (const id of ['mon_c0', 'mon_c1']) states.set(id, 'up');
  await waitForSlots('mon_c0', 1, 5 * MINUTE);
  await service.until('its end', () => kindsOf('mon_c0').length === 2);
  expect(kindsOf('mon_c0')).toEqual(['failure', 'recovery']);
});

test('if a fresh check of the dependency does not explain a failure, its alert is sent', async () => {
  await start('mon_up', { intervalMs: HOUR });
  await service.until('the first check', () => sentTo('mon_up') === 1);
  await service.pass(SECOND);
  states.set('mon_own', 'down');
  const guidance = { runbookUrl: 'https://wiki.example.com/own', note: 'Ask Ada.' };
  await start('mon_own', { dependsOn: ['mon_up'], guidance });
  await service.until('the alert', () => kindsOf('mon_own').length === 1);
  expect(sentTo('mon_up')).toBe(2);
  expect(incidentOf('mon_own')?.explainedBy).toBeUndefined();
  await service.until(
    'its reason',
    () => incidentOf('mon_own')?.decisions?.at(-1)?.reason === 'notified',
  );
  states.set('mon_own', 'up');
  await waitForSlots('mon_own', 1);
  await service.until('the recovery', () => kindsOf('mon_own').length === 2);
  const tries = service.ledger.tries.filter(({ target }) => target === 'mon_own');
  expect(tries.map(({ alert }) => alert.guidance)).toEqual([guidance, undefined]);
});

test('a paused or deleted dependency explains no failure', async () => {
  states.set('mon_resting', 'down');
  await start('mon_resting', { paused: true, pausedAtMs: 0 });
  for (const [id, dependsOn] of [
    ['mon_of_paused', ['mon_resting']],
    ['mon_of_gone', ['mon_nowhere']],
  ] as const) {
    states.set(id, 'down');
    await start(id, { dependsOn });
    await service.until('the alert', () => kindsOf(id).length === 1);
  }
  expect(sentTo('mon_resting')).toBe(0);
});

test('an alert waits at most a minute for dependencies that do not respond, while checks continue', async () => {
  // Lets a minute pass, so that the earlier report is no longer valid.
  await service.pass(MINUTE);
  service.ledger.dropsSignals = true;
  states.set('mon_alone', 'down');
  const { anchorMs } = await start('mon_alone', { dependsOn: ['mon_up'], intervalMs: 10_000 });
  await service.until('the alert', async () => {
    await service.pass(5_000);
    return kindsOf('mon_alone').length === 1;
  });
  const [sent] = service.ledger.tries.filter((entry) => entry.target === 'mon_alone');
  const waitedMs = (sent?.atMs ?? 0) - anchorMs;
  expect(waitedMs).toBeGreaterThanOrEqual(MINUTE - 1_000);
  expect(waitedMs).toBeLessThan(2 * MINUTE);
  expect(sentTo('mon_alone')).toBeGreaterThanOrEqual(4);
});

test('a hanging check of the dependency delays the alert by at most a minute', async () => {
  await start('mon_hanging', { intervalMs: HOUR });
  await service.until('the first check', () => sentTo('mon_hanging') === 1);
  await service.pass(SECOND);
  let letGo = (): void => undefined;
  const hung = new Promise<StepOutcome>((resolve) => {
    letGo = () => resolve(outcomeOf('up'));
  });
  service.answer('mon_hanging', () => hung);
  try {
    states.set('mon_behind', 'down');
    const { anchorMs } = await start('mon_behind', { dependsOn: ['mon_hanging'] });
    await service.until('the alert', async () => {
      await service.pass(20_000);
      return kindsOf('mon_behind').length === 1;
    });
    expect(sentTo('mon_hanging')).toBe(2);
    const [sent] = service.ledger.tries.filter((entry) => entry.target === 'mon_behind');
    expect((sent?.atMs ?? 0) - anchorMs).toBeLessThan(2 * MINUTE);
    expect(incidentOf('mon_behind')?.explainedBy).toBeUndefined();
  } finally {
    letGo();
  }
});

/** Returns true if the resource has an open incident. */
const isDown = (id: string) => incidentOf(id)?.closedAtMs === null;

test('a scenario explains the failure of a monitor once a fresh run has failed', async () => {
  const id = `scn_${'0'.repeat(26)}`;
  const alerts = { ...NO_ALERTS, targets: [webhookTarget(id)] };
  const config = scenarioConfig(id, { anchorMs: service.nowMs(), intervalMs: HOUR, alerts });
  service.answer(id, () => outcomeOf(states.get(id) ?? 'up'));
  await service.gateway.configureScenario(config);
  await service.until('the first run', () =>
    service.ledger.slots.some((one) => one.scenarioId === id),
  );
  await service.pass(SECOND);
  states.set(id, 'down');
  states.set('mon_of_scenario', 'down');
  await start('mon_of_scenario', { dependsOn: [id], intervalMs: 10 * MINUTE });
  await service.until(
    'it is explained',
    () => incidentOf('mon_of_scenario')?.explainedBy?.id === id,
  );
  expect(incidentOf('mon_of_scenario')?.explainedBy).toMatchObject({ kind: 'scenario' });
  expect(kindsOf('mon_of_scenario')).toEqual([]);
  await service.until('the alert of the scenario', () => kindsOf(id).length === 1);
  expect(service.ledger.slots.filter((one) => one.scenarioId === id)).toHaveLength(2);
});

test('the last state of a heartbeat explains the failure of a monitor, without a fresh check', async () => {
  const id = 'mon_beat';
  const anchorMs = service.nowMs();
  const rules = { schedule: { everySeconds: 60 }, graceMs: MINUTE, earlyMs: MINUTE };
  const alerts = { ...NO_ALERTS, targets: [webhookTarget(id)] };
  await service.gateway.configureMonitor(heartbeatConfig(id, rules, { anchorMs, alerts }));
  const failed = { kind: 'fail', exitCode: 1, runId: '', failedOn: null, text: null } as const;
  const ping = { id: 'png_1', accountId: 'acc_1', monitorId: id, atMs: anchorMs, ...failed };
  service.ledger.pings.push(ping);
  await service.gateway.notifyHeartbeat(id);
  await service.until('its job has failed', () => isDown(id));
  states.set('mon_of_beat', 'down');
  await start('mon_of_beat', { dependsOn: [id] });
  await service.until('it is explained', () => incidentOf('mon_of_beat')?.explainedBy?.id === id);
  expect(kindsOf('mon_of_beat')).toEqual([]);
  expect(sentTo(id)).toBe(0);
});

test('a failure that ends before a dependency reports is not sent and does not delay the next failure', async () => {
  const id = 'mon_short';
  service.ledger.dropsSignals = true;
  states.set(id, 'down');
  await start(id, { dependsOn: ['mon_up'], intervalMs: 10_000 });
  await service.until('it is held', () => isDown(id));
  states.set(id, 'up');
  await service.until('its end', async () => {
    await service.pass(10_000);
    return !isDown(id);
  });
  expect(incidentOf(id)?.decisions?.map(({ reason }) => reason)).toEqual([
    'asks_dependencies',
    'never_notified',
  ]);
  service.ledger.dropsSignals = false;
  const first = incidentOf(id)?.id;
  states.set(id, 'down');
  await service.until('the next failure is sent', async () => {
    await service.pass(10_000);
    return kindsOf(id).length === 1;
  });
  expect(kindsOf(id)).toEqual(['failure']);
  expect(incidentOf(id)?.id).not.toBe(first);
});
