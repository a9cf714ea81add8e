/**
 * Tests the last stored slot of a watch and whether the watch is overdue. Both are computed from the status of its
 * monitor.
 */
import { computeOverdueMs, findLastStoredMs } from '../../../src/domain/health/watches';

const STORED_MS = 1_800_000_000_000;
const MINUTE = 60_000;

test.each([
  ['its own, even if other regions have stored later ones', 'eu', STORED_MS - MINUTE],
  ['the last slot of the monitor if its own is unknown', 'us', STORED_MS],
  ['the last slot of the monitor if the region has measured nothing', 'ap', STORED_MS],
])('the last stored slot of a region is %s', (_, region, expected) => {
  const measured = [{ region: 'eu', slotMs: STORED_MS - MINUTE }, { region: 'us' }];
  expect(findLastStoredMs({ lastSlotMs: STORED_MS, measured }, region)).toBe(expected);
});

test('the slot that the workflow recorded last counts for all regions, but a check outside the schedule does not', () => {
  const measured = [{ region: 'eu', slotMs: STORED_MS - MINUTE }];
  const status = { lastSlotMs: STORED_MS + 7_000, recordedSlotMs: STORED_MS, measured };
  expect(['eu', 'us'].map((region) => findLastStoredMs(status, region))).toEqual([
    STORED_MS,
    STORED_MS,
  ]);
});

test.each([
  [30_000, -120_000],
  [120_000, -30_000],
  [150_000, 0],
  [151_000, 1_000],
])(
  '%i ms after its last slot, a watch with an interval of a minute is overdue by %i ms',
  (passedMs, expected) => {
    expect(computeOverdueMs(STORED_MS, MINUTE, STORED_MS + passedMs)).toBe(expected);
  },
);
