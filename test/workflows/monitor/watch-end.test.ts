/** Tests at which slots watches end, and what is recorded about the slots before and after the end, in virtual time. */
import { ApplicationFailure } from '@temporalio/common';
import { type MonitorConfig, monitorWorkflowId } from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const REGIONS = ['eu-west', 'us-east'];
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(REGIONS);
});
afterAll(() => service.stop());

const checksOf = (id: string) => service.ledger.checks.filter(({ monitorId }) => monitorId === id);

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
  await service.until(`slot ${index}`, () => checksOf(id).some((one) => one.slotMs === slotMs));
}

/** Returns the recorded slots and the slots named in gaps, counted from the first slot. */
function recorded({ id, anchorMs, intervalMs }: MonitorConfig) {
  const slotOf = (ms: number) => (ms - anchorMs) / intervalMs;
  return checksOf(id).map(({ slotMs, outcomes, gap }) => {
    const seen = outcomes.map(({ region, outcome }) => `${region} ${outcome.status}`).toSorted();
    const named = gap === null ? [] : [`missed ${slotOf(gap.fromSlotMs)}-${slotOf(gap.toSlotMs)}`];
    return [slotOf(slotMs), ...seen, ...named].join(', ');
  });
}

function isRefusedForNow(): never {
  throw ApplicationFailure.create({ type: 'definition_unreadable', message: 'the API is away' });
}

test.each([[REGIONS.slice(0, 1)], [REGIONS]])(
  'a different outcome after unchecked slots is recorded at its own slot, with the regions %j',
  async (regions) => {
    const config = await start(`mon_found_late_${regions.length}`, { regions });
    const slotAt = (index: number) => config.anchorMs + index * MINUTE;
    service.answer(config.id, ({ slotMs, region }) => {
      const isBlind = region === REGIONS[0] && slotMs >= slotAt(3) && slotMs < slotAt(5);
      if (isBlind) isRefusedForNow();
      return outcomeOf(region === REGIONS[0] && slotMs >= slotAt(5) ? 'down' : 'up');
    });
    for (const index of [1, 2]) await passTo(config, index);
    await service.pass(slotAt(5) + 5 * SECOND - service.nowMs());
    await passTo(config, 6);
    const first = recorded(config).filter((line) => line.includes('down'))[0];
    expect(first).toMatch(/^5, .*missed 3-4$/);
    const sent = service.sent.filter(({ id, region }) => id === config.id && region === REGIONS[0]);
    expect(sent.map(({ slotMs }) => (slotMs - config.anchorMs) / MINUTE)).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
    const opened = checksOf(config.id).flatMap(({ incident }) => incident?.openedAtMs ?? []);
    expect(opened[0]).toBe(slotAt(5));
    await service.gateway.removeMonitor(config.id);
  },
);

test('a different outcome while the database is away counts at its own slot', async () => {
  const config = await start('mon_found_away', { regions: REGIONS.slice(0, 1) });
  const slotAt = (index: number) => config.anchorMs + index * MINUTE;
  service.answer(config.id, ({ slotMs }) => outcomeOf(slotMs >= slotAt(5) ? 'down' : 'up'));
  for (const index of [1, 2]) await passTo(config, index);
  service.ledger.isAway = true;
  await service.pass(slotAt(5) + 30 * SECOND - service.nowMs());
  service.ledger.isAway = false;
  for (const index of [6, 7]) await passTo(config, index);
  const own = checksOf(config.id);
  const isDown = ({ outcomes }: (typeof own)[number]) =>
    outcomes.some(({ outcome }) => outcome.status === 'down');
  expect(own.filter(isDown).map(({ slotMs }) => (slotMs - config.anchorMs) / MINUTE)).toEqual([
    5, 6, 7,
  ]);
  const named = own.flatMap(({ unconfirmed, gap }) =>
    [unconfirmed, gap].flatMap((one) => one ?? []),
  );
  const isNamed = (ms: number) => named.some((one) => one.fromSlotMs <= ms && ms <= one.toSlotMs);
  const isStored = (ms: number) => own.some(({ slotMs }) => slotMs === ms);
  for (const ms of [3, 4].map(slotAt)) expect(isStored(ms) || isNamed(ms)).toBe(true);
  const sent = service.sent.filter(({ id }) => id === config.id);
  expect(sent.map(({ slotMs }) => (slotMs - config.anchorMs) / MINUTE)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7,
  ]);
});

test('a monitor with a watch sends nothing more after its deletion', async () => {
  const config = await start('mon_watch_deleted');
  await passTo(config, 2);
  await service.gateway.removeMonitor(config.id);
  await service.pass(5 * MINUTE);
  const sent = service.sent.filter(({ id }) => id === config.id);
  expect(sent.map(({ slotMs }) => (slotMs - config.anchorMs) / MINUTE)).toEqual([0, 1, 2]);
  const handle = service.client.workflow.getHandle(monitorWorkflowId(config.id));
  const { events } = await handle.fetchHistory();
  // The history must contain the cancellation, because the server may not notify the probe after the workflow has
  // ended.
  expect(events?.some((event) => event.activityTaskCanceledEventAttributes)).toBe(true);
});

test('slots that a probe has not sent when its watch ends are not recorded as missed', async () => {
  const config = await start('mon_kept_slots', { regions: REGIONS.slice(0, 1) });
  await passTo(config, 2);
  const keptMs = config.anchorMs + 3 * MINUTE;
  await service.pass(keptMs - SECOND - service.nowMs());
  service.ledger.isAway = true;
  await service.pass(MINUTE + 30 * SECOND);
  await service.gateway.configureMonitor({ ...config, version: 2, name: 'Another name' });
  await service.pass(2 * MINUTE);
  service.ledger.isAway = false;
  await passTo(config, 8);
  const gaps = checksOf(config.id).flatMap(({ gap }) => gap ?? []);
  expect(gaps.filter((one) => one.fromSlotMs <= keptMs && keptMs <= one.toSlotMs)).toEqual([]);
});
