/** Tests that the histories of monitors, scenarios and runs can be replayed at once. Stores them on request. */
import type { PingKind } from '../../src/contracts/heartbeat';
import {
  type MonitorConfig,
  monitorWorkflowId,
  scenarioRunWorkflowId,
  scenarioWorkflowId,
} from '../../src/contracts/workflows';
import {
  heartbeatConfig,
  monitorConfig,
  outcomeOf,
  requestOf,
  scenarioConfig,
} from '../support/outcomes';
import { startVirtualService, type VirtualService } from '../workflows/virtual-service';
import { keepHistory } from './keep-history';

const MINUTE = 60_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west', 'us-east']);
});
afterAll(() => service.stop());

const replayAndKeep = (name: string, workflowId: string): Promise<void> =>
  keepHistory(service, name, workflowId);

test('the history of a monitor can be replayed after edits, pauses, requests, lost regions and a lost database', async () => {
  const { gateway, ledger } = service;
  const anchorMs = service.nowMs();
  const config = monitorConfig('mon_replay', { anchorMs, regions: ['eu-west', 'us-east'] });
  await gateway.configureMonitor(config);
  await service.pass(2.5 * MINUTE);
  service.answer(config.id, () => outcomeOf('down'));
  await gateway.configureMonitorNow({ ...config, version: 2, revision: 2 });
  await service.pass(MINUTE);
  await gateway.checkMonitorNow(config, { requestId: 'req_1', requestedAtMs: anchorMs + 7 });
  await gateway.configureMonitorNow({ ...config, version: 3, revision: 2, paused: true });
  await service.pass(MINUTE);
  await gateway.configureMonitorNow({ ...config, version: 4, revision: 2 });
  ledger.isAway = true;
  await service.pass(2 * MINUTE);
  ledger.isAway = false;
  await service.pass(MINUTE);
  await replayAndKeep('monitor', monitorWorkflowId(config.id));
  await gateway.removeMonitor(config.id);
  await service.client.workflow.getHandle(monitorWorkflowId(config.id)).result();
  await replayAndKeep('monitor-removed', monitorWorkflowId(config.id));
});

test('the history of a monitor that continued as new can be replayed', async () => {
  const anchorMs = service.nowMs();
  const config = monitorConfig('mon_replay_long', { anchorMs });
  // The results alternate, because a steady result adds nothing to the history.
  service.answer(config.id, ({ slotMs }) =>
    outcomeOf((slotMs - anchorMs) % (2 * MINUTE) === 0 ? 'up' : 'degraded'),
  );
  await service.gateway.configureMonitor(config);
  await service.pass(60 * MINUTE);
  await replayAndKeep('monitor-continued', monitorWorkflowId(config.id));
});

/**
 * Moves the clock past this many slots. Stops in the middle between two slots, and waits until the last slot is
 * recorded, because `pass` does not wait for slots of watches.
 */
async function passSlots(config: MonitorConfig, count: number): Promise<void> {
  const isRecorded = (slotMs: number): boolean =>
    service.ledger.checks.some(
      (record) =>
        record.monitorId === config.id &&
        record.slotMs >= slotMs &&
        record.outcomes.length === config.regions.length,
    );
  for (let passed = 0; passed < count; passed += 1) {
    await service.pass(MINUTE);
    const sinceMs = service.nowMs() - config.anchorMs;
    const slotMs = config.anchorMs + Math.floor(sinceMs / MINUTE) * MINUTE;
    await service.until('the slot', () => isRecorded(slotMs));
  }
}

test('the history of a monitor with watches can be replayed after a region has failed and recovered', async () => {
  const anchorMs = service.nowMs();
  const config = monitorConfig('mon_watched', { anchorMs, regions: ['eu-west', 'us-east'] });
  await service.gateway.configureMonitor(config);
  await service.pass(MINUTE / 2);
  await passSlots(config, 5);
  const { watchedRows } = service.ledger;
  expect(watchedRows.filter(({ monitorId }) => monitorId === config.id)).not.toEqual([]);
  service.answer(config.id, ({ region }) => outcomeOf(region === 'eu-west' ? 'down' : 'up'));
  await passSlots(config, 1);
  service.answer(config.id, () => outcomeOf('up'));
  const before = watchedRows.length;
  await passSlots(config, 6);
  expect(watchedRows.length).toBeGreaterThan(before);
  await replayAndKeep('monitor-watched', monitorWorkflowId(config.id));
  await service.gateway.removeMonitor(config.id);
});

test('the history of a monitor whose watch continues under new configurations can be replayed', async () => {
  const anchorMs = service.nowMs();
  const config = monitorConfig('mon_followed', { anchorMs });
  await service.gateway.configureMonitor(config);
  await service.pass(MINUTE / 2);
  await passSlots(config, 3);
  await service.gateway.configureMonitor({ ...config, version: 2, name: 'Another name' });
  const halved = { ...config, version: 3, anchorMs: service.nowMs(), intervalMs: MINUTE / 2 };
  await service.gateway.configureMonitor(halved);
  await service.settle();
  service.moveGrids('eu-west', [halved]);
  await passSlots(halved, 3);
  service.answer(config.id, () => outcomeOf('down'));
  await passSlots(halved, 3);
  await service.gateway.configureMonitor({ ...halved, version: 4, revision: 2 });
  await passSlots(halved, 2);
  await replayAndKeep('monitor-watched-followed', monitorWorkflowId(config.id));
  await service.gateway.removeMonitor(config.id);
});

test('the history of a monitor with watches can be replayed after a request, a lost database and a pause', async () => {
  const { gateway, ledger } = service;
  const anchorMs = service.nowMs();
  const config = monitorConfig('mon_woken', { anchorMs });
  await gateway.configureMonitor(config);
  await service.pass(MINUTE / 2);
  await passSlots(config, 5);
  await gateway.checkMonitorNow(config, { requestId: 'req_1', requestedAtMs: anchorMs + 7 });
  const isAnswered = () =>
    ledger.checks.some(({ monitorId, kind }) => monitorId === config.id && kind === 'manual');
  await service.until('the answer', isAnswered);
  await passSlots(config, 5);
  ledger.isAway = true;
  await service.pass(MINUTE);
  ledger.isAway = false;
  await passSlots(config, 5);
  await gateway.configureMonitorNow({ ...config, version: 2, paused: true });
  await replayAndKeep('monitor-watched-woken', monitorWorkflowId(config.id));
  await gateway.removeMonitor(config.id);
});

test('the history of a heartbeat can be replayed after runs, a failure, missing pings, a lost database and a pause', async () => {
  const { gateway, ledger } = service;
  const anchorMs = service.nowMs();
  const config = heartbeatConfig('mon_replay_heartbeat', { maxRunMs: 10 * MINUTE }, { anchorMs });
  let sequence = 0;
  const ping = async (kind: PingKind): Promise<void> => {
    const atMs = service.nowMs();
    sequence += 1;
    const said = { exitCode: null, runId: '', failedOn: null, text: null };
    const of = { id: `png_replay_${sequence}`, accountId: 'acc_1', monitorId: config.id };
    ledger.pings.push({ ...of, ...said, atMs, kind });
    await gateway.notifyHeartbeat(config.id);
    await service.pass(MINUTE);
  };
  await gateway.configureMonitor(config);
  for (const kind of ['start', 'success', 'fail', 'start'] as const) await ping(kind);
  await service.pass(80 * MINUTE);
  ledger.isAway = true;
  await service.pass(90 * MINUTE);
  ledger.isAway = false;
  await service.pass(MINUTE);
  await gateway.configureMonitorNow({ ...config, version: 2, paused: true });
  await service.pass(MINUTE);
  await gateway.configureMonitorNow({ ...config, version: 3 });
  await ping('success');
  await replayAndKeep('heartbeat', monitorWorkflowId(config.id));
});

test('the histories of a scenario and of its passed, failed, cancelled and requested runs can be replayed', async () => {
  const { gateway, ledger } = service;
  const anchorMs = service.nowMs();
  const base = scenarioConfig('scn_replay', { anchorMs });
  const [first] = base.steps;
  if (first === undefined) throw new Error('a scenario has steps');
  const config = { ...base, steps: [...base.steps, { ...first, name: 'tidy', always: true }] };
  const runIds = () => [...new Set(ledger.runs.map(({ runId }) => runId))];
  const isFinished = (id: string) =>
    ledger.runs.some(({ runId, finishedAtMs }) => runId === id && finishedAtMs !== null);

  service.answer(config.id, ({ stepIndex }) => outcomeOf('up', { [`v${stepIndex}`]: 'x' }));
  await gateway.configureScenario(config);
  await service.pass(MINUTE);
  service.answer(config.id, ({ stepIndex }) => outcomeOf(stepIndex === 1 ? 'down' : 'up'));
  await service.pass(5 * MINUTE);
  const hasEnded = () => runIds().length === 2 && runIds().every(isFinished);
  await service.until('two runs', hasEnded);

  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.answer(config.id, async ({ stepIndex }) => {
    if (stepIndex === 0) await blocked;
    return outcomeOf('up');
  });
  const requested = { runId: 'run_replay', region: 'eu-west', variables: [] };
  await gateway.runScenarioNow(config, {
    ...requestOf([requested], anchorMs),
    countInUptime: true,
  });
  const sent = () => service.sent.some(({ runId }) => runId === requested.runId);
  await service.until('the requested run', sent);
  await gateway.cancelRun(config.id, requested.runId);
  await service.until('its end', () => isFinished(requested.runId));
  release();
  await replayAndKeep('scenario-with-runs', scenarioWorkflowId(config.id));

  const waits = config.steps.map((step) => ({ ...step, waitMs: MINUTE }));
  await gateway.configureScenarioNow({ ...config, version: 2, revision: 2, steps: waits });
  await service.until('a run that waits', () => runIds().length > 3 && runIds().every(isFinished));
  await replayAndKeep('scenario-run-that-waits', scenarioRunWorkflowId(String(runIds().at(-1))));
});
