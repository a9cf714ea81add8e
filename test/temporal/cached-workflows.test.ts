/** Tests the size of the workflow cache for the available memory. */
import { computeCachedWorkflows } from '../../src/temporal/cached-workflows';

const GIB = 1024 ** 3;
const WORKFLOW_BYTES = 0.4 * 1024 ** 2;

test.each([0.5, 1, 2, 4, 8])(
  'a full cache of workflows uses less than three quarters of a memory limit of %d GiB',
  (gib) => {
    const cached = computeCachedWorkflows({ limitBytes: gib * GIB, machineBytes: 64 * GIB });
    const isLeast = cached === 200;
    expect(isLeast || cached * WORKFLOW_BYTES + 300 * 1024 ** 2 < 0.75 * gib * GIB).toBe(true);
  },
);

test('the memory limit of docker-compose.prod.yml holds the workflows of 2,000 monitors', () => {
  expect(computeCachedWorkflows({ limitBytes: 2 * GIB, machineBytes: 8 * GIB })).toBeGreaterThan(
    2_400,
  );
});

test.each([undefined, 0, 2 ** 64])(
  "without a memory limit (%p), the cache of workflows may use a quarter of the machine's memory",
  (limitBytes) => {
    const cached = computeCachedWorkflows({ limitBytes, machineBytes: 8 * GIB });
    expect(cached).toBeGreaterThan(4_000);
    expect(cached * WORKFLOW_BYTES).toBeLessThan(2 * GIB);
  },
);
