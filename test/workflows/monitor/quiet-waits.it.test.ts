/** A quiet attempt whose probe is away waits for it, on a server whose time passes by itself. */
import { monitorConfig } from '../../support/outcomes';
import { waitUntil } from '../../support/wait-until';
import { openRealTime } from '../environments';
import { startVirtualService, type VirtualService } from '../virtual-service';

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
