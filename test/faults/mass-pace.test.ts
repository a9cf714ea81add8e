/**
 * Tests the pace for very many monitors that fail at once. They are checked no more often than a small machine can
 * manage.
 */
import { massPace } from './mass-pace';

test.each([
  [1, 10_000, 25],
  [100, 10_000, 25],
  [300, 18_000, 45],
  [1_000, 60_000, 150],
  [3_000, 180_000, 450],
])(
  '%i monitors that fail at once are checked every %i ms and fail for %i s',
  (monitors, intervalMs, seconds) => {
    expect(massPace(monitors)).toEqual({ intervalMs, seconds });
    expect(monitors / (intervalMs / 1_000)).toBeLessThan(17);
  },
);

test('monitors that fail at once are checked at the given interval, and fail for two and a half intervals', () => {
  expect(massPace(2_000, 60_000)).toEqual({ intervalMs: 60_000, seconds: 150 });
});
