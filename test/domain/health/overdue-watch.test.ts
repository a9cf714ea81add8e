import { overdueMs } from '../../../src/domain/health/overdue-watch';

const STORED_MS = 1_800_000_000_000;
const MINUTE = 60_000;

test.each([
  ['while its next slot is to come', 30_000, -120_000],
  ['one interval after its next slot', 2 * MINUTE, -30_000],
  ['30 seconds after that', 2 * MINUTE + 30_000, 0],
  ['a second later', 2 * MINUTE + 31_000, 1_000],
])(
  'a watch is overdue from an interval and 30 seconds after its next slot: %s',
  (_, passedMs, expected) => {
    expect(overdueMs(STORED_MS, MINUTE, STORED_MS + passedMs)).toBe(expected);
  },
);
