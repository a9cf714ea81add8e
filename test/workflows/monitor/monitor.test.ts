/** Tests the life cycle of a monitor in virtual time. Each check is an activity of its workflow. */
import type { CheckStatus } from '../../../src/contracts/outcome';
import { type MonitorConfig, monitorWorkflowId, SIGNALS } from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
let service: VirtualService;
const started = new Set<string>();

beforeAll(async () => {
  service = await startVirtualService(['eu-west', 'us-east'], { mayBeWatched: false });
});
afterEach(async () => {
  for (const id of started) await service.gateway.removeMonitor(id);
  started.clear();
});
afterAll(() => service.stop());

const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);
const slotsOf = (id: string) => checksOf(id).map(({ slotMs }) => slotMs);
const handleOf = (id: string) => service.client.workflow.getHandle(monitorWorkflowId(id));

/** Saves a monitor now and waits for its first check. */
async function start(id: string, change: Partial<MonitorConfig> = {}): Promise<MonitorConfig> {
  const config = monitorConfig(id, { anchorMs: service.nowMs(), ...change });
  started.add(id);
  await service.gateway.configureMonitor(config);
  await service.until('the first check', () => config.paused || checksOf(id).length > 0);
  return config;
}

const sentOf = (id: string) => service.sent.filter((step) => step.id === id);

/** Makes checks of the monitor wait in the probe until `release` is called. */
function holdChecks(id: string, statusIn: (region: string) => CheckStatus) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.answer(id, async ({ region }) => {
    await released;
    return outcomeOf(statusIn(region));
  });
  return { release: () => release() };
}

const onGrid = (config: { anchorMs: number; intervalMs: number }, ...steps: number[]) =>
  steps.map((step) => config.anchorMs + step * config.intervalMs);

test('in a simulated day, every scheduled slot is checked once, without drift', async () => {
  const { anchorMs } = await start('mon_day', { intervalMs: 10 * MINUTE });
  await service.pass(24 * 60 * MINUTE);
  const slots = slotsOf('mon_day');
  expect(slots.length).toBeGreaterThanOrEqual(144);
  expect(slots).toEqual(slots.map((_, index) => anchorMs + index * 10 * MINUTE));
  expect(checksOf('mon_day').map(({ trigger }) => trigger)).toEqual([
    'save',
    ...slots.slice(1).map(() => 'schedule'),
  ]);
  expect(checksOf('mon_day').every(({ gap }) => gap === null)).toBe(true);
  // The workflow sets current details, because static details are lost after the first history.
  const metadata = JSON.stringify(await handleOf('mon_day').query('__temporal_workflow_metadata'));
  expect(metadata).toContain('[monitor mon_day](/monitors/mon_day)');
});

test('a paused monitor sends nothing, and a resumed monitor continues on the same schedule', async () => {
  const config = await start('mon_pause');
  await service.gateway.configureMonitorNow({ ...config, version: 2, paused: true });
  const sentBefore = service.sent.length;
  await service.pass(30 * MINUTE + 20 * SECOND);
  expect(service.sent.length).toBe(sentBefore);
  await service.gateway.configureMonitorNow({ ...config, version: 3 });
  await service.pass(MINUTE);
  expect(slotsOf('mon_pause')).toEqual(onGrid(config, 0, 31));
  expect(checksOf('mon_pause').every(({ gap }) => gap === null)).toBe(true);
});

test('a pause with an end time ends without a request', async () => {
  const config = await start('mon_until');
  const pausedUntilMs = config.anchorMs + 5 * MINUTE + 30 * SECOND;
  await service.gateway.configureMonitorNow({ ...config, version: 2, paused: true, pausedUntilMs });
  await service.pass(7 * MINUTE + 10 * SECOND);
  expect(slotsOf('mon_until')).toEqual(onGrid(config, 0, 6, 7));
});

test('a monitor that is saved as paused has its first check when it is resumed', async () => {
  const config = await start('mon_disabled', { paused: true });
  await service.pass(10 * MINUTE + 20 * SECOND);
  expect(checksOf('mon_disabled')).toEqual([]);
  await service.gateway.configureMonitorNow({ ...config, version: 2, paused: false });
  await service.until('the first check', () => checksOf('mon_disabled').length === 1);
  expect(checksOf('mon_disabled')[0]).toMatchObject({ trigger: 'save', gap: null });
});

test('operators can pause and resume by signals of plain JSON, and invalid signals are ignored', async () => {
  const config = await start('mon_ops');
  await handleOf('mon_ops').signal(SIGNALS.pause, ['all of them']);
  await service.pass(MINUTE + SECOND);
  await handleOf('mon_ops').signal(SIGNALS.pause, { by: 'ops', reason: 'planned work' });
  await service.pass(10 * MINUTE);
  await handleOf('mon_ops').signal(SIGNALS.resume);
  await service.pass(MINUTE);
  expect(slotsOf('mon_ops')).toEqual(onGrid(config, 0, 1, 12));
});

test('one check serves all waiting requests, and a repeated request changes nothing', async () => {
  const config = await start('mon_manual', { intervalMs: 60 * MINUTE });
  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.answer('mon_manual', async () => {
    await blocked;
    return outcomeOf('up');
  });
  const ask = (requestId: string, requestedAtMs: number) =>
    service.gateway.checkMonitorNow(config, { requestId, requestedAtMs });
  await ask('first', config.anchorMs + 1_000);
  await service.until('the first request is under way', () =>
    service.sent.some(({ id, slotMs }) => id === 'mon_manual' && slotMs > config.anchorMs),
  );
  await service.pass(3 * SECOND);
  await ask('second', config.anchorMs + 2_000);
  await ask('third', config.anchorMs + 3_000);
  await ask('first', config.anchorMs + 1_000);
  release();
  await service.until('both checks', () => checksOf('mon_manual').length === 3);
  await ask('third', config.anchorMs + 3_000);
  await service.pass(MINUTE);
  expect(checksOf('mon_manual').slice(1)).toMatchObject([
    { kind: 'manual', trigger: 'manual', requestIds: ['first'] },
    { kind: 'manual', trigger: 'manual', requestIds: ['second', 'third'] },
  ]);
  const slots = slotsOf('mon_manual');
  expect(slots).toEqual([...new Set(slots)].sort((a, b) => a - b));
});

test('a new interval starts a new schedule, with a check at once', async () => {
  const config = await start('mon_edit', { intervalMs: 60 * MINUTE });
  await service.pass(10 * MINUTE);
  const anchorMs = service.nowMs();
  await service.gateway.configureMonitorNow({
    ...config,
    version: 2,
    revision: 2,
    intervalMs: MINUTE,
    anchorMs,
  });
  await service.pass(2 * MINUTE + 10 * SECOND);
  expect(
    checksOf('mon_edit').map(({ slotMs, trigger, revision }) => [slotMs, trigger, revision]),
  ).toEqual([
    [config.anchorMs, 'save', 1],
    [anchorMs, 'save', 2],
    [anchorMs + MINUTE, 'schedule', 2],
    [anchorMs + 2 * MINUTE, 'schedule', 2],
  ]);
});

test('an edited definition is checked at once, and the schedule stays', async () => {
  const config = await start('mon_rev', { intervalMs: 10 * MINUTE });
  await service.pass(3 * MINUTE);
  await service.gateway.configureMonitorNow({ ...config, version: 3, revision: 2 });
  await service.gateway.configureMonitor({
    ...config,
    version: 2,
    revision: 1,
    intervalMs: SECOND,
  });
  await service.pass(8 * MINUTE);
  expect(
    checksOf('mon_rev').map(({ trigger, revision, kind }) => [trigger, revision, kind]),
  ).toEqual([
    ['save', 1, 'scheduled'],
    ['save', 2, 'manual'],
    ['schedule', 2, 'scheduled'],
  ]);
  expect(slotsOf('mon_rev').at(-1)).toBe(config.anchorMs + 10 * MINUTE);
});

test('slots that pass during a long check are skipped, and the next check records them as missed', async () => {
  const config = await start('mon_slow', { intervalMs: 3 * SECOND });
  service.answer('mon_slow', async ({ slotMs }) => {
    if (slotMs === config.anchorMs + 3 * SECOND) await service.sleep(7 * SECOND);
    return outcomeOf('up');
  });
  await service.pass(16 * SECOND);
  expect(slotsOf('mon_slow')).toEqual(onGrid(config, 0, 1, 4, 5));
  const [fromSlotMs, toSlotMs] = onGrid(config, 2, 3);
  // The check after the slow one names the missed slots. The slow check names none, because a later repeat of its
  // workflow task may store its record again.
  expect(checksOf('mon_slow')[1]?.gap).toBe(null);
  expect(checksOf('mon_slow')[2]?.gap).toEqual({
    reason: 'overrun',
    fromSlotMs,
    toSlotMs,
    slots: 2,
  });
});

test('a check that ended during a pause records the slots before the pause as missed', async () => {
  const config = await start('mon_slow_paused', { intervalMs: 3 * SECOND });
  const pausedAtMs = config.anchorMs + 7 * SECOND;
  service.answer('mon_slow_paused', async ({ slotMs }) => {
    if (slotMs !== config.anchorMs + 3 * SECOND) return outcomeOf('up');
    await service.sleep(4 * SECOND);
    const paused = { ...config, version: 2, paused: true, pausedAtMs };
    await service.gateway.configureMonitorNow(paused);
    await service.sleep(3 * SECOND);
    return outcomeOf('up');
  });
  await service.until('the check in which it is paused', async () => {
    await service.pass(SECOND);
    return checksOf('mon_slow_paused').length === 2;
  });
  const savedAtMs = service.nowMs();
  await service.gateway.configureMonitorNow({ ...config, version: 3, savedAtMs });
  await service.until('a check after the pause', async () => {
    await service.pass(SECOND);
    return checksOf('mon_slow_paused').length > 2;
  });
  const [, slow, after] = checksOf('mon_slow_paused');
  const [slotMs] = onGrid(config, 2);
  expect(slow?.gap).toBe(null);
  expect(after?.gap).toEqual({
    reason: 'overrun',
    fromSlotMs: slotMs,
    toSlotMs: slotMs,
    slots: 1,
  });
  expect(after?.excludedPeriods).toEqual([
    { state: 'paused', fromMs: pausedAtMs, toMs: savedAtMs },
  ]);
});

test('a region removed during its check stays removed', async () => {
  const regions = ['eu-west', 'us-east'];
  const config = await start('mon_taken_out', { regions });
  const { release } = holdChecks('mon_taken_out', (region) =>
    region === 'us-east' ? 'down' : 'up',
  );
  await service.pass(MINUTE);
  await service.until('both checks are under way', () => sentOf('mon_taken_out').length === 4);
  await service.gateway.configureMonitorNow({ ...config, version: 2, regions: ['eu-west'] });
  release();
  await service.until('the check', () => checksOf('mon_taken_out').length === 2);
  const { health, regionsHealth, outcomes } = checksOf('mon_taken_out')[1] ?? {};
  expect([health, regionsHealth?.map(({ region }) => region)]).toEqual(['up', ['eu-west']]);
  expect(outcomes?.map(({ region }) => region)).toEqual(regions);
});

test('replacing a region during a check does not change the health', async () => {
  const config = await start('mon_moved');
  const { release } = holdChecks('mon_moved', () => 'down');
  await service.pass(MINUTE);
  await service.until('the check is under way', () => sentOf('mon_moved').length === 2);
  await service.gateway.configureMonitorNow({ ...config, version: 2, regions: ['us-east'] });
  release();
  await service.until('the check', () => checksOf('mon_moved').length === 2);
  expect(checksOf('mon_moved')[1]).toMatchObject({ health: 'up', regionsHealth: [] });
});

test('a worker that dies during a long check is noticed early, and the next gap has the reason worker_lost', async () => {
  const config = await start('mon_dead', { intervalMs: 10 * SECOND, budgetMs: 90 * SECOND });
  const { release } = holdChecks('mon_dead', () => 'up');
  await service.pass(10 * SECOND);
  await service.until('the check is under way', () => sentOf('mon_dead').length === 2);
  await service.pass(16 * SECOND);
  await service.until('the loss', () => checksOf('mon_dead').length === 2);
  release();
  const [fromSlotMs] = onGrid(config, 2);
  expect(checksOf('mon_dead')[1]).toMatchObject({
    outcomes: [{ outcome: { status: 'unknown', failure: { code: 'worker_lost' } } }],
    gap: null,
    health: 'unknown',
  });
  await service.until('the next check', async () => {
    await service.pass(SECOND);
    return checksOf('mon_dead').length > 2;
  });
  const gap = { reason: 'worker_lost', fromSlotMs, toSlotMs: fromSlotMs, slots: 1 };
  expect(checksOf('mon_dead')[2]).toMatchObject({ gap });
});

test('a monitor that is cancelled while the database is away ends when its results are stored', async () => {
  const config = await start('mon_unstored');
  service.ledger.isAway = true;
  await service.pass(3 * MINUTE + 30 * SECOND);
  expect(slotsOf('mon_unstored')).toEqual(onGrid(config, 0));
  await handleOf('mon_unstored').cancel();
  await service.pass(10 * SECOND);
  service.ledger.isAway = false;
  await expect(handleOf('mon_unstored').result()).rejects.toThrow('cancelled');
  expect(slotsOf('mon_unstored').toSorted((a, b) => a - b)).toEqual(onGrid(config, 0, 1, 2, 3));
});

test('a region without a worker is unavailable, not down, and only one check waits for a worker', async () => {
  const regions = ['eu-west', 'nowhere'];
  const config = await start('mon_region', { intervalMs: 2 * SECOND, regions });
  const [first] = checksOf('mon_region');
  expect(first?.outcomes.map(({ outcome }) => [outcome.status, outcome.failure?.code])).toEqual([
    ['up', undefined],
    ['unknown', 'region_unavailable'],
  ]);
  expect(first?.health).toBe('up');
  await service.gateway.configureMonitorNow({ ...config, version: 2, regions: ['nowhere'] });
  const lastHealth = () => checksOf('mon_region').at(-1)?.health;
  await service.until('unknown health', () => lastHealth() === 'unknown');
  const { regionsHealth } = checksOf('mon_region').at(-1) ?? {};
  expect(regionsHealth).toMatchObject([{ region: 'nowhere', health: 'unknown' }]);
  expect(await mostWaiting('mon_region', 'probe-nowhere')).toBe(1);
});

/** Returns the highest number of checks of the monitor that were queued or running at the same time. */
async function mostWaiting(id: string, queue: string): Promise<number> {
  const { events } = await handleOf(id).fetchHistory();
  const open = new Set<string>();
  let most = 0;
  for (const event of events ?? []) {
    const { activityTaskScheduledEventAttributes: scheduled } = event;
    if (scheduled?.taskQueue?.name === queue) open.add(String(event.eventId));
    const closed =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskFailedEventAttributes;
    open.delete(String(closed?.scheduledEventId));
    most = Math.max(most, open.size);
  }
  return most;
}

test('a worker that never reports gives an unknown outcome, and the next slot is on time', async () => {
  const config = await start('mon_lost');
  service.answer('mon_lost', async ({ slotMs }) => {
    if (slotMs === config.anchorMs + MINUTE) await service.sleep(40 * SECOND);
    return outcomeOf('down');
  });
  await service.pass(2 * MINUTE + 10 * SECOND);
  await service.until('three slots', () => slotsOf('mon_lost').length === 3);
  expect(slotsOf('mon_lost')).toEqual(onGrid(config, 0, 1, 2));
  expect(checksOf('mon_lost').map(({ outcomes }) => outcomes[0]?.outcome.failure?.code)).toEqual([
    undefined,
    'worker_lost',
    'assertion_failed',
  ]);
  expect(checksOf('mon_lost').map(({ health }) => health)).toEqual(['up', 'unknown', 'down']);
});

test('checks continue while the database is away, and no result is lost or doubled', async () => {
  const config = await start('mon_db');
  service.ledger.isAway = true;
  await service.pass(10 * MINUTE + 10 * SECOND);
  const sentSlots = service.sent.filter(({ id }) => id === 'mon_db').map(({ slotMs }) => slotMs);
  expect(sentSlots).toEqual(onGrid(config, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  expect(slotsOf('mon_db').toSorted((a, b) => a - b)).toEqual([
    ...sentSlots,
    config.anchorMs + 11 * MINUTE,
  ]);
});

test('a check requested during a pause waits until the monitor is resumed', async () => {
  const config = await start('mon_held', { intervalMs: 60 * MINUTE });
  const paused = { ...config, version: 2, paused: true };
  await service.gateway.configureMonitorNow(paused);
  await service.gateway.checkMonitorNow(paused, { requestId: 'r', requestedAtMs: 1 });
  await service.pass(10 * MINUTE);
  expect(checksOf('mon_held')).toHaveLength(1);
  await service.gateway.configureMonitorNow({ ...config, version: 3 });
  await service.until('the response to the request', () => checksOf('mon_held').length === 2);
});

test('removal cancels the check in flight and ends the workflow', async () => {
  const config = await start('mon_gone');
  let release = (): void => undefined;
  service.answer('mon_gone', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return outcomeOf('up');
  });
  await service.gateway.checkMonitorNow(config, { requestId: 'r', requestedAtMs: 1 });
  await service.until('the check in flight', () =>
    service.sent.some(({ id, slotMs }) => id === 'mon_gone' && slotMs > config.anchorMs),
  );
  await service.gateway.removeMonitor('mon_gone');
  await handleOf('mon_gone').result();
  release();
  expect(slotsOf('mon_gone')).toEqual([config.anchorMs]);
  await expect(service.gateway.removeMonitor('mon_gone')).resolves.toBeUndefined();
});

test('a workflow whose monitor is no longer in the database ends', async () => {
  service.ledger.gone.add('mon_orphan');
  const config = monitorConfig('mon_orphan', { anchorMs: service.nowMs() });
  await service.gateway.configureMonitor(config);
  await handleOf('mon_orphan').result();
  expect(checksOf('mon_orphan')).toEqual([]);
});

test('no signal is lost when workflows continue as new', async () => {
  const config = await start('mon_signals', { intervalMs: 60 * MINUTE });
  const first = (await handleOf('mon_signals').describe()).runId;
  for (let version = 2; version <= 400; version += 1)
    await service.gateway.configureMonitor({ ...config, version, revision: version });
  await service.until(
    'the last revision is checked',
    () => checksOf('mon_signals').at(-1)?.revision === 400,
  );
  const revs = checksOf('mon_signals').map(({ revision }) => revision);
  expect(revs).toEqual([...new Set(revs)].toSorted((a, b) => a - b));
  expect((await handleOf('mon_signals').describe()).runId).not.toBe(first);
});
