/** Tests that percentiles of merged histograms stay within 2 % of the measured values. */
import fc from 'fast-check';
import {
  buildHistogram,
  computePercentiles,
  fromHistogramText,
  mergeHistograms,
  RELATIVE_ERROR,
  toHistogramText,
} from '../../../src/domain/health/histogram';
import { propertyOptions } from '../../support/property-runs';

const times = fc.array(fc.double({ min: 0.01, max: 120_000, noNaN: true }), { maxLength: 200 });
const shares = [0.01, 0.5, 0.75, 0.9, 0.95, 0.99, 1];

test('percentiles of a histogram are within 2% of the value at their rank, for any split of the values', () => {
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 6 }), (parts) => {
      const all = parts.flat().sort((a, b) => a - b);
      const merged = mergeHistograms(parts.map(buildHistogram));
      const found = computePercentiles(merged, shares);
      for (const [index, share] of shares.entries()) {
        const exact = all[Math.max(1, Math.ceil(share * all.length)) - 1] ?? null;
        const value = found[index] ?? null;
        if (exact === null || value === null) expect(value).toBe(exact);
        else expect(Math.abs(value - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR * 1.0001);
      }
    }),
    propertyOptions(100),
  );
});

test('a histogram written as text is read back unchanged', () => {
  fc.assert(
    fc.property(times, (values) => {
      const histogram = buildHistogram(values);
      const read = fromHistogramText(toHistogramText(histogram));
      expect(new Map(read)).toEqual(new Map(histogram));
    }),
    propertyOptions(100),
  );
});

test('a histogram of an hour of ordinary latencies takes less than 200 characters', () => {
  const values = Array.from({ length: 360 }, (_, index) => 80 + 40 * Math.sin(index) + (index % 7));
  expect(toHistogramText(buildHistogram(values)).length).toBeLessThan(200);
});
