/**
 * Tests hours in virtual time. Outside hours, no one is notified. If a check is still down when hours begin, it sends
 * one alert at this time.
 */
import type { AlertTarget } from '../../../src/contracts/alerts';
import type { MaintenancePlan, SpanMode } from '../../../src/contracts/maintenance';
import { heartbeatConfig, monitorConfig, NO_ALERTS, outcomeOf } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MAIL: AlertTarget = {
  key: 'mail',
  type: 'email',
  channelId: null,
  masked: 'a…@example.com',
  sealed: 'sealed',
};
const ALERTS = { ...NO_ALERTS, targets: [MAIL] } as const;
type Planned = readonly [fromMinute: number, toMinute: number, mode: SpanMode];

let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService();
});
afterEach(() => service.removeAll());
afterAll(() => service.stop());

const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);
const alertsOf = (id: string) =>
  service.ledger.tries.filter(({ alert }) => alert.resourceId === id).map(({ alert }) => alert);

function planFrom(anchorMs: number, planned: readonly Planned[]): MaintenancePlan {
  const spans = planned.map(([from, to, mode]) => ({
    windowId: 'hrs_1',
    mode,
    fromMs: anchorMs + from * MINUTE,
    toMs: anchorMs + to * MINUTE,
  }));
  return { asOfMs: anchorMs, spans };
}

/** Saves a monitor now. The times of its plan are in minutes from now. */
async function start(
  id: string,
  planned: readonly Planned[],
  change: Parameters<typeof monitorConfig>[1] = {},
): Promise<number> {
  const anchorMs = service.nowMs();
  const maintenance = planFrom(anchorMs, planned);
  const alerts = ALERTS;
  await service.gateway.configureMonitor(
    monitorConfig(id, { anchorMs, alerts, maintenance, ...change }),
  );
  await service.until('the first check', () => checksOf(id).length > 0);
  return anchorMs;
}

/** Makes the monitor fail between these two times, in minutes after the start. */
function failBetween(id: string, anchorMs: number, fromMinute: number, toMinute: number): void {
  service.answer(id, () => {
    const minutes = (service.nowMs() - anchorMs) / MINUTE;
    return outcomeOf(minutes > fromMinute && minutes < toMinute ? 'down' : 'up');
  });
}

test('a monitor outside its hours is checked and counts in the uptime, but notifies no one', async () => {
  const id = 'mon_hours_night';
  const anchorMs = await start(id, [[2.5, 8.5, 'quiet']]);
  failBetween(id, anchorMs, 3.5, 6.5);
  await service.pass(10.2 * MINUTE);
  const checks = checksOf(id);
  expect(checks.some(({ health }) => health === 'down')).toBe(true);
  expect(checks.some(({ inMaintenance }) => inMaintenance)).toBe(false);
  expect(checks.flatMap(({ excludedPeriods }) => excludedPeriods)).toEqual([]);
  expect(checks.every(({ gap }) => gap === null)).toBe(true);
  expect(alertsOf(id)).toEqual([]);
});

test('a monitor that is still down when its hours begin sends its alert then, with the true start', async () => {
  const id = 'mon_hours_opening';
  const anchorMs = await start(id, [[0.5, 150, 'quiet']], { intervalMs: HOUR });
  service.answer(id, () => outcomeOf('down'));
  await service.pass(149 * MINUTE);
  expect(alertsOf(id)).toEqual([]);
  await service.pass(2 * MINUTE);
  await service.until('the alert', () => alertsOf(id).length > 0);
  expect(alertsOf(id)).toMatchObject([
    { kind: 'failure', openedAtMs: anchorMs + HOUR, atMs: anchorMs + 150 * MINUTE },
  ]);
  await service.pass(3 * HOUR);
  expect(alertsOf(id)).toHaveLength(1);
});

test('if the orchestrator is lost just before hours begin, one alert with the true start is sent', async () => {
  const id = 'mon_hours_killed';
  const anchorMs = await start(id, [[1.5, 20, 'quiet']]);
  failBetween(id, anchorMs, 4.5, 60);
  await service.pass(20 * MINUTE - (service.nowMs() - anchorMs) - 1_000);
  expect(alertsOf(id)).toEqual([]);
  await service.replaceOrchestrator();
  await service.withoutOrchestrator(() => service.pass(3 * MINUTE));
  await service.until('the alert', () => alertsOf(id).length > 0);
  await service.pass(5 * MINUTE);
  expect(alertsOf(id)).toMatchObject([{ kind: 'failure', openedAtMs: anchorMs + 5 * MINUTE }]);
});

test('a recovery outside hours is sent when the hours begin, to the people notified of the failure', async () => {
  const id = 'mon_hours_recovery';
  const anchorMs = await start(id, [[4.5, 30, 'quiet']]);
  failBetween(id, anchorMs, 0.5, 9.5);
  await service.pass(29 * MINUTE);
  expect(alertsOf(id).map(({ kind }) => kind)).toEqual(['failure']);
  await service.pass(2 * MINUTE);
  await service.until('the recovery', () => alertsOf(id).length === 2);
  const [, recovery] = alertsOf(id);
  expect(recovery).toMatchObject({ kind: 'recovery', sinceMs: anchorMs + 10 * MINUTE });
});

test('if hours begin during maintenance, alerts wait for the end of the maintenance', async () => {
  const inWindow = 'mon_hours_window';
  const changed = 'mon_hours_changed';
  const interval = { intervalMs: 10 * HOUR };
  const planned: readonly Planned[] = [
    [0.5, 60, 'quiet'],
    [50, 90, 'mute'],
  ];
  const anchorMs = await start(inWindow, planned, interval);
  const changedAnchorMs = await start(changed, [[0.5, 6_000, 'quiet']], interval);
  for (const id of [inWindow, changed]) service.answer(id, () => outcomeOf('down'));
  for (const id of [inWindow, changed]) {
    const request = { requestId: `req_${id}`, requestedAtMs: service.nowMs() };
    await service.pass(MINUTE);
    await service.client.workflow.getHandle(`monitor-${id}`).signal('runNow', request);
    await service.until('its check', () => checksOf(id).length === 2);
  }
  await service.pass(80 * MINUTE);
  expect([...alertsOf(inWindow), ...alertsOf(changed)]).toEqual([]);
  const plan = { ...planFrom(changedAnchorMs, []), asOfMs: service.nowMs() };
  await service.gateway.planMaintenance('monitor', changed, plan);
  await service.until('its alert', () => alertsOf(changed).length === 1);
  await service.pass(20 * MINUTE);
  await service.until('the other alert', () => alertsOf(inWindow).length === 1);
  expect(alertsOf(inWindow)).toMatchObject([{ kind: 'failure', atMs: anchorMs + 90 * MINUTE }]);
});

test('a job that misses a ping outside its hours sends one alert when the hours begin', async () => {
  const id = 'mon_hours_job';
  const anchorMs = service.nowMs();
  const maintenance = planFrom(anchorMs, [[30, 600, 'quiet']]);
  const alerts = { ...ALERTS, remindEveryMinutes: 30 };
  const rules = { schedule: { everySeconds: 24 * 3_600 }, graceMs: 0, maxRunMs: HOUR };
  await service.gateway.configureMonitor(
    heartbeatConfig(id, rules, { anchorMs, alerts, maintenance }),
  );
  const ping = { kind: 'start', exitCode: null, runId: 'a', failedOn: null, text: null } as const;
  const stored = { id: 'png_hours', accountId: 'acc_1', monitorId: id, atMs: anchorMs };
  service.ledger.pings.push({ ...ping, ...stored });
  await service.gateway.notifyHeartbeat(id);
  await service.until('the ping is read', () => checksOf(id).length > 0);
  await service.pass(590 * MINUTE);
  expect(checksOf(id).some(({ health }) => health === 'down')).toBe(true);
  expect(alertsOf(id)).toEqual([]);
  await service.pass(15 * MINUTE);
  await service.until('the alert', () => alertsOf(id).length > 0);
  expect(alertsOf(id)).toMatchObject([{ kind: 'failure', openedAtMs: anchorMs + HOUR }]);
});

test('a job that fails during maintenance sends one alert after maintenance, with the true start', async () => {
  const id = 'mon_muted_job';
  const anchorMs = service.nowMs();
  const maintenance = planFrom(anchorMs, [[30, 600, 'mute']]);
  const rules = { schedule: { everySeconds: 24 * 3_600 }, graceMs: 0, maxRunMs: HOUR };
  await service.gateway.configureMonitor(
    heartbeatConfig(id, rules, { anchorMs, alerts: ALERTS, maintenance }),
  );
  const ping = { kind: 'start', exitCode: null, runId: 'a', failedOn: null, text: null } as const;
  const stored = { id: 'png_muted', accountId: 'acc_1', monitorId: id, atMs: anchorMs };
  service.ledger.pings.push({ ...ping, ...stored });
  await service.gateway.notifyHeartbeat(id);
  await service.until('the ping is read', () => checksOf(id).length > 0);
  await service.pass(599 * MINUTE);
  expect(checksOf(id).some(({ health }) => health === 'down')).toBe(true);
  expect(alertsOf(id)).toEqual([]);
  await service.pass(2 * MINUTE);
  await service.until('the alert', () => alertsOf(id).length > 0);
  await service.pass(3 * HOUR);
  expect(alertsOf(id)).toMatchObject([{ kind: 'failure', openedAtMs: anchorMs + HOUR }]);
});

test('a monitor paused when its hours begin sends nothing about the time before the pause', async () => {
  const id = 'mon_hours_paused';
  const anchorMs = await start(id, [[0.5, 100, 'quiet']], { intervalMs: 10 * MINUTE });
  failBetween(id, anchorMs, 5, 60);
  await service.pass(50 * MINUTE - (service.nowMs() - anchorMs));
  expect(checksOf(id).at(-1)?.health).toBe('down');
  const handle = service.client.workflow.getHandle(`monitor-${id}`);
  await handle.signal('pause');
  await service.pass(2 * HOUR);
  await handle.signal('resume');
  await service.pass(30 * MINUTE);
  expect(checksOf(id).at(-1)?.health).toBe('up');
  expect(alertsOf(id).filter(({ kind }) => kind === 'failure')).toEqual([]);
});
