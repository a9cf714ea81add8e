/**
 * Tests late checks. They wait, so that not all of them begin at once. They begin even if the load is so high that each
 * workflow task comes after the next slot.
 */
import { temporal } from '@temporalio/proto';
import { monitorWorkflowId } from '../../../src/contracts/workflows';
import { monitorConfig } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const { EventType } = temporal.api.enums.v1;
const ACTIVITY = 'ACTIVITY_TASK_SCHEDULED';
const TIMER = 'TIMER_STARTED';
const INTERVAL_MS = 10_000;
/** Delay in milliseconds. A check that starts this long after its slot waits for some more seconds. */
const LATE_MS = 2_000;

let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west'], {
    mayBeWatched: false,
  });
});
afterAll(() => service.stop());

test('a late check that has waited once begins, even if its next slot is late too', async () => {
  const config = monitorConfig('mon_late', { anchorMs: Date.now(), intervalMs: INTERVAL_MS });
  await service.gateway.configureMonitor(config);
  const stored = () => service.ledger.checks.filter(({ monitorId }) => monitorId === config.id);
  await service.until('the first check', () => stored().length === 1);
  const passTo = (slot: number) =>
    service.pass(config.anchorMs + slot * INTERVAL_MS + LATE_MS - service.nowMs());

  await service.withoutOrchestrator(() => passTo(1));
  await service.until('it waits', async () => (await timersOf(config.id)) === 2);
  await service.withoutOrchestrator(() => passTo(2));
  await service.until('the check', () => stored().length === 2);

  expect(stored()[1]?.gap).toMatchObject({ fromSlotMs: config.anchorMs + INTERVAL_MS });
  // There is one timer until the first slot, and one timer after this slot was late.
  const events = await eventsOf(config.id);
  expect(events.filter((type) => type === TIMER || type === ACTIVITY).slice(0, 4)).toEqual([
    ACTIVITY,
    TIMER,
    TIMER,
    ACTIVITY,
  ]);
  await service.gateway.removeMonitor(config.id);
});

async function timersOf(id: string): Promise<number> {
  return (await eventsOf(id)).filter((type) => type === TIMER).length;
}

async function eventsOf(id: string): Promise<readonly string[]> {
  const handle = service.client.workflow.getHandle(monitorWorkflowId(id));
  const { events } = await handle.fetchHistory();
  return (events ?? []).map(({ eventType }) =>
    (EventType[eventType ?? 0] ?? '').replace('EVENT_TYPE_', ''),
  );
}
