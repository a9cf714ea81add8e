/** How far the watches of a monitor have come, by its status. */
import { lastStoredMs, overdueMs } from '../../../src/domain/health/watches';

const STORED_MS = 1_800_000_000_000;
const MINUTE = 60_000;

test.each([
  ['its own, whatever other regions have stored since', 'eu', STORED_MS - MINUTE],
  ['that of the monitor, where its own is not known', 'us', STORED_MS],
  ['that of the monitor, where it was never measured', 'ap', STORED_MS],
])('the last stored slot of a region is %s', (_, region, expected) => {
  const measured = [{ region: 'eu', slotMs: STORED_MS - MINUTE }, { region: 'us' }];
  expect(lastStoredMs({ lastSlotMs: STORED_MS, measured }, region)).toBe(expected);
});

test('what the workflow recorded last is stored for all regions, and a check beside the grid takes no slot', () => {
  const measured = [{ region: 'eu', slotMs: STORED_MS - MINUTE }];
  const status = { lastSlotMs: STORED_MS + 7_000, recordedSlotMs: STORED_MS, measured };
  expect(['eu', 'us'].map((region) => lastStoredMs(status, region))).toEqual([
    STORED_MS,
    STORED_MS,
  ]);
});

test.each([
  ['while its next slot is to come', 30_000, -120_000],
  ['an interval after its next slot', 2 * MINUTE, -30_000],
  ['30 seconds after that', 2 * MINUTE + 30_000, 0],
  ['a second later', 2 * MINUTE + 31_000, 1_000],
])('a watch is overdue from an interval and 30 seconds on: %s', (_, passedMs, expected) => {
  expect(overdueMs(STORED_MS, MINUTE, STORED_MS + passedMs)).toBe(expected);
});
