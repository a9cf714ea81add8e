/** Tests the axis of response times. */
import fc from 'fast-check';
import { buildAxis } from '../../../src/dashboard/shared/charts/axis';
import { propertyOptions } from '../../support/property-runs';

test.each([
  [[], ['0 ms', '1 ms', '2 ms', '3 ms', '4 ms']],
  [
    [null, 380],
    ['0 ms', '100 ms', '200 ms', '300 ms', '400 ms'],
  ],
  [[251], ['0 ms', '80 ms', '160 ms', '240 ms', '320 ms']],
  [
    [900, 20],
    ['0 s', '0.25 s', '0.5 s', '0.75 s', '1 s'],
  ],
  [[2_150], ['0 s', '0.6 s', '1.2 s', '1.8 s', '2.4 s']],
  [[60_000], ['0 s', '15 s', '30 s', '45 s', '60 s']],
])('the axis for %j has round steps in one unit', (values, texts) => {
  const { ticks, format } = buildAxis(values);
  expect(ticks.map(format)).toEqual(texts);
});

test('an axis has four equal whole steps, and its top is at least the largest value and at most double', () => {
  fc.assert(
    fc.property(fc.double({ min: 4, max: 10_000_000, noNaN: true }), (most) => {
      const { ticks, topMs, format } = buildAxis([most / 2, null, most]);
      const [, step = 0] = ticks;
      expect(Number.isInteger(step)).toBe(true);
      expect(ticks).toEqual([0, step, 2 * step, 3 * step, 4 * step]);
      expect(topMs).toBe(4 * step);
      expect(topMs).toBeGreaterThanOrEqual(most);
      expect(topMs).toBeLessThanOrEqual(2 * most);
      expect(new Set(ticks.map((tick) => format(tick).split(' ')[1])).size).toBe(1);
      expect(Math.max(...ticks.map((tick) => format(tick).length))).toBeLessThanOrEqual(8);
    }),
    propertyOptions(300),
  );
});
