/** Tests watches from the view of the workflow and its probes, in virtual time. */
import { type MonitorConfig, monitorWorkflowId, SIGNALS } from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
});
afterAll(() => service.stop());

const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);
const slotsOf = (id: string) => checksOf(id).map(({ slotMs }) => slotMs);

/** Returns the slots whose results came from a watch, counted from the first slot. */
const watchedSlots = ({ id, anchorMs, intervalMs }: MonitorConfig) =>
  service.ledger.watchedRows.flatMap((row) =>
    row.monitorId === id ? [(row.slotMs - anchorMs) / intervalMs] : [],
  );

/** Saves a monitor now and waits for its first check. */
async function start(id: string, change: Partial<MonitorConfig> = {}): Promise<MonitorConfig> {
  const config = monitorConfig(id, { anchorMs: service.nowMs(), ...change });
  await service.gateway.configureMonitor(config);
  await service.until('the first check', () => checksOf(id).length > 0);
  return config;
}

/** Lets time pass until two seconds after the slot, and waits until the slot is stored. */
async function passTo({ id, anchorMs, intervalMs }: MonitorConfig, index: number): Promise<void> {
  const slotMs = anchorMs + index * intervalMs;
  await service.pass(slotMs + 2 * SECOND - service.nowMs());
  await service.until(`slot ${index}`, () => slotsOf(id).includes(slotMs));
}

async function historyOf(id: string) {
  const handle = service.client.workflow.getHandle(monitorWorkflowId(id));
  const { events } = await handle.fetchHistory();
  return events ?? [];
}

/** Counts the watches that the workflow has started. */
async function countWatches(id: string): Promise<number> {
  const events = await historyOf(id);
  return events.filter(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'watchMonitor',
  ).length;
}

test.each(['up', 'degraded', 'down'] as const)(
  'a monitor that stays %s adds nothing to its history after its first slots',
  async (status) => {
    const config = await start(`mon_watch_${status}`);
    service.answer(config.id, () => outcomeOf(status));
    await passTo(config, 3);
    const before = await historyOf(config.id);
    for (const index of [10, 20, 30]) await passTo(config, index);
    expect(await historyOf(config.id)).toHaveLength(before.length);
    expect(slotsOf(config.id)).toHaveLength(31);
    expect(checksOf(config.id).at(-1)).toMatchObject({ health: status });
    await service.gateway.removeMonitor(config.id);
  },
);

test('a watch starts at the slot after the first check, and again after each changed outcome', async () => {
  const config = await start('mon_watch_soon');
  const downMs = config.anchorMs + 3 * config.intervalMs;
  service.answer(config.id, ({ slotMs }) => outcomeOf(slotMs === downMs ? 'down' : 'up'));
  for (const index of [1, 2, 3, 4, 5, 6]) await passTo(config, index);
  expect(watchedSlots(config)).toEqual([1, 2, 5, 6]);
  expect(service.sent.filter(({ id }) => id === config.id)).toHaveLength(7);
});

test('while the failures before down are counted, no watch runs, and the workflow judges each slot', async () => {
  const config = await start('mon_watch_streak', { failuresBeforeDown: 3 });
  service.answer(config.id, ({ slotMs }) =>
    outcomeOf(slotMs > config.anchorMs + MINUTE ? 'down' : 'up'),
  );
  for (const index of [1, 2, 3, 4, 5, 6]) await passTo(config, index);
  expect(checksOf(config.id).map(({ health }) => health)).toEqual(
    ['up', 'up', 'up', 'up', 'down', 'down', 'down'].map(String),
  );
  expect(watchedSlots(config)).toEqual([1, 5, 6]);
});

test('a reminder is sent on time while a monitor with a watch stays down', async () => {
  const target = {
    key: 'mail',
    type: 'email',
    channelId: null,
    masked: 'a…',
    sealed: 's',
  } as const;
  const alerts = { channels: [], targets: [target], onFailure: true, onRecovery: true };
  const config = await start('mon_watch_remind', {
    alerts: { ...alerts, onDegraded: false, remindEveryMinutes: 5 },
  });
  service.answer(config.id, () => outcomeOf('down'));
  await passTo(config, 12);
  const sent = service.ledger.tries.filter(({ alert }) => alert.resourceId === config.id);
  expect(sent.map(({ alert }) => [alert.kind, (alert.atMs - config.anchorMs) / MINUTE])).toEqual([
    ['failure', 1],
    ['reminder', 6],
    ['reminder', 11],
  ]);
  expect(watchedSlots(config)).toEqual([2, 3, 4, 5, 7, 8, 9, 10, 12]);
  await service.gateway.removeMonitor(config.id);
});

test('an edit that does not affect checks continues the watch', async () => {
  const config = await start('mon_watch_renamed');
  await passTo(config, 2);
  await service.gateway.configureMonitor({ ...config, version: 2, name: 'Another name' });
  for (const index of [3, 4]) await passTo(config, index);
  expect(watchedSlots(config)).toEqual([1, 2, 3, 4]);
  expect(await countWatches(config.id)).toBe(1);
});

/** Halves the interval now, and notifies the probe of the new grid. */
async function halve(config: MonitorConfig): Promise<MonitorConfig> {
  const halved = {
    ...config,
    version: config.version + 1,
    anchorMs: service.nowMs(),
    intervalMs: config.intervalMs / 2,
  };
  await service.gateway.configureMonitor(halved);
  await service.settle();
  service.moveGrids('eu-west', [halved]);
  return halved;
}

test('a change of the interval continues the watch, without a missed or doubled slot', async () => {
  const config = await start('mon_watch_halved');
  await passTo(config, 2);
  await service.pass(20 * SECOND);
  const before = await historyOf(config.id);
  const halved = await halve(config);
  for (const index of [0, 1, 2]) await passTo(halved, index);
  expect(await countWatches(config.id)).toBe(1);
  const once = (await historyOf(config.id)).length;
  const back = { ...halved, version: 3, anchorMs: service.nowMs(), intervalMs: MINUTE };
  await service.gateway.configureMonitor(back);
  await service.settle();
  service.moveGrids('eu-west', [back]);
  for (const index of [0, 1]) await passTo(back, index);
  // Each change adds a signal and the three events of its workflow task. The first change also adds a patch with its
  // search attribute.
  expect(once - before.length).toBeLessThanOrEqual(6);
  expect((await historyOf(config.id)).length - once).toBe(4);
  const slots = [
    ...[0, 1, 2].map((index) => config.anchorMs + index * MINUTE),
    ...[0, 1, 2].map((index) => halved.anchorMs + index * 30 * SECOND),
    ...[0, 1].map((index) => back.anchorMs + index * MINUTE),
  ];
  expect(slotsOf(config.id)).toEqual(slots);
  expect(checksOf(config.id).map(({ gap }) => gap)).toEqual(slots.map(() => null));
});

test('a failure after a change of the interval is recorded at its slot on the new schedule', async () => {
  const config = await start('mon_watch_halved_down');
  await passTo(config, 1);
  await service.pass(20 * SECOND);
  const halved = await halve(config);
  const downMs = halved.anchorMs + 30 * SECOND;
  service.answer(config.id, ({ slotMs }) => outcomeOf(slotMs === downMs ? 'down' : 'up'));
  for (const index of [0, 1, 2, 3, 4]) await passTo(halved, index);
  const down = checksOf(config.id).filter(({ health }) => health === 'down');
  expect(down.map(({ slotMs }) => slotMs)).toEqual([downMs]);
  expect(slotsOf(config.id)).toEqual([
    ...[0, 1].map((index) => config.anchorMs + index * MINUTE),
    ...[0, 1, 2, 3, 4].map((index) => halved.anchorMs + index * 30 * SECOND),
  ]);
});

test('a watch ends if its probe does not learn of the new interval', async () => {
  const config = await start('mon_watch_deaf');
  await passTo(config, 1);
  await service.pass(20 * SECOND);
  const halved = { ...config, version: 2, anchorMs: service.nowMs(), intervalMs: 30 * SECOND };
  await service.gateway.configureMonitor(halved);
  service.answer(config.id, ({ atMs }) =>
    outcomeOf(atMs < halved.anchorMs + MINUTE ? 'down' : 'up'),
  );
  await service.pass(MINUTE);
  for (const index of [3, 4]) await passTo(halved, index);
  const later = checksOf(config.id).filter(({ slotMs }) => slotMs > config.anchorMs + MINUTE);
  const numbered = (ms: number) => (ms - halved.anchorMs) / (30 * SECOND);
  expect(later.map(({ slotMs, gap }) => [numbered(slotMs), gap?.slots ?? 0])).toEqual([
    [1, 1],
    [2, 0],
    [3, 0],
    [4, 0],
  ]);
});

test('a monitor that continues as new keeps its watch without another check', async () => {
  const config = await start('mon_watch_moves');
  await passTo(config, 2);
  const handle = service.client.workflow.getHandle(monitorWorkflowId(config.id));
  const { runId } = await handle.describe();
  await handle.signal(SIGNALS.moveOn);
  for (const index of [3, 4]) await passTo(config, index);
  expect((await handle.describe()).runId).not.toBe(runId);
  expect(watchedSlots(config)).toEqual([1, 2, 3, 4]);
});

test('a pause during a slow response ends the watch after a second', async () => {
  const config = await start('mon_watch_paused');
  await passTo(config, 1);
  const slotMs = config.anchorMs + 2 * MINUTE;
  service.answer(config.id, async () => {
    await service.sleep(20 * SECOND);
    return outcomeOf('down');
  });
  await service.pass(slotMs + SECOND - service.nowMs());
  const atMs = service.nowMs();
  const paused = { version: 2, paused: true, pausedAtMs: atMs, savedAtMs: atMs };
  await service.gateway.configureMonitor({ ...config, ...paused });
  // Waits for one second, which the check in flight gets.
  await service.pass(SECOND + 1);
  const { workflowService } = service.client;
  const execution = { workflowId: monitorWorkflowId(config.id) };
  const described = await workflowService.describeWorkflowExecution({
    namespace: 'default',
    execution,
  });
  expect(described.pendingActivities).toEqual([]);
  await service.pass(5 * MINUTE);
  expect(service.sent.filter(({ id }) => id === config.id)).toHaveLength(3);
  expect(checksOf(config.id).every(({ health }) => health === 'up')).toBe(true);
});

test('a watch does not run the check at the slot at which maintenance begins', async () => {
  const config = await start('mon_watch_rests');
  await passTo(config, 1);
  const fromMs = config.anchorMs + 4 * MINUTE;
  const span = { windowId: 'mnt_1', mode: 'pause', fromMs, toMs: fromMs + 3 * MINUTE } as const;
  const plan = { asOfMs: service.nowMs(), spans: [span] };
  await service.gateway.planMaintenance('monitor', config.id, plan);
  for (const index of [2, 3, 7, 8]) await passTo(config, index);
  expect(slotsOf(config.id).map((ms) => (ms - config.anchorMs) / MINUTE)).toEqual(
    [0, 1, 2, 3, 7, 8].map(Number),
  );
});

test('a slot that passes during a slow check is recorded as missed by the next check', async () => {
  const intervalMs = 3 * SECOND;
  const config = await start('mon_watch_slow', { intervalMs });
  const slotAt = (index: number) => config.anchorMs + index * intervalMs;
  await passTo(config, 1);
  service.answer(config.id, async ({ slotMs }) => {
    if (slotMs === slotAt(2)) await service.sleep(7 * SECOND);
    return outcomeOf('up');
  });
  await service.until('the slots after the slow check', async () => {
    await service.pass(SECOND);
    return watchedSlots(config).filter((index) => index > 2).length >= 2;
  });
  const gaps = checksOf(config.id).flatMap(({ gap }) => gap ?? []);
  expect(gaps).toMatchObject([{ reason: 'overrun', fromSlotMs: slotAt(3) }]);
  await service.gateway.removeMonitor(config.id);
});

test('after a minute without API and database, no check is repeated and no result is lost', async () => {
  const config = await start('mon_watch_api_away', { intervalMs: 10 * SECOND });
  await passTo(config, 1);
  service.ledger.isAway = true;
  await service.pass(MINUTE);
  service.ledger.isAway = false;
  await passTo(config, 10);
  expect(watchedSlots(config)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(service.sent.filter(({ id }) => id === config.id)).toHaveLength(11);
  expect(checksOf(config.id).flatMap(({ gap }) => gap ?? [])).toEqual([]);
  expect(await countWatches(config.id)).toBe(1);
});

test('results that cannot be stored for ten minutes are recorded as missed by the next result', async () => {
  const config = await start('mon_watch_api_long_away');
  await passTo(config, 1);
  service.ledger.isAway = true;
  await service.pass(20 * MINUTE);
  service.ledger.isAway = false;
  await passTo(config, 22);
  const [gap] = checksOf(config.id).flatMap((record) => record.gap ?? []);
  expect(gap).toMatchObject({ reason: 'missed', fromSlotMs: config.anchorMs + 2 * MINUTE });
  const named = (gap?.toSlotMs ?? 0) - config.anchorMs;
  expect(watchedSlots(config).at(1)).toBe(named / MINUTE + 1);
  expect(watchedSlots(config)).toHaveLength(22 - (gap?.slots ?? 0));
});

test('if a signal ends a watch while the database is away, every slot is stored or recorded as missed', async () => {
  const config = await start('mon_watch_away');
  for (const index of [1, 2, 3]) await passTo(config, index);
  service.ledger.isAway = true;
  await service.pass(MINUTE);
  await service.gateway.configureMonitor({ ...config, version: 2, failuresBeforeDown: 3 });
  await service.pass(MINUTE);
  service.ledger.isAway = false;
  for (const index of [6, 7]) await passTo(config, index);
  const named = checksOf(config.id).flatMap(({ unconfirmed, gap }) => [
    ...(unconfirmed === undefined ? [] : [unconfirmed]),
    ...(gap === null ? [] : [gap]),
  ]);
  const isNamed = (ms: number) =>
    named.some(({ fromSlotMs, toSlotMs }) => fromSlotMs <= ms && ms <= toSlotMs);
  const all = Array.from({ length: 8 }, (_, index) => config.anchorMs + index * MINUTE);
  expect(all.filter((ms) => !slotsOf(config.id).includes(ms) && !isNamed(ms))).toEqual([]);
});

test('a region is unknown half a minute after losing its only probe', async () => {
  const config = await start('mon_watch_lost');
  await passTo(config, 1);
  await service.withoutProbes(() => service.pass(2 * MINUTE));
  for (const index of [5, 6]) await passTo(config, index);
  const healths = checksOf(config.id).map(({ slotMs, health }) => [
    (slotMs - config.anchorMs) / MINUTE,
    health,
  ]);
  expect(healths).toContainEqual([2, 'unknown']);
  expect(watchedSlots(config).at(-1)).toBe(6);
});

test('if probes are back within 20 seconds, the watch continues and the workflow makes no check', async () => {
  const config = await start('mon_watch_back');
  await passTo(config, 1);
  await service.withoutProbes(() => service.pass(20 * SECOND));
  for (const index of [2, 3]) await passTo(config, index);
  expect(watchedSlots(config)).toEqual([1, 2, 3]);
  expect(await countWatches(config.id)).toBe(1);
});

test('after an operator has ended the watch, the workflow checks the next slot', async () => {
  const config = await start('mon_watch_ended');
  await passTo(config, 1);
  await service.client.workflow.getHandle(monitorWorkflowId(config.id)).signal(SIGNALS.endWatch);
  for (const index of [2, 3, 4]) await passTo(config, index);
  expect(watchedSlots(config)).toEqual([1, 3, 4]);
});

test('a monitor that a probe reports as deleted continues if the database still has it', async () => {
  const config = await start('mon_said_gone');
  const { gone } = service.ledger;
  await passTo(config, 1);
  service.answer(config.id, () => {
    gone.add(config.id);
    // The workflow itself checks the same slot.
    service.answer(config.id, () => {
      gone.delete(config.id);
      return outcomeOf('up');
    });
    return outcomeOf('up');
  });
  for (const index of [2, 3]) await passTo(config, index);
  expect(watchedSlots(config)).toEqual([1, 3]);
});
