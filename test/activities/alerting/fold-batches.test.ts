/** Tests how folded alerts are passed to the digests of their accounts in batches. */
import fc from 'fast-check';
import { createFoldBatches } from '../../../src/activities/alerting/fold-batches';
import type { FoldedAlert } from '../../../src/contracts/alerts';
import { buildAlert } from '../../support/alert-message';
import { propertyOptions } from '../../support/property-runs';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function folded(accountId: string, id: string, bytes = 0): FoldedAlert {
  return { alert: buildAlert({ id, accountId, resourceName: 'x'.repeat(bytes) }), targets: [] };
}

const sizeOf = (one: FoldedAlert): number => Buffer.byteLength(JSON.stringify(one));

/** Records the batches that are sent. Each call stays pending until the test ends it. */
function createSender() {
  const sent: (readonly FoldedAlert[])[] = [];
  const underWay: { readonly accountId: string; readonly end: () => void }[] = [];
  let mostAtOnce = 0;
  const send = (batch: readonly FoldedAlert[]): Promise<void> => {
    sent.push(batch);
    const accountId = batch[0]?.alert.accountId ?? '';
    return new Promise((resolve) => {
      underWay.push({ accountId, end: resolve });
      const own = underWay.filter((call) => call.accountId === accountId);
      mostAtOnce = Math.max(mostAtOnce, own.length);
    });
  };
  const endCalls = (): void => {
    for (const { end } of underWay.splice(0)) end();
  };
  return { sent, send, endCalls, mostAtOnce: () => mostAtOnce };
}

test('each alert is in exactly one signal, in order and within the size limits', async () => {
  const bounds = { gatherMs: 100, alertsMax: 7, bytesMax: 4_000 };
  const arrivals = fc.array(
    fc.record({
      account: fc.constantFrom('acc_1', 'acc_2'),
      bytes: fc.constantFrom(0, 300, 1_500, 6_000),
      waitMs: fc.constantFrom(0, 0, 0, 5, 60, 150),
      endsCalls: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(arrivals, async (given) => {
      const { sent, send, endCalls, mostAtOnce } = createSender();
      const fold = createFoldBatches(send, bounds);
      const all = given.map(({ account, bytes }, index) => folded(account, `${index}`, bytes));
      const taken: Promise<void>[] = [];
      for (const [index, one] of all.entries()) {
        await jest.advanceTimersByTimeAsync(given[index]?.waitMs ?? 0);
        if (given[index]?.endsCalls === true) endCalls();
        taken.push(fold(one));
      }
      while (sent.flat().length < all.length) {
        endCalls();
        await jest.runAllTimersAsync();
      }
      endCalls();
      await Promise.all(taken);
      for (const account of ['acc_1', 'acc_2']) {
        const isOwn = ({ alert }: FoldedAlert): boolean => alert.accountId === account;
        expect(sent.flat().filter(isOwn)).toEqual(all.filter(isOwn));
      }
      for (const batch of sent) {
        expect(new Set(batch.map(({ alert }) => alert.accountId)).size).toBe(1);
        expect(batch.length).toBeLessThanOrEqual(bounds.alertsMax);
        const bytes = batch.reduce((sum, one) => sum + sizeOf(one), 0);
        if (batch.length > 1) expect(bytes).toBeLessThanOrEqual(bounds.bytesMax);
      }
      expect(mostAtOnce()).toBeLessThanOrEqual(1);
    }),
    { ...propertyOptions(60), endOnFailure: true },
  );
});

test('alerts within 100 ms share a signal, and a full signal is sent at once', async () => {
  const sent: (readonly FoldedAlert[])[] = [];
  const fold = createFoldBatches(async (batch) => void sent.push(batch));
  void fold(folded('acc_1', 'first'));
  await jest.advanceTimersByTimeAsync(99);
  void fold(folded('acc_1', 'second'));
  expect(sent).toHaveLength(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(sent.map((batch) => batch.length)).toEqual([2]);
  for (let count = 0; count < 200; count += 1) void fold(folded('acc_2', `${count}`));
  await jest.advanceTimersByTimeAsync(0);
  expect(sent.map((batch) => batch.length)).toEqual([2, 200]);
});

test('if Temporal refuses a signal, only the alerts in that signal fail', async () => {
  let isAway = true;
  let calls = 0;
  const fold = createFoldBatches(
    async () => {
      calls += 1;
      if (isAway) throw new Error('away');
    },
    { gatherMs: 100, alertsMax: 2, bytesMax: 10_000 },
  );
  const waiting = Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e'].map((id) => fold(folded('acc', id))),
  );
  await jest.runAllTimersAsync();
  expect((await waiting).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  expect(calls).toBe(1);
  isAway = false;
  const later = fold(folded('acc', 'f'));
  await jest.runAllTimersAsync();
  await expect(later).resolves.toBeUndefined();
});
