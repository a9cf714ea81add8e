/**
 * Tests the queue of watch results for an API that may be down. Results are sent in order, the queue is limited in
 * size, and gaps are reported only for lost results.
 */
import { createResultQueue, type ResultOwner } from '../../../src/activities/watches/result-queue';
import { DELIVERY_BYTES_MAX, DELIVERY_RESULTS_MAX } from '../../../src/contracts/probe-protocol';
import type { WatchedResult, WatchReceipt } from '../../../src/contracts/watches';
import { outcomeOf } from '../../support/outcomes';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';

const SEED = testSeed(11);
const SECOND = 1_000;
const INTERVAL = 10 * SECOND;
const GRID = { anchorMs: INTERVAL, intervalMs: INTERVAL };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

interface Api {
  isAway: boolean;
  answer: (result: WatchedResult) => WatchReceipt;
  readonly deliveries: (readonly WatchedResult[])[];
}

function openQueue() {
  const api: Api = { isAway: false, answer: () => 'stored', deliveries: [] };
  const queue = createResultQueue({
    deliverResults: async (results) => {
      if (api.isAway) throw new Error('the API does not respond');
      api.deliveries.push(results);
      return results.map(api.answer);
    },
  });
  return { api, queue, delivered: () => api.deliveries.flat() };
}

function ownerOf(monitorId: string, onReceipt: ResultOwner['onReceipt'] = () => undefined) {
  const known = { grid: GRID, formerGrids: [], lastStoredMs: 0, isOpen: true };
  return { accountId: 'acc_1', monitorId, revision: 1, ...known, onReceipt };
}

const resultAt = (owner: ResultOwner, slot: number, text = '') => ({
  owner,
  grid: owner.grid,
  slotMs: slot * INTERVAL,
  outcome: outcomeOf('up', { text }),
});

test('results of one second are sent together, and each watch gets its own confirmation', async () => {
  const { api, queue } = openQueue();
  const heard: string[] = [];
  api.answer = ({ monitorId }) => (monitorId === 'mon_1' ? 'stored' : 'outdated');
  for (const id of ['mon_1', 'mon_2'])
    queue.add(
      resultAt(
        ownerOf(id, (receipt) => heard.push(`${id} ${receipt}`)),
        1,
      ),
    );
  await jest.advanceTimersByTimeAsync(SECOND - 1);
  expect(api.deliveries).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(api.deliveries).toHaveLength(1);
  expect(heard).toEqual(['mon_1 stored', 'mon_2 outdated']);
});

test('a delivery of results is sent as soon as it is full, and is never larger than the API accepts', async () => {
  const { api, queue, delivered } = openQueue();
  const owners = Array.from({ length: 250 }, (_, index) => ownerOf(`mon_${index}`));
  for (const owner of owners) queue.add(resultAt(owner, 1));
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(delivered()).toHaveLength(250);
  for (const one of api.deliveries) expect(one.length).toBeLessThanOrEqual(DELIVERY_RESULTS_MAX);
});

test('large results are split over several deliveries, and all results arrive', async () => {
  const { api, queue, delivered } = openQueue();
  const text = 'x'.repeat(400_000);
  for (const slot of [1, 2, 3, 4, 5]) queue.add(resultAt(ownerOf(`mon_${slot}`), slot, text));
  await jest.advanceTimersByTimeAsync(5 * SECOND);
  expect(delivered()).toHaveLength(5);
  for (const one of api.deliveries)
    expect(JSON.stringify(one).length).toBeLessThan(DELIVERY_BYTES_MAX);
});

test('results measured while the API is away for a minute are sent in order, without a gap', async () => {
  const { api, queue, delivered } = openQueue();
  const owner = ownerOf('mon_1');
  api.isAway = true;
  for (const slot of [1, 2, 3, 4, 5, 6]) {
    queue.add(resultAt(owner, slot));
    await jest.advanceTimersByTimeAsync(INTERVAL);
  }
  api.isAway = false;
  await jest.advanceTimersByTimeAsync(2 * SECOND);
  expect(delivered().map(({ slotMs, gap }) => [slotMs / INTERVAL, gap])).toEqual(
    [1, 2, 3, 4, 5, 6].map((slot) => [slot, null]),
  );
  expect(owner.lastStoredMs).toBe(6 * INTERVAL);
});

test('flushing the results of a watch delivers them at once, or reports after 2 s that they are still queued', async () => {
  const { api, queue } = openQueue();
  const owner = ownerOf('mon_1');
  queue.add(resultAt(owner, 1));
  const flushed = queue.flush(owner, 2 * SECOND);
  await jest.advanceTimersByTimeAsync(0);
  expect(await flushed).toBe(true);
  api.isAway = true;
  queue.add(resultAt(owner, 2));
  const waiting = queue.flush(owner, 2 * SECOND);
  await jest.advanceTimersByTimeAsync(2 * SECOND);
  expect(await waiting).toBe(false);
});

test(`each slot is reported once, as a result or within a gap, while the API comes and goes (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const { api, queue, delivered } = openQueue();
  const owners = ['mon_1', 'mon_2', 'mon_3'].map((id) => ownerOf(id));
  const SLOTS = 400;
  for (let slot = 1; slot <= SLOTS; slot += 1) {
    if (random() < 0.02) api.isAway = !api.isAway;
    if (slot > SLOTS - 2) api.isAway = false;
    for (const owner of owners)
      if (random() < 0.9 || slot === SLOTS) queue.add(resultAt(owner, slot));
    await jest.advanceTimersByTimeAsync(INTERVAL);
  }
  for (const { monitorId } of owners) {
    const own = delivered().filter((result) => result.monitorId === monitorId);
    const named = own.flatMap(({ slotMs, gap }) => {
      const missed = gap === null ? [] : slotsOf(gap.fromSlotMs, gap.toSlotMs);
      return [...missed, slotMs / INTERVAL];
    });
    expect(named).toEqual(slotsOf(INTERVAL, SLOTS * INTERVAL));
  }
});

function slotsOf(fromMs: number, toMs: number): readonly number[] {
  const count = (toMs - fromMs) / INTERVAL + 1;
  return Array.from({ length: count }, (_, index) => fromMs / INTERVAL + index);
}
