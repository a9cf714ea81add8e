/** Results of quiet checks are gathered, bounded, and confirmed one by one. */
import { createResultSender } from '../../src/activities/result-sender';
import { DELIVERY_BYTES_MAX, DELIVERY_RESULTS_MAX } from '../../src/contracts/probe-protocol';
import type { WatchReceipt, WatchedResult } from '../../src/contracts/watches';
import { outcomeOf } from '../support/outcomes';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** What senders here give the API. */
const WITHIN_MS = 6_000;

/** Moves the clock as far as the API may take. */
const waitForReceipts = () => jest.advanceTimersByTimeAsync(WITHIN_MS);

type Deliver = (results: readonly WatchedResult[]) => Promise<readonly WatchReceipt[]>;

function resultAt(slotMs: number): WatchedResult {
  const ids = { accountId: 'acc_1', monitorId: 'mon_1', revision: 1 };
  return { ...ids, slotMs, nextSlotMs: slotMs + 1, gap: null, outcome: outcomeOf('up') };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => resultAt(index));

function senderWith(deliver: Deliver) {
  const sizes: number[] = [];
  const { send } = createResultSender({
    deliverResults: (results) => {
      sizes.push(results.length);
      return deliver(results);
    },
  });
  return { send: (result: WatchedResult) => send(result, WITHIN_MS), sendWithin: send, sizes };
}

test('results of one moment travel together, and each gets its own receipt', async () => {
  const { send, sizes } = senderWith(async (results) =>
    results.map(({ slotMs }) => (slotMs === 1 ? 'gone' : 'stored')),
  );
  const receipts = Promise.all(many(3).map(send));
  await waitForReceipts();
  expect(await receipts).toEqual(['stored', 'gone', 'stored']);
  expect(sizes).toEqual([3]);
});

test('results of half a second travel together, and none waits longer', async () => {
  const { send, sizes } = senderWith(async (results) => results.map(() => 'stored'));
  const receipts = [send(resultAt(1))];
  await jest.advanceTimersByTimeAsync(499);
  receipts.push(send(resultAt(2)));
  expect(sizes).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(await Promise.all(receipts)).toEqual(['stored', 'stored']);
  expect(sizes).toEqual([2]);
});

test('no delivery is longer than its bounds in number and bytes', async () => {
  const { send, sizes } = senderWith(async (results) => {
    expect(JSON.stringify(results).length).toBeLessThan(DELIVERY_BYTES_MAX);
    return results.map(() => 'stored');
  });
  const long = (slotMs: number): WatchedResult => {
    const request = { method: 'GET', url: `http://x/${'y'.repeat(DELIVERY_BYTES_MAX / 3)}` };
    return { ...resultAt(slotMs), outcome: { ...outcomeOf('up'), request } };
  };
  const short = Promise.all(many(DELIVERY_RESULTS_MAX * 2 + 1).map(send));
  await waitForReceipts();
  await short;
  const longOnes = Promise.all([1, 2, 3, 4].map(long).map(send));
  await waitForReceipts();
  await longOnes;
  expect(Math.max(...sizes)).toBe(DELIVERY_RESULTS_MAX);
  expect(sizes.slice(-2)).toEqual([2, 2]);
});

test('a delivery that meets a restart of the API is sent again', async () => {
  let tries = 0;
  const { send } = senderWith(async (results) => {
    tries += 1;
    if (tries < 3) throw new Error('connection refused');
    return results.map(() => 'stored');
  });
  const sent = send(resultAt(1));
  await waitForReceipts();
  expect(await sent).toBe('stored');
});

test('a result is not confirmed while the API does not answer, and its sender learns so', async () => {
  const { sendWithin } = senderWith(() => new Promise(() => undefined));
  let met: unknown = null;
  sendWithin(resultAt(1), 2_000).catch((error: unknown) => {
    met = error;
  });
  await jest.advanceTimersByTimeAsync(1_999);
  expect(met).toBeNull();
  await jest.advanceTimersByTimeAsync(1);
  expect(met).toMatchObject({ message: 'the API does not confirm the result' });
});
