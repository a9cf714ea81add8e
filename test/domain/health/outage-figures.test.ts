/** Tests incidents and outages in a time span, as every page counts them. */
import fc from 'fast-check';
import { countOutages } from '../../../src/domain/health/outage-figures';
import { propertyOptions } from '../../support/property-runs';

const MINUTE_MS = 60_000;

const outage = (incidentId: string, from: number, to: number | null) => ({
  incidentId,
  openedAtMs: from * MINUTE_MS,
  closedAtMs: to === null ? null : to * MINUTE_MS,
});
const spanOf = (from: number, to: number) => ({ fromMs: from * MINUTE_MS, toMs: to * MINUTE_MS });

const OUTAGES = [
  outage('flaps', 10, 12),
  outage('flaps', 13, 14),
  outage('flaps', 16, 19),
  outage('other', 50, null),
];

test('an incident counts once in the figures, even if its check was down several times', () => {
  expect(countOutages(OUTAGES, spanOf(0, 60), { nowMs: 60 * MINUTE_MS })).toEqual({
    incidents: 2,
    outages: 4,
    downMs: 16 * MINUTE_MS,
    longestMs: 10 * MINUTE_MS,
    mttrMs: 2 * MINUTE_MS,
  });
});

test('an outage counts for a time span if it overlaps the span, but not if it only touches the span', () => {
  const counted = (from: number, to: number) => {
    const { incidents, outages } = countOutages(OUTAGES, spanOf(from, to), {
      nowMs: 60 * MINUTE_MS,
    });
    return [incidents, outages];
  };
  expect(counted(11, 16)).toEqual([1, 2]);
  expect(counted(12, 13)).toEqual([0, 0]);
  expect(counted(19, 50)).toEqual([0, 0]);
  expect(counted(55, 60)).toEqual([1, 1]);
});

test('the longest outage is null without outages, and the MTTR is null if no outage has ended', () => {
  expect(countOutages([], spanOf(0, 60), { nowMs: 0 })).toEqual({
    incidents: 0,
    outages: 0,
    downMs: 0,
    longestMs: null,
    mttrMs: null,
  });
  const { mttrMs } = countOutages(OUTAGES.slice(3), spanOf(0, 60), { nowMs: 60 * MINUTE_MS });
  expect(mttrMs).toBeNull();
});

test('the longest outage is never longer than the total downtime, for any span', () => {
  const minute = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(minute, minute, (one, other) => {
      const span = spanOf(Math.min(one, other), Math.max(one, other));
      const { downMs, longestMs } = countOutages(OUTAGES, span, { nowMs: 60 * MINUTE_MS });
      expect(longestMs ?? 0).toBeLessThanOrEqual(downMs);
      expect(downMs).toBeLessThanOrEqual(span.toMs - span.fromMs);
    }),
    propertyOptions(100),
  );
});

test('300,000 outages are counted without an error', () => {
  const outages = Array.from({ length: 300_000 }, (_, index) => ({
    incidentId: 'inc_1',
    openedAtMs: 10 * index,
    closedAtMs: 10 * index + 5,
  }));
  const span = { fromMs: 0, toMs: 3_000_000 };
  expect(countOutages(outages, span, { nowMs: span.toMs })).toEqual({
    incidents: 1,
    outages: 300_000,
    downMs: 1_500_000,
    longestMs: 5,
    mttrMs: 5,
  });
});
