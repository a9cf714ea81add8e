/** Tests that a retried hand-over of watches continues from the progress that its last heartbeat reported. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { createHandOverActivities } from '../../src/activities/hand-over-activities';

const NOW_MS = 1_800_000_000_000;
const LOST = { instance: 'host:7:1', region: 'eu' };

test('a retried hand-over of watches adds its count to the count of the previous attempt', async () => {
  const lines: unknown[] = [];
  const { handOverWatches } = createHandOverActivities({
    clock: { now: () => NOW_MS },
    logger: { warn: (facts: unknown) => lines.push(facts) },
    stores: {
      watches: {
        findInstance: async () => null,
        listHeldBy: async () =>
          Array.from({ length: 30 }, (_, index) => ({
            ...LOST,
            accountId: 'acc',
            monitorId: `mon_${index}`,
            taskToken: `token-${index}`,
            openedAtMs: 1,
          })),
        findHolders: async () => new Map(),
        forget: async () => undefined,
        addToTotals: async () => undefined,
      },
    },
    gateway: { failWatch: async () => true, failUnopenedWatch: async () => false },
    wait: async () => undefined,
  });
  const environment = new MockActivityEnvironment({ heartbeatDetails: 24 });
  const beats: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => beats.push(details));
  expect(await environment.run(handOverWatches, LOST)).toBe(54);
  expect(beats).toEqual([24, 48, 54, 54]);
  expect(lines).toEqual([{ ...LOST, handedOver: 54 }]);
});
