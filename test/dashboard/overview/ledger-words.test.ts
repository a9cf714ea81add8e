/** Tests the texts of the ledger on the overview. */
import {
  alertWords,
  promiseWords,
  slotWords,
} from '../../../src/dashboard/features/overview/ledger-words';

test('the ledger shows missed checks with their reasons, the most frequent first', () => {
  const missedReasons = { overrun: 1, missed: 3, odd_code: 2 };
  const slots = { due: 20_166, made: 20_160, late: 4, missed: 6, unaccounted: 0, verified: 0 };
  expect(slotWords({ ...slots, missedReasons })).toBe(
    '20,166 checks due: 20,160 made (4 late), 6 missed (the service was away: 3, odd_code: 2, the check before took too long: 1).',
  );
});

test('the counts of checks and of alerts are summarized in one sentence each', () => {
  const none = { late: 0, missed: 0, missedReasons: {}, verified: 2 };
  expect(slotWords({ ...none, due: 2, made: 2, unaccounted: 0 })).toBe(
    '2 checks due: 2 made, 0 missed.',
  );
  expect(slotWords({ ...none, due: 2, made: 1, unaccounted: 1 })).toBe(
    '2 checks due: 1 made, 0 missed, 1 unaccounted for.',
  );
  expect(alertWords({ due: 2, sent: 2, pending: 0, failed: 0, doubled: 0 })).toBe(
    '2 alerts due: 2 sent, 0 doubled.',
  );
  expect(alertWords({ due: 3, sent: 1, pending: 1, failed: 1, doubled: 0 })).toBe(
    '3 alerts due: 1 sent, 1 pending, 1 failed, 0 doubled.',
  );
});

test('the promised maximum of missed slots is shown with the measured rate and the number of slots', () => {
  const slots = { due: 20_166, made: 20_160, late: 0, missed: 6, missedReasons: {} };
  expect(promiseWords({ ...slots, unaccounted: 0, verified: 20_166 })).toBe(
    'At most one missed slot per million outside named gaps: 0 per million of 20,166 slots.',
  );
  expect(promiseWords({ ...slots, unaccounted: 1, verified: 3_000_000 })).toBe(
    'At most one missed slot per million outside named gaps: 0.33 per million of 3,000,000 slots.',
  );
  expect(promiseWords({ ...slots, unaccounted: 0, verified: 0 })).toBe(
    'At most one missed slot per million outside named gaps: nothing was counted yet.',
  );
});
