/** Quiet attempts whose probe is away wait for it, behind all others, on a server whose time passes by itself. */
import { temporal } from '@temporalio/proto';
import { monitorWorkflowId } from '../../../src/contracts/workflows';
import { monitorConfig } from '../../support/outcomes';
import { waitUntil } from '../../support/wait-until';
import { openRealTime } from '../environments';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SCHEDULED = temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED;
const INTERVAL_MS = 8_000;
/** After its slot: later than a check of the full path would wait, and before the next slot. */
const PROBE_BACK_MS = 5_000;

let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west'], { openEnvironment: openRealTime });
});
afterAll(() => service.stop());

test('a probe that is back before the next slot makes the check of this one, and the quiet goes on', async () => {
  const { gateway, ledger } = service;
  const config = monitorConfig('mon_waits', { anchorMs: Date.now(), intervalMs: INTERVAL_MS });
  await gateway.configureMonitor(config);
  const quietSlots = () =>
    ledger.quietRows.map(({ slotMs }) => (slotMs - config.anchorMs) / INTERVAL_MS);
  const first = await waitUntil('a quiet check', () => quietSlots().at(0));
  const backAtMs = config.anchorMs + (first + 1) * INTERVAL_MS + PROBE_BACK_MS;

  await service.withoutProbes(() => waitUntil('the probe is late', () => Date.now() > backAtMs));
  await waitUntil('the check after it', () => quietSlots().includes(first + 2));

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
  const config = monitorConfig('mon_behind', { anchorMs: Date.now(), intervalMs });
  await gateway.configureMonitor(config);
  const slotAt = (index: number) => config.anchorMs + index * intervalMs;
  const quietSlots = () =>
    ledger.quietRows.flatMap(({ monitorId, slotMs }) =>
      monitorId === config.id ? [(slotMs - config.anchorMs) / intervalMs] : [],
    );
  const first = await waitUntil('a quiet check', () => quietSlots().at(0));
  ledger.lastPollMs = 0;
  const servedAtMs = slotAt(first + 3) + intervalMs / 2;
  await service.withoutProbes(() => waitUntil('slots pass', () => Date.now() > servedAtMs));
  await waitUntil('two checks after it', () => quietSlots().length >= 3);
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

const QUIET_MONITORS = 40;
/** So many tasks a probe takes at once, and a few more. */
const FIRST_TAKEN = 15;

test('a first check passes all quiet attempts that wait for the same probe', async () => {
  const { gateway, ledger, sent } = service;
  const anchorMs = Date.now();
  const configs = Array.from({ length: QUIET_MONITORS }, (_, index) =>
    monitorConfig(`mon_waits_${index}`, { anchorMs, intervalMs: 2 * INTERVAL_MS }),
  );
  await Promise.all(configs.map((config) => gateway.configureMonitor(config)));
  const quietSlots = () => ledger.quietRows.filter(({ slotMs }) => slotMs > anchorMs);
  await waitUntil('all are quiet', () => quietSlots().length >= QUIET_MONITORS);
  const nextSlotMs = Math.max(...quietSlots().map(({ slotMs }) => slotMs)) + 2 * INTERVAL_MS;
  const isWaiting = async (id: string): Promise<boolean> => {
    const handle = service.client.workflow.getHandle(monitorWorkflowId(id));
    const { raw } = await handle.describe();
    return raw.pendingActivities?.[0]?.state === SCHEDULED;
  };
  const fresh = monitorConfig('mon_fresh', { anchorMs: Date.now(), intervalMs: 60_000 });
  const before = sent.length;
  await service.withoutProbes(async () => {
    await waitUntil('their attempts wait', () => Date.now() > nextSlotMs + 500);
    await gateway.configureMonitor(fresh);
    await waitUntil('the first check waits', () => isWaiting(fresh.id));
  });
  await waitUntil('it is sent', () => sent.some(({ id }) => id === fresh.id));
  await waitUntil('so are they', () => sent.length > before + QUIET_MONITORS);
  const place = sent.slice(before).findIndex(({ id }) => id === fresh.id);
  expect(place).toBeLessThan(FIRST_TAKEN);
  await Promise.all([...configs, fresh].map(({ id }) => gateway.removeMonitor(id)));
});
