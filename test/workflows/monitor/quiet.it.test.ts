/** Quiet checks as the workflow sees them, on the time-skipping server. */
import type { MonitorConfig } from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { waitUntil } from '../../support/wait-until';
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

/** Saves a monitor now and waits for its first check. */
async function start(id: string, change: Partial<MonitorConfig> = {}): Promise<MonitorConfig> {
  const config = monitorConfig(id, { anchorMs: await service.nowMs(), ...change });
  await service.gateway.configureMonitor(config);
  await waitUntil('the first check', () => checksOf(id).length > 0);
  return config;
}

/** A second past the slot, and until it is stored: this server does not wait for attempts when it skips time. */
async function passTo({ id, anchorMs, intervalMs }: MonitorConfig, index: number): Promise<void> {
  const slotMs = anchorMs + index * intervalMs;
  await service.pass(slotMs + SECOND - (await service.nowMs()));
  await waitUntil(`slot ${index}`, () => slotsOf(id).includes(slotMs));
}

test('a signal that ends the quiet while the database is away leaves no slot without a name', async () => {
  const config = await start('mon_quiet_away');
  const isStored = (index: number) =>
    waitUntil(`slot ${index}`, () => slotsOf(config.id).includes(config.anchorMs + index * MINUTE));
  for (const index of [1, 2, 3, 4, 5]) {
    await service.pass(MINUTE);
    await isStored(index);
  }
  expect(service.ledger.quietRows.some(({ monitorId }) => monitorId === config.id)).toBe(true);
  service.ledger.isAway = true;
  await service.gateway.configureMonitor({ ...config, version: 2, failuresBeforeDown: 3 });
  await service.pass(MINUTE);
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  const named = await waitUntil('the record after it', () =>
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

test('slots that pass during a slow attempt are named with the next one, and the quiet goes on', async () => {
  const intervalMs = 3 * SECOND;
  const config = await start('mon_quiet_late', { intervalMs });
  const slotAt = (index: number) => config.anchorMs + index * intervalMs;
  const quietSlots = () =>
    service.ledger.quietRows.flatMap((row) =>
      row.monitorId === config.id ? [(row.slotMs - config.anchorMs) / intervalMs] : [],
    );
  await passTo(config, 1);
  service.answer(config.id, async ({ slotMs }) => {
    if (slotMs === slotAt(2)) await service.pass(7 * SECOND);
    return outcomeOf('up');
  });
  await waitUntil('the slots after it', async () => {
    await service.pass(SECOND);
    return quietSlots().length >= 4;
  });
  const { gap, slotMs = 0 } = checksOf(config.id).find((record) => record.gap !== null) ?? {};
  const after = (slotMs - config.anchorMs) / intervalMs;
  expect(gap).toEqual({
    reason: 'missed',
    fromSlotMs: slotAt(3),
    toSlotMs: slotAt(after - 1),
    slots: after - 3,
  });
  expect(quietSlots().slice(0, 4)).toEqual([1, 2, after, after + 1]);
});

test('a monitor is quiet from the slot after its first check on, and again after each that differs', async () => {
  const config = await start('mon_quiet_soon');
  const slotAt = (index: number) => config.anchorMs + index * config.intervalMs;
  const down = slotAt(3);
  service.answer(config.id, ({ slotMs }) => outcomeOf(slotMs === down ? 'down' : 'up'));
  for (const index of [1, 2, 3, 4, 5, 6]) await passTo(config, index);
  const quietSlots = service.ledger.quietRows
    .filter((row) => row.monitorId === config.id)
    .map(({ slotMs }) => (slotMs - config.anchorMs) / config.intervalMs);
  expect(quietSlots).toEqual([1, 2, 5, 6]);
});
