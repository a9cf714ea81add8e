/** Quiet attempts whose probe is away, or has too much to do, wait for it. */
import { monitorWorkflowId } from '../../../src/contracts/workflows';
import { monitorConfig } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const INTERVAL_MS = 8_000;
/** After its slot: later than a check of the full path would wait, and before the next slot. */
const PROBE_BACK_MS = 5_000;

let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
});
afterAll(() => service.stop());

test('a probe that is back before the next slot makes the check of this one, and the quiet goes on', async () => {
  const { gateway, ledger } = service;
  const config = monitorConfig('mon_waits', { anchorMs: service.nowMs(), intervalMs: INTERVAL_MS });
  await gateway.configureMonitor(config);
  const quietSlots = () =>
    ledger.watchedRows.map(({ slotMs }) => (slotMs - config.anchorMs) / INTERVAL_MS);
  const first = await service.until('a quiet check', () => quietSlots().at(0));
  const backAtMs = config.anchorMs + (first + 1) * INTERVAL_MS + PROBE_BACK_MS;

  await service.withoutProbes(() => service.pass(backAtMs - service.nowMs()));
  await service.until('the check after it', () => quietSlots().includes(first + 2));

  expect(quietSlots()).toEqual([first, first + 1, first + 2]);
  const checks = ledger.checks.filter(({ monitorId }) => monitorId === config.id);
  expect(checks.filter(({ gap, health }) => gap !== null || health !== 'up')).toEqual([]);
  await gateway.removeMonitor(config.id);
});

/** Of each activity of the workflow, in order: how long it may wait for a probe, in intervals, and whether it waited in vain. */
async function readWaits(id: string, intervalMs: number) {
  const handle = service.client.workflow.getHandle(monitorWorkflowId(id));
  const { events } = await handle.fetchHistory();
  const ended = (events ?? []).flatMap(
    ({ activityTaskTimedOutEventAttributes: lost }) => lost?.scheduledEventId?.toString() ?? [],
  );
  return (events ?? []).flatMap(({ eventId, activityTaskScheduledEventAttributes: given }) => {
    if (given?.activityType?.name !== 'checkWhileQuiet') return [];
    const waitMs = Number(given.scheduleToStartTimeout?.seconds) * 1_000;
    return [{ intervals: waitMs / intervalMs, inVain: ended.includes(String(eventId)) }];
  });
}

test('where a probe is behind with its work, an attempt that waited in vain is repeated with a longer wait until the line is gone, and the next result names what was missed', async () => {
  const { gateway, ledger } = service;
  const intervalMs = INTERVAL_MS / 2;
  const config = monitorConfig('mon_behind', { anchorMs: service.nowMs(), intervalMs });
  await gateway.configureMonitor(config);
  const slotAt = (index: number) => config.anchorMs + index * intervalMs;
  const quietSlots = () =>
    ledger.watchedRows.flatMap(({ monitorId, slotMs }) =>
      monitorId === config.id ? [(slotMs - config.anchorMs) / intervalMs] : [],
    );
  const first = await service.until('a quiet check', () => quietSlots().at(0));
  ledger.lastPollMs = 0;
  const servedAtMs = slotAt(first + 3) + intervalMs / 2;
  await service.withoutProbes(() => service.pass(servedAtMs - service.nowMs()));
  await service.until('two checks after it', () => quietSlots().length >= 3);
  ledger.lastPollMs = null;

  const after = quietSlots()[1] ?? 0;
  expect(after).toBeGreaterThan(first + 2);
  expect(quietSlots()).toEqual([first, after, after + 1]);
  expect(await readWaits(config.id, intervalMs)).toEqual([
    { intervals: 1, inVain: true },
    { intervals: 5, inVain: false },
    { intervals: 1, inVain: false },
  ]);
  const checks = ledger.checks.filter(({ monitorId }) => monitorId === config.id);
  expect(checks.filter(({ health }) => health !== 'up')).toEqual([]);
  expect(checks.flatMap(({ gap }) => gap ?? [])).toEqual([
    {
      reason: 'missed',
      fromSlotMs: slotAt(first + 1),
      toSlotMs: slotAt(after - 1),
      slots: after - 1 - first,
    },
  ]);
  await gateway.removeMonitor(config.id);
});
