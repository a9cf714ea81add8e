/** Incidents and outages of a time, as every page counts them. */
import { countOutages } from '../../../src/domain/health/outage-figures';

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

test('an incident counts once, however often its check was down', () => {
  expect(countOutages(OUTAGES, spanOf(0, 60), 60 * MINUTE_MS)).toEqual({
    incidents: 2,
    outages: 4,
    longestMs: 10 * MINUTE_MS,
    mttrMs: 2 * MINUTE_MS,
  });
});

test('outages that overlap the span count, and outages that only touch its ends do not', () => {
  const counted = (from: number, to: number) => {
    const { incidents, outages } = countOutages(OUTAGES, spanOf(from, to), 60 * MINUTE_MS);
    return [incidents, outages];
  };
  expect(counted(11, 16)).toEqual([1, 2]);
  expect(counted(12, 13)).toEqual([0, 0]);
  expect(counted(19, 50)).toEqual([0, 0]);
  expect(counted(55, 60)).toEqual([1, 1]);
});

test('the longest outage is null without outages, and the MTTR without an end', () => {
  expect(countOutages([], spanOf(0, 60), 0)).toEqual({
    incidents: 0,
    outages: 0,
    longestMs: null,
    mttrMs: null,
  });
  const { mttrMs } = countOutages(OUTAGES.slice(3), spanOf(0, 60), 60 * MINUTE_MS);
  expect(mttrMs).toBeNull();
});

test('300,000 outages are counted without an error', () => {
  const outages = Array.from({ length: 300_000 }, (_, index) => ({
    incidentId: 'inc_1',
    openedAtMs: 10 * index,
    closedAtMs: 10 * index + 5,
  }));
  const span = { fromMs: 0, toMs: 3_000_000 };
  expect(countOutages(outages, span, span.toMs)).toEqual({
    incidents: 1,
    outages: 300_000,
    longestMs: 5,
    mttrMs: 5,
  });
});
