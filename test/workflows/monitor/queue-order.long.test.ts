/** Which of two tasks a probe takes first is the server's choice: the order that the workflows ask it for. */

import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { monitorWorkflowId } from '../../../src/contracts/workflows';
import { monitorConfig } from '../../support/outcomes';
import { waitUntil } from '../../support/wait-until';
import { openRealTime } from '../environments';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SCHEDULED = temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED;
const INTERVAL_MS = 8_000;

let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west'], { openEnvironment: openRealTime });
});
afterAll(() => service.stop());

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
  const quietSlots = () => ledger.watchedRows.filter(({ slotMs }) => slotMs > anchorMs);
  await waitUntil('all are quiet', () => quietSlots().length >= QUIET_MONITORS);
  const isWaiting = async (id: string): Promise<boolean> => {
    const handle = service.client.workflow.getHandle(monitorWorkflowId(id));
    const [attempt] = (await handle.describe()).raw.pendingActivities ?? [];
    const dueMs = optionalTsToMs(attempt?.nextAttemptScheduleTime) ?? 0;
    return attempt?.state === SCHEDULED && dueMs <= Date.now();
  };
  const fresh = monitorConfig('mon_fresh', { anchorMs: Date.now(), intervalMs: 60_000 });
  const before = sent.length;
  await service.withoutProbes(async () => {
    await waitUntil('their attempts wait', async () => {
      const waiting = await Promise.all(configs.map(({ id }) => isWaiting(id)));
      return waiting.every(Boolean);
    });
    await gateway.configureMonitor(fresh);
    await waitUntil('the first check waits', () => isWaiting(fresh.id));
  });
  await waitUntil('it is sent', () => sent.some(({ id }) => id === fresh.id));
  await waitUntil('so are they', () => sent.length > before + QUIET_MONITORS);
  const place = sent.slice(before).findIndex(({ id }) => id === fresh.id);
  expect(place).toBeLessThan(FIRST_TAKEN);
  await Promise.all([...configs, fresh].map(({ id }) => gateway.removeMonitor(id)));
});
