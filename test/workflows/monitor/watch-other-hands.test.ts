/**
 * Tests watches of a compromised probe. It ends them with forged failures, and the workflow still checks the monitor.
 */
import { ApplicationFailure } from '@temporalio/common';
import { WATCH_HANDED_OVER } from '../../../src/contracts/watches';
import { monitorConfig } from '../../support/outcomes';
import { type Environment, openInProcess } from '../environments';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
const REGIONS = ['eu-west', 'us-east'];
let service: VirtualService;
let fail: (() => never) | null = null;

/** Opens an environment in which the test starts and ends the watches of the first region. */
async function openWithForgedWatches(): Promise<Environment> {
  const environment = await openInProcess();
  return {
    ...environment,
    startWorker: (queue, activities) => {
      const { watchMonitor } = activities;
      if (watchMonitor === undefined || !queue.includes('eu-west'))
        return environment.startWorker(queue, activities);
      return environment.startWorker(queue, {
        watchMonitor: async (...given: unknown[]) => (fail ?? (() => watchMonitor(...given)))(),
      });
    },
  };
}

beforeAll(async () => {
  service = await startVirtualService(REGIONS, { openEnvironment: openWithForgedWatches });
});
afterAll(() => service.stop());

test.each(['forged', WATCH_HANDED_OVER])(
  'if a probe fails a watch permanently with the error %s, the watch ends, and the workflow checks in all regions',
  async (type) => {
    const config = monitorConfig(`mon_${type}`, { anchorMs: service.nowMs(), regions: REGIONS });
    fail = () => {
      throw ApplicationFailure.create({ type, message: 'forged', nonRetryable: true });
    };
    await service.gateway.configureMonitor(config);
    await service.pass(6.5 * MINUTE);
    const own = service.ledger.checks.filter(({ monitorId }) => monitorId === config.id);
    const slots = new Set(own.map(({ slotMs }) => (slotMs - config.anchorMs) / MINUTE));
    expect([...slots].toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(own.at(-1)).toMatchObject({ health: 'up' });
    const sent = service.sent.filter(({ id }) => id === config.id);
    expect(sent.length).toBeLessThanOrEqual(2 * slots.size);
    fail = null;
    await service.gateway.removeMonitor(config.id);
  },
);
