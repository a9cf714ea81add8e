/** Quiet checks as the workflow sees them, in virtual time. */
import { temporal } from '@temporalio/proto';
import { type MonitorConfig, monitorWorkflowId } from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { patchesIn } from '../patches-in';
import { startVirtualService, type VirtualService } from '../virtual-service';

const { PendingActivityState } = temporal.api.enums.v1;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
});
afterAll(() => service.stop());

const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);
const slotsOf = (id: string) => checksOf(id).map(({ slotMs }) => slotMs);

/** Saves a monitor now and waits for its first check. */
async function start(id: string, change: Partial<MonitorConfig> = {}): Promise<MonitorConfig> {
  const config = monitorConfig(id, { anchorMs: service.nowMs(), ...change });
  await service.gateway.configureMonitor(config);
  await service.until('the first check', () => checksOf(id).length > 0);
  return config;
}

/** A second past the slot, and until it is stored. */
async function passTo({ id, anchorMs, intervalMs }: MonitorConfig, index: number): Promise<void> {
  const slotMs = anchorMs + index * intervalMs;
  await service.pass(slotMs + SECOND - service.nowMs());
  await service.until(`slot ${index}`, () => slotsOf(id).includes(slotMs));
}

/** Whether the workflow has cancelled the attempt that is under way. */
async function isAskedToEnd(id: string): Promise<boolean> {
  const { workflowService } = service.client;
  const execution = { workflowId: monitorWorkflowId(id) };
  const asked = { namespace: 'default', execution };
  const described = await workflowService.describeWorkflowExecution(asked);
  return described.pendingActivities.some(
    ({ state }) => state === PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED,
  );
}

test('a signal that ends the quiet while the database is away leaves no slot without a name', async () => {
  const config = await start('mon_quiet_away');
  const isStored = (index: number) =>
    service.until(`slot ${index}`, () =>
      slotsOf(config.id).includes(config.anchorMs + index * MINUTE),
    );
  for (const index of [1, 2, 3, 4, 5]) {
    await service.pass(MINUTE);
    await isStored(index);
  }
  expect(service.ledger.watchedRows.some(({ monitorId }) => monitorId === config.id)).toBe(true);
  service.ledger.isAway = true;
  await service.gateway.configureMonitor({ ...config, version: 2, failuresBeforeDown: 3 });
  await service.pass(MINUTE);
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  const named = await service.until('the record after it', () =>
    checksOf(config.id).find(({ unconfirmed }) => unconfirmed !== undefined),
  );
  const { fromSlotMs = 0, toSlotMs = 0, slots = 0 } = named.unconfirmed ?? {};
  // The newest slot is checked anew; each before it is stored, or named by this.
  expect(toSlotMs).toBe(named.slotMs - MINUTE);
  expect(slots).toBe((toSlotMs - fromSlotMs) / MINUTE + 1);
  expect(slots).toBeLessThanOrEqual(3);
  expect(checksOf(config.id).filter(({ unconfirmed }) => unconfirmed !== undefined)).toHaveLength(
    1,
  );
});

test('slots that pass during a slow attempt are named with the next check, and then the monitor is quiet again', async () => {
  const intervalMs = 3 * SECOND;
  const config = await start('mon_quiet_late', { intervalMs });
  const slotAt = (index: number) => config.anchorMs + index * intervalMs;
  const quietSlots = () =>
    service.ledger.watchedRows.flatMap((row) =>
      row.monitorId === config.id ? [(row.slotMs - config.anchorMs) / intervalMs] : [],
    );
  await passTo(config, 1);
  service.answer(config.id, async ({ slotMs }) => {
    if (slotMs === slotAt(2)) await service.sleep(7 * SECOND);
    return outcomeOf('up');
  });
  await service.until('the slots after it', async () => {
    await service.pass(SECOND);
    return quietSlots().length >= 3;
  });
  const { gap, slotMs = 0 } = checksOf(config.id).find((record) => record.gap !== null) ?? {};
  const after = (slotMs - config.anchorMs) / intervalMs;
  expect(gap).toEqual({
    reason: 'overrun',
    fromSlotMs: slotAt(3),
    toSlotMs: slotAt(after - 1),
    slots: after - 3,
  });
  // The slow one and the one that names them pass the workflow.
  expect(quietSlots().slice(0, 3)).toEqual([1, after + 1, after + 2]);
});

test('a first try that fails in the quiet is followed by the others at once, as one check', async () => {
  const config = await start('mon_quiet_retried', { retries: 2, budgetMs: 30_000 });
  const slotMs = config.anchorMs + 3 * config.intervalMs;
  const failedTry = {
    startedAt: new Date(0).toISOString(),
    responseTimeMs: 5,
    status: 503,
    failure: { code: 'assertion_failed', message: 'It did not pass.', phase: 'assert' },
  } as const;
  service.answer(config.id, (step) => {
    const { isFirstTryOnly, madeTries = [] } = step;
    if (step.slotMs !== slotMs) return outcomeOf('up');
    if (isFirstTryOnly === true) return { ...outcomeOf('down'), attempts: [failedTry] };
    return { ...outcomeOf('up'), attempts: [...madeTries, ...outcomeOf('up').attempts] };
  });
  for (const index of [1, 2, 3, 4, 5]) await passTo(config, index);
  const [met] = checksOf(config.id).flatMap((record) =>
    record.slotMs === slotMs ? record.outcomes.map(({ outcome }) => outcome) : [],
  );
  expect(met).toMatchObject({ status: 'up', attempts: [failedTry, { failure: null }] });
  const sentFor = service.sent.filter((step) => step.id === config.id && step.slotMs === slotMs);
  expect(sentFor.map((step) => step.madeTries ?? step.isFirstTryOnly)).toEqual([true, [failedTry]]);
  expect(checksOf(config.id).every(({ health }) => health === 'up')).toBe(true);
});

test('a pause between the tries of a slot holds none of them against the target', async () => {
  const config = await start('mon_quiet_paused', { retries: 1, budgetMs: 20_000 });
  const slotMs = config.anchorMs + 2 * config.intervalMs;
  service.answer(config.id, async (step) => {
    if (step.slotMs !== slotMs) return outcomeOf('up');
    const nowMs = service.nowMs();
    const paused = { version: 2, paused: true, pausedAtMs: nowMs, savedAtMs: nowMs };
    await service.gateway.configureMonitor({ ...config, ...paused });
    await service.settle();
    expect(await isAskedToEnd(config.id)).toBe(true);
    const { failure } = outcomeOf('down');
    const attempts = outcomeOf('up').attempts.map((one) => ({ ...one, failure }));
    return { ...outcomeOf('down'), attempts };
  });
  for (const index of [1, 2]) await passTo(config, index);
  const [last] = checksOf(config.id).filter((record) => record.slotMs === slotMs);
  expect(last?.outcomes).toMatchObject([{ outcome: { failure: { code: 'cancelled' } } }]);
  expect(last?.health).not.toBe('down');
});

test('a monitor is quiet from the slot after its first check on, and again after each that differs', async () => {
  const config = await start('mon_quiet_soon');
  const slotAt = (index: number) => config.anchorMs + index * config.intervalMs;
  const down = slotAt(3);
  service.answer(config.id, ({ slotMs }) => outcomeOf(slotMs === down ? 'down' : 'up'));
  for (const index of [1, 2, 3, 4, 5, 6]) await passTo(config, index);
  const quietSlots = service.ledger.watchedRows
    .filter((row) => row.monitorId === config.id)
    .map(({ slotMs }) => (slotMs - config.anchorMs) / config.intervalMs);
  expect(quietSlots).toEqual([1, 2, 5, 6]);
});

test('a probe that takes a monitor for gone does not end it: the database is asked, and knows it', async () => {
  const config = await start('mon_said_gone');
  const { gone } = service.ledger;
  await passTo(config, 1);
  service.answer(config.id, () => {
    gone.add(config.id);
    // The workflow's own check of the same slot.
    service.answer(config.id, () => {
      gone.delete(config.id);
      return outcomeOf('up');
    });
    return outcomeOf('up');
  });
  await passTo(config, 2);
  expect(await patchesIn(service, config.id)).toEqual(['probes-end-no-monitor']);
  await service.replaceOrchestrator();
  await passTo(config, 3);
  expect(slotsOf(config.id)).toHaveLength(4);
  expect(await patchesIn(service, config.id)).toEqual(['probes-end-no-monitor']);
});
