/** Tests an orchestrator that dies and returns some slots later. */
import { monitorConfig } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const INTERVAL_MS = 1_000;
const AWAY_MS = 6 * INTERVAL_MS;
/** Interval in milliseconds of monitors that are late after the downtime but have missed no slot. */
const LONG_INTERVAL_MS = 10_000;
const LATE = Array.from({ length: 12 }, (_, index) => `mon_late_${index}`);

let service: VirtualService;
let anchorMs: number;
let stoppedMs: number;
let returnedMs: number;
/** Number of checks of the monitor with the short interval before the orchestrator returned. */
let checksBefore: number;
const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);

/** Simulates one downtime of the orchestrator, until everything has been checked again. */
beforeAll(async () => {
  service = await startVirtualService(['eu-west'], { mayBeWatched: false });
  anchorMs = service.nowMs();
  const late = { intervalMs: LONG_INTERVAL_MS, budgetMs: 500 };
  for (const [index, id] of LATE.entries())
    await service.gateway.configureMonitor(
      monitorConfig(id, { anchorMs: anchorMs - index * 800, ...late }),
    );
  await service.gateway.configureMonitor(
    monitorConfig('mon_away', { anchorMs, intervalMs: INTERVAL_MS, budgetMs: 500 }),
  );
  await service.until('two checks', () => checksOf('mon_away').length >= 2);
  await service.until('a check of each monitor', () => LATE.every((id) => checksOf(id).length > 0));
  stoppedMs = service.nowMs();
  await service.withoutOrchestrator(() => service.pass(AWAY_MS));
  checksBefore = checksOf('mon_away').length;
  returnedMs = service.nowMs();
  const isChecked = (id: string) =>
    service.sent.some((one) => one.id === id && one.atMs > returnedMs);
  await service.until('another check of each monitor', () => LATE.every(isChecked));
  await service.until('checks after it', () => checksOf('mon_away').length >= checksBefore + 4);
});
afterAll(() => service.stop());

/** Returns the slots that were run or are named in a gap, in the order of the records. */
const slotsOf = (id: string, intervalMs: number) =>
  checksOf(id).flatMap(({ gap, slotMs }) => [
    ...Array.from(
      { length: gap?.slots ?? 0 },
      (_, index) => Number(gap?.fromSlotMs) + index * intervalMs,
    ),
    slotMs,
  ]);

test('after a period without an orchestrator, one check follows, and the missed slots become one gap', () => {
  const after = checksOf('mon_away').slice(checksBefore);
  // If a check was in flight when the orchestrator died, it is recorded first. Its record names no missed slot.
  const [{ slotMs } = { slotMs: 0 }] = after;
  const [first] = slotMs < stoppedMs + INTERVAL_MS ? after.slice(1) : after;
  const slots = slotsOf('mon_away', INTERVAL_MS);
  // On a busy machine, the workflow may start after its first slot. This slot then does not belong to the monitor.
  const [firstMs = 0] = slots;
  expect((firstMs - anchorMs) % INTERVAL_MS).toBe(0);
  expect(slots).toEqual(slots.map((_, index) => firstMs + index * INTERVAL_MS));
  expect(first?.gap?.reason).toBe('missed');
  expect(first?.gap?.slots).toBeGreaterThanOrEqual(4);
  // The record of this slot names all missed slots. A busy machine may miss further slots, which are separate gaps.
  expect(first?.slotMs).toBeGreaterThan(returnedMs - 2 * INTERVAL_MS);
});

test('late checks after a downtime keep their slots, and none of them begins at once', () => {
  const late = service.sent.filter(
    ({ id, slotMs, atMs }) =>
      LATE.includes(id) && atMs > returnedMs && slotMs > stoppedMs && slotMs < returnedMs - 2_000,
  );
  expect(late.length).toBeGreaterThan(2);
  for (const { slotMs, atMs } of late) {
    expect(atMs - returnedMs).toBeGreaterThan(500);
    expect(atMs).toBeLessThan(slotMs + LONG_INTERVAL_MS);
  }
  for (const id of LATE) {
    const slots = slotsOf(id, LONG_INTERVAL_MS);
    expect(slots).toEqual(slots.map((_, index) => Number(slots[0]) + index * LONG_INTERVAL_MS));
  }
});
