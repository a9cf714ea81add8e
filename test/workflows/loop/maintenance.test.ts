/** Tests maintenance of monitors and scenarios, in virtual time. */
import type { AlertTarget } from '../../../src/contracts/alerts';
import type { MaintenanceSpan } from '../../../src/contracts/maintenance';
import type { MonitorConfig, ScenarioConfig } from '../../../src/contracts/workflows';
import {
  monitorConfig,
  NO_ALERTS,
  outcomeOf,
  requestOf,
  scenarioConfig,
} from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
const TARGET: AlertTarget = {
  key: 'mail',
  type: 'email',
  channelId: null,
  masked: 'a…@example.com',
  sealed: 'sealed',
};
const ALERTS = {
  ...NO_ALERTS,
  targets: [TARGET],
} as const;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService();
});
afterEach(() => service.removeAll());
afterAll(() => service.stop());

const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);
const sentOf = (id: string) => service.sent.filter((step) => step.id === id).length;
const excludedPeriodsOf = (id: string) =>
  checksOf(id).flatMap(({ excludedPeriods }) => excludedPeriods);
const alertsOf = (id: string) =>
  service.ledger.tries
    .filter(({ alert }) => alert.resourceId === id)
    .map(({ alert, atMs }) => [alert.kind, atMs] as const);

/** Saves a monitor now. Its interval is a minute. The times of its maintenance are in minutes from now. */
async function start(
  id: string,
  planned: readonly (readonly [from: number, to: number, mode: MaintenanceSpan['mode']])[] = [],
): Promise<MonitorConfig> {
  const anchorMs = service.nowMs();
  const maintenance = { asOfMs: anchorMs, spans: spansFrom(anchorMs, planned) };
  const config = monitorConfig(id, { anchorMs, alerts: ALERTS, maintenance });
  await service.gateway.configureMonitor(config);
  await service.until('the first check', () => checksOf(id).length > 0);
  return config;
}

function spansFrom(
  anchorMs: number,
  planned: readonly (readonly [from: number, to: number, mode: MaintenanceSpan['mode']])[],
): readonly MaintenanceSpan[] {
  return planned.map(([from, to, mode]) => ({
    windowId: 'mnt_1',
    mode,
    fromMs: anchorMs + from * MINUTE,
    toMs: anchorMs + to * MINUTE,
  }));
}

async function plan(
  { id, anchorMs }: Pick<MonitorConfig, 'id' | 'anchorMs'>,
  ...planned: readonly (readonly [from: number, to: number, mode: MaintenanceSpan['mode']])[]
): Promise<void> {
  const spans = spansFrom(anchorMs, planned);
  await service.gateway.planMaintenance('monitor', id, { asOfMs: service.nowMs(), spans });
}

test('a monitor in maintenance is still checked, its results are marked, and no one is notified', async () => {
  const { anchorMs } = await start('mon_mute', [[2.5, 6.5, 'mute']]);
  service.answer('mon_mute', async () => {
    const minutes = (service.nowMs() - anchorMs) / MINUTE;
    return outcomeOf(minutes > 2.9 && minutes < 5.5 ? 'down' : 'up');
  });
  await service.pass(8.2 * MINUTE);
  await service.until('all checks', () => checksOf('mon_mute').length === 9);
  const checks = checksOf('mon_mute');
  expect(checks.map(({ inMaintenance }) => inMaintenance)).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((minute) => minute > 2.5 && minute < 6.5),
  );
  expect(checks[3]).toMatchObject({ health: 'down', incident: { closedAtMs: null } });
  expect(checks.every(({ gap }) => gap === null)).toBe(true);
  expect(excludedPeriodsOf('mon_mute')).toEqual([
    { state: 'maintenance', fromMs: anchorMs + 2.5 * MINUTE, toMs: anchorMs + 6.5 * MINUTE },
  ]);
  expect(alertsOf('mon_mute')).toEqual([]);
});

test('a monitor that is still down after maintenance sends one alert at the end of the maintenance', async () => {
  const { anchorMs } = await start('mon_still', [[0.5, 4.5, 'mute']]);
  service.answer('mon_still', async () => outcomeOf('down'));
  await service.pass(7.2 * MINUTE);
  await service.until('the alert', () => alertsOf('mon_still').length > 0);
  const [[kind, atMs] = ['', 0]] = alertsOf('mon_still');
  expect(kind).toBe('failure');
  expect(Math.round((atMs - anchorMs) / MINUTE)).toBe(5);
  expect(alertsOf('mon_still')).toHaveLength(1);
});

test('a monitor paused by maintenance sends nothing until the maintenance ends, and no slot is missed', async () => {
  const { anchorMs } = await start('mon_rest', [[1.5, 6, 'pause']]);
  await service.pass(5.7 * MINUTE);
  expect(sentOf('mon_rest')).toBe(2);
  await service.pass(2.5 * MINUTE);
  await service.until('the checks after it', () => checksOf('mon_rest').length === 5);
  const minutes = checksOf('mon_rest').map(({ slotMs }) => (slotMs - anchorMs) / MINUTE);
  expect(minutes).toEqual([0, 1, 6, 7, 8]);
  expect(checksOf('mon_rest').every(({ gap }) => gap === null)).toBe(true);
  expect(excludedPeriodsOf('mon_rest')).toEqual([
    { state: 'maintenance', fromMs: anchorMs + 1.5 * MINUTE, toMs: anchorMs + 6 * MINUTE },
  ]);
});

test('a check requested during maintenance that pauses checks waits for the end of the maintenance', async () => {
  const config = await start('mon_asked', [[0.5, 3.5, 'pause']]);
  await service.pass(MINUTE);
  const request = { requestId: 'req_1', requestedAtMs: service.nowMs() };
  await service.gateway.checkMonitorNow({ ...config, maintenance: null }, request);
  await service.pass(2 * MINUTE);
  expect(sentOf('mon_asked')).toBe(1);
  await service.pass(MINUTE);
  await service.until('its check', () =>
    checksOf('mon_asked').some(({ kind }) => kind === 'manual'),
  );
});

test('checks continue at once when the maintenance window that pauses them is deleted', async () => {
  const config = await start('mon_deleted', [[0.5, 60, 'pause']]);
  await service.pass(5.2 * MINUTE);
  expect(sentOf('mon_deleted')).toBe(1);
  await plan(config);
  await service.pass(MINUTE);
  await service.until('a check', () => checksOf('mon_deleted').length === 2);
  const [, check] = checksOf('mon_deleted');
  expect(check).toMatchObject({ slotMs: config.anchorMs + 6 * MINUTE, gap: null });
  const [period] = excludedPeriodsOf('mon_deleted');
  expect(period).toMatchObject({ state: 'maintenance', fromMs: config.anchorMs + 0.5 * MINUTE });
  expect(period?.toMs).toBeLessThan(config.anchorMs + 5.5 * MINUTE);
});

test('a maintenance window that is changed while active keeps its start and gets a new end', async () => {
  const config = await start('mon_changed', [[0.5, 2.5, 'mute']]);
  await service.pass(1.2 * MINUTE);
  await plan(config, [0.5, 4.5, 'pause']);
  await service.pass(4.5 * MINUTE);
  await service.until('checks', () => checksOf('mon_changed').length === 3);
  const minutes = checksOf('mon_changed').map(({ slotMs }) => (slotMs - config.anchorMs) / MINUTE);
  expect(minutes).toEqual([0, 1, 5]);
  expect(excludedPeriodsOf('mon_changed')).toEqual([
    {
      state: 'maintenance',
      fromMs: config.anchorMs + 0.5 * MINUTE,
      toMs: config.anchorMs + 4.5 * MINUTE,
    },
  ]);
});

test('a monitor ignores an invalid or outdated maintenance plan', async () => {
  const config = await start('mon_odd');
  await plan(config, [1.5, 60, 'pause']);
  const handle = service.client.workflow.getHandle('monitor-mon_odd');
  await handle.signal('planMaintenance', 'nonsense');
  await handle.signal('planMaintenance', { asOfMs: config.anchorMs - 1, spans: [] });
  await service.pass(4 * MINUTE);
  expect(sentOf('mon_odd')).toBe(2);
});

test('planning maintenance for a workflow that does not exist does not fail', async () => {
  const nothing = service.gateway.planMaintenance('monitor', 'mon_none', { asOfMs: 0, spans: [] });
  await expect(nothing).resolves.toBeUndefined();
});

test("maintenance pauses a scenario's scheduled runs, but not its requested runs", async () => {
  const anchorMs = service.nowMs();
  const maintenance = { asOfMs: anchorMs, spans: spansFrom(anchorMs, [[2, 11, 'pause']]) };
  const config: ScenarioConfig = scenarioConfig('scn_rest', { anchorMs, maintenance });
  const slotsOf = () =>
    service.ledger.slots
      .filter(({ scenarioId }) => scenarioId === 'scn_rest')
      .map(({ slotMs, inMaintenance, kind }) => ({
        minute: Math.floor((slotMs - anchorMs) / MINUTE),
        inMaintenance,
        kind,
      }));
  await service.gateway.configureScenario(config);
  await service.until('the first run', () => slotsOf().length === 1);
  await service.pass(7 * MINUTE);
  const runs = [{ runId: 'run_1', region: 'eu-west', variables: [] }];
  const request = { ...requestOf(runs, service.nowMs()), countInUptime: true };
  await service.gateway.runScenarioNow({ ...config, maintenance: null }, request);
  await service.until('the run', () => slotsOf().length === 2);
  await service.pass(9 * MINUTE);
  await service.until('the run after it', () => slotsOf().length === 3);
  expect(slotsOf()).toEqual([
    { minute: 0, inMaintenance: false, kind: 'scheduled' },
    { minute: 7, inMaintenance: true, kind: 'manual' },
    { minute: 15, inMaintenance: false, kind: 'scheduled' },
  ]);
});
