/** Tests that a window is divided into at most 300 buckets without gaps or overlaps. */
import fc from 'fast-check';
import { BUCKETS_MAX, splitSpan } from '../../../src/domain/health/uptime-buckets';
import { propertyOptions } from '../../support/property-runs';

const DAY_MS = 86_400_000;

test('at most 300 buckets cover a span from its first to its last instant without gaps', () => {
  const instants = fc.integer({ min: 0, max: 4_000 * DAY_MS });
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 3_000 * DAY_MS }), (fromMs, lengthMs) => {
      const buckets = splitSpan({ fromMs, toMs: fromMs + lengthMs });
      expect(buckets.length).toBeGreaterThan(0);
      expect(buckets.length).toBeLessThanOrEqual(BUCKETS_MAX);
      expect(buckets[0]?.fromMs).toBe(fromMs);
      expect(buckets.at(-1)?.toMs).toBe(fromMs + lengthMs);
      for (const [index, { toMs }] of buckets.slice(0, -1).entries())
        expect(buckets[index + 1]?.fromMs).toBe(toMs);
    }),
    propertyOptions(100),
  );
});

test('a span of ninety days is split at midnight UTC, so that daily summaries can be used', () => {
  const toMs = 20_000 * DAY_MS + 12_345;
  const buckets = splitSpan({ fromMs: toMs - 90 * DAY_MS, toMs });
  expect(buckets).toHaveLength(91);
});
