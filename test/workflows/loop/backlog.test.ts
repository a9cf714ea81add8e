/** Tests records that the database does not accept, because it is unavailable or refuses them. Uses a virtual clock. */
import { monitorWorkflowId, SIGNALS } from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const started: string[] = [];
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService();
});
afterAll(() => service.stop());
afterEach(async () => {
  service.ledger.isAway = false;
  service.ledger.refused.clear();
  // Ends the monitors. Otherwise they would be checked through all the hours of the next test.
  await Promise.all(started.splice(0).map((id) => handleOf(id).terminate()));
});

const handleOf = (id: string) => service.client.workflow.getHandle(monitorWorkflowId(id));
const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);
const sentSlots = (id: string) =>
  service.sent.filter((step) => step.id === id).map(({ slotMs }) => slotMs);
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);

/** Starts a monitor that is degraded and up in turn, because the workflow does not record unchanged outcomes. */
async function start(id: string, intervalMs = MINUTE) {
  started.push(id);
  service.answer(id, ({ slotMs }) =>
    outcomeOf(Math.floor(slotMs / intervalMs) % 2 === 0 ? 'up' : 'degraded'),
  );
  const config = monitorConfig(id, { anchorMs: service.nowMs(), intervalMs });
  await service.gateway.configureMonitor(config);
  await service.until('the first check', () => checksOf(id).length === 1);
  return config;
}

/** Returns every slot that was stored or is named in a gap, in ascending order. */
function storedSlots(id: string, intervalMs: number): readonly number[] {
  const slots = checksOf(id).flatMap(({ slotMs, outcomes, gap }) => {
    const own = outcomes.length > 0 ? [slotMs] : [];
    const named = Array.from(
      { length: gap?.slots ?? 0 },
      (_, index) => (gap?.fromSlotMs ?? 0) + index * intervalMs,
    );
    return [...own, ...named];
  });
  return ascending(slots);
}

/** Counts the pending activities, except the watch. */
async function pendingActivities(id: string): Promise<number> {
  const { raw } = await handleOf(id).describe();
  const pending = raw.pendingActivities ?? [];
  return pending.filter(({ activityType }) => activityType?.name !== 'watchMonitor').length;
}

test('while the database is away, one activity waits for the database, and the workflow continues as new', async () => {
  await start('mon_hour');
  const { runId } = await handleOf('mon_hour').describe();
  service.ledger.isAway = true;
  service.ledger.handOvers = 0;
  await service.pass(HOUR + MINUTE / 2);
  const away = await handleOf('mon_hour').describe();
  expect(await pendingActivities('mon_hour')).toBe(1);
  expect(away.runId).not.toBe(runId);
  expect(away.historyLength).toBeLessThan(400);
  expect(service.ledger.handOvers).toBeLessThan(250);
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  expect(ascending(checksOf('mon_hour').map(({ slotMs }) => slotMs))).toEqual(
    sentSlots('mon_hour'),
  );
  expect(await pendingActivities('mon_hour')).toBe(0);
});

test('the oldest of over a hundred deferred slots become one gap, and no slot is lost or doubled', async () => {
  const config = await start('mon_long');
  service.ledger.isAway = true;
  await service.pass(2.5 * HOUR + MINUTE / 2);
  service.ledger.isAway = false;
  await service.pass(2 * MINUTE);
  const gaps = checksOf('mon_long').flatMap(({ gap }) => gap ?? []);
  expect(gaps).toEqual([expect.objectContaining({ reason: 'missed', slots: expect.any(Number) })]);
  expect(gaps[0]?.slots).toBeGreaterThan(40);
  expect(checksOf('mon_long').length).toBeGreaterThan(100);
  const slots = storedSlots('mon_long', config.intervalMs);
  expect(slots).toEqual(slots.map((_, index) => config.anchorMs + index * config.intervalMs));
  expect(slots.length).toBeGreaterThanOrEqual(2.5 * 60 + 1);
});

test('a record that is refused for some hours is stored afterwards, and delays no other record', async () => {
  const config = await start('mon_refused');
  service.ledger.refused.add('mon_refused');
  await service.pass(3 * MINUTE);
  service.ledger.refused.clear();
  await service.pass(2 * MINUTE);
  expect(checksOf('mon_refused').length).toBeGreaterThanOrEqual(2);
  await handleOf('mon_refused').signal(SIGNALS.pause);
  await service.until('the pause is reported', () =>
    service.ledger.operatorChanges.some(({ id }) => id === 'mon_refused'),
  );
  await service.pass(2 * HOUR);
  expect(storedSlots('mon_refused', config.intervalMs)).toEqual(
    ascending([...new Set(sentSlots('mon_refused'))]),
  );
  expect(service.ledger.givenUp).toEqual([]);
});

test('a record refused for a day is listed for the operator with the reason, and checks continue', async () => {
  const config = await start('mon_poison', HOUR);
  service.ledger.refused.add('mon_poison');
  await service.pass(26 * HOUR);
  const listed = service.ledger.givenUp.filter(({ resourceId }) => resourceId === 'mon_poison');
  expect(listed[0]).toMatchObject({
    accountId: 'acc_1',
    slotMs: config.anchorMs + HOUR,
    reason: 'the database refuses it',
    record: expect.stringContaining('"monitorId":"mon_poison"'),
  });
  service.ledger.refused.clear();
  const before = checksOf('mon_poison').length;
  await service.pass(2 * HOUR);
  expect(checksOf('mon_poison').length).toBeGreaterThan(before);
  expect(await pendingActivities('mon_poison')).toBe(0);
});
