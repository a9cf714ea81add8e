/** Tests joining outages, and the properties that must hold for the result. */
import fc from 'fast-check';
import {
  joinOutages,
  joinPublicOutages,
  OUTAGE_GAP_MS,
  type Outage,
} from '../../../src/domain/health/joined-outages';
import { propertyOptions } from '../../support/property-runs';

const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 0, 31, 12);

const closed = (from: number, to: number): Outage => ({
  fromMs: NOW_MS + from * MINUTE_MS,
  toMs: NOW_MS + to * MINUTE_MS,
});
const open = (from: number): Outage => ({ fromMs: NOW_MS + from * MINUTE_MS, toMs: null });

it('outages less than five minutes apart are joined, and only their downtime counts', () => {
  const [outage, ...others] = joinOutages([closed(-20, -18), closed(-30, -22)], NOW_MS);
  expect(others).toEqual([]);
  expect(outage).toEqual({
    ...closed(-30, -18),
    lastFromMs: closed(-20, -18).fromMs,
    count: 2,
    downMs: 10 * MINUTE_MS,
  });
});

it('outages exactly five minutes apart are not joined', () => {
  expect(joinOutages([closed(-30, -20), closed(-15, -10)], NOW_MS)).toHaveLength(2);
});

it('a joined outage is open while its last outage is open', () => {
  expect(joinOutages([closed(-10, -8), open(-5)], NOW_MS)).toEqual([
    { ...open(-10), lastFromMs: open(-5).fromMs, count: 2, downMs: 7 * MINUTE_MS },
  ]);
});

it("public pages join a day's short outages and show each long outage separately", () => {
  const given = [closed(-300, -298), closed(-200, -100), closed(-60, -57), closed(-1_500, -1_499)];
  expect(joinPublicOutages(given, NOW_MS)).toEqual([
    {
      ...closed(-1_500, -1_499),
      lastFromMs: closed(-1_500, 0).fromMs,
      count: 1,
      downMs: MINUTE_MS,
    },
    { ...closed(-300, -57), lastFromMs: closed(-60, 0).fromMs, count: 2, downMs: 5 * MINUTE_MS },
    {
      ...closed(-200, -100),
      lastFromMs: closed(-200, 0).fromMs,
      count: 1,
      downMs: 100 * MINUTE_MS,
    },
  ]);
});

it('joining outages loses no outage and no downtime, and leaves gaps of at least five minutes', () => {
  const outage = fc
    .record({ from: fc.integer({ min: 1, max: 10_000 }), length: fc.integer({ min: 0, max: 60 }) })
    .map(({ from, length }) => closed(-from - length, -from));
  fc.assert(
    fc.property(fc.array(outage, { maxLength: 30 }), (outages) => {
      const whole = outages.reduce((sum, { fromMs, toMs }) => sum + (toMs ?? NOW_MS) - fromMs, 0);
      for (const joined of [joinOutages(outages, NOW_MS), joinPublicOutages(outages, NOW_MS)]) {
        expect(joined.reduce((sum, { count }) => sum + count, 0)).toBe(outages.length);
        expect(joined.reduce((sum, { downMs }) => sum + downMs, 0)).toBe(whole);
      }
      const inOrder = joinOutages(outages, NOW_MS);
      for (const [index, { fromMs }] of inOrder.entries()) {
        const before = inOrder[index - 1];
        if (before !== undefined)
          expect(fromMs - (before.toMs ?? NOW_MS)).toBeGreaterThanOrEqual(OUTAGE_GAP_MS);
      }
    }),
    propertyOptions(100),
  );
});
