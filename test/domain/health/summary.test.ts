/** Tests that merging the summaries of parts gives the summary of the whole. */
import fc from 'fast-check';
import type { Gap } from '../../../src/contracts/records';
import {
  EMPTY_SUMMARY,
  HOUR_MS,
  mergeSummaries,
  type SummedResult,
  summarise,
} from '../../../src/domain/health/summary';
import { propertyOptions } from '../../support/property-runs';

const result: fc.Arbitrary<SummedResult> = fc.record({
  status: fc.constantFrom('up', 'degraded', 'down', 'unknown'),
  responseTimeMs: fc.option(fc.integer({ min: 1, max: 60_000 }), { nil: null }),
});

const gap: fc.Arbitrary<Gap> = fc
  .record({ first: fc.nat(200), slots: fc.integer({ min: 1, max: 500 }), every: fc.nat(300) })
  .map(({ first, slots, every }) => {
    const intervalMs = (every + 10) * 1_000;
    const fromSlotMs = first * 60_000;
    const toSlotMs = fromSlotMs + (slots - 1) * intervalMs;
    return { reason: 'missed', fromSlotMs, toSlotMs, slots };
  });

test('merging the summaries of all parts gives the summary of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.array(result, { maxLength: 30 }), { maxLength: 8 }), (parts) => {
      const span = { fromMs: 0, toMs: HOUR_MS };
      const whole = summarise(parts.flat(), [], span);
      const merged = mergeSummaries(parts.map((part) => summarise(part, [], span)));
      expect({ ...merged, latency: { ...merged.latency, sum: 0 } }).toEqual({
        ...whole,
        latency: { ...whole.latency, sum: 0 },
      });
      expect(merged.latency.sum).toBeCloseTo(whole.latency.sum, 6);
    }),
    propertyOptions(100),
  );
});

test('each slot of a gap counts in exactly one hour', () => {
  fc.assert(
    fc.property(gap, (missed) => {
      const intervalMs =
        missed.slots === 1 ? 0 : (missed.toSlotMs - missed.fromSlotMs) / (missed.slots - 1);
      const slots = Array.from(
        { length: missed.slots },
        (_, index) => missed.fromSlotMs + index * intervalMs,
      );
      const hours = Math.ceil((missed.toSlotMs + 1) / HOUR_MS);
      for (let hour = 0; hour < hours; hour += 1) {
        const span = { fromMs: hour * HOUR_MS, toMs: (hour + 1) * HOUR_MS };
        const expected = slots.filter((slot) => slot >= span.fromMs && slot < span.toMs).length;
        expect(summarise([], [missed], span).gaps.missed).toBe(expected);
      }
    }),
    propertyOptions(100),
  );
});

test('merging no summaries gives an empty summary', () => {
  expect(mergeSummaries([])).toEqual(EMPTY_SUMMARY);
});
