/** Tests the texts of the overview about checks and trends. */
import {
  expiringSoon,
  listFailing,
  stateLine,
} from '../../../src/dashboard/features/overview/state';
import {
  accountDaysText,
  accountDayText,
  buildTiles,
} from '../../../src/dashboard/features/overview/trend';
import { hourBars } from '../../../src/dashboard/shared/charts/spark-bars';
import type { ListedCheck, Status } from '../../../src/dashboard/shared/data/api-types';
import { exampleCheck } from '../support/example-check';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');

const check = (name: string, status: Status, changes: Partial<ListedCheck> = {}) =>
  exampleCheck(name, { status, ...changes });

const minutesAgo = (minutes: number) => new Date(NOW_MS - minutes * 60_000).toISOString();

test('the state line says how many checks are down and names the worst check', () => {
  const hang = check('Hang', 'down', { healthSince: minutesAgo(27.5) });
  const checks = [check('Shop', 'up'), check('Slow', 'degraded'), check('Search', 'down'), hang];
  expect(listFailing(checks).map(({ name }) => name)).toEqual(['Hang', 'Search', 'Slow']);
  expect(stateLine(checks, NOW_MS)).toEqual({
    status: 'down',
    text: '2 of 4 checks are down. Longest:',
    worst: { check: hang, length: '27 min' },
  });
  expect(stateLine([check('Shop', 'up'), hang], NOW_MS).text).toBe('1 of 2 checks is down:');
});

test.each([
  [['up', 'up'], 'up', 'All 2 checks up'],
  [['up'], 'up', '1 check up'],
  [['up', 'paused', 'pending'], 'up', '1 of 3 checks up, 1 pending, 1 paused'],
  [['pending'], 'pending', '1 check: 1 pending'],
] as const)('the state line reports no problem for %j', (statuses, status, text) => {
  const checks = statuses.map((one, index) => check(`${index}`, one));
  expect(stateLine(checks, NOW_MS)).toEqual({ status, text, worst: null });
});

test('the overview lists certificates that expire within 30 days, the earliest first', () => {
  const inDays = (days: number) => new Date(NOW_MS + days * 86_400_000).toISOString();
  const checks = [
    check('late', 'up', { tlsExpiresAt: inDays(31) }),
    check('soon', 'up', { tlsExpiresAt: inDays(29) }),
    check('over', 'up', { tlsExpiresAt: inDays(-1) }),
    check('none', 'up'),
  ];
  const names = expiringSoon(checks, NOW_MS).map((expiring) => expiring.check.name);
  expect(names).toEqual(['over', 'soon']);
});

test('figures of the overview show their change and whether the change is an improvement', () => {
  const trends = {
    from: minutesAgo(1_440),
    to: minutesAgo(0),
    current: { availability: 99.5, incidents: 3, outages: 5, mttrSeconds: null, p95Ms: 120 },
    before: { availability: 100, incidents: 1, outages: 1, mttrSeconds: 60, p95Ms: 120.4 },
    days: [],
  };
  expect(buildTiles(trends)).toEqual([
    {
      label: 'Uptime',
      value: '99.50%',
      about: null,
      change: { direction: 'down', isGood: false, text: '0.50 points' },
    },
    {
      label: 'Incidents',
      value: '3',
      about: '5 outages',
      change: { direction: 'up', isGood: false, text: '2' },
    },
    { label: 'MTTR', value: '–', about: null, change: null },
    {
      label: 'p95 response time',
      value: '120 ms',
      about: null,
      change: { direction: 'same', isGood: true, text: 'no change' },
    },
  ]);
});

test('days are described by their incidents and their downtime', () => {
  const day = (incidents: number, outages: number, downSeconds: number | null) => ({
    date: '2026-03-01',
    incidents,
    outages,
    downSeconds,
  });
  const days = [day(0, 0, null), day(0, 0, 0), day(1, 1, 300), day(2, 9, 7_200)];
  expect(days.map(accountDayText)).toEqual([
    'no data',
    'no incidents',
    '1 incident, 5 min down',
    '2 incidents with 9 outages, 2 h down',
  ]);
  // The incident behind this downtime began on the day before.
  expect(accountDayText(day(0, 0, 60))).toBe('1 min down');
  expect(accountDaysText(days)).toBe(
    'Outages on 2 of 3 days, 2 h 5 min down, summed over all checks',
  );
});

test("the overview's hourly bars show the response time, and hours without a measurement have no bar", () => {
  const bars = hourBars([null, 50, 100]);
  expect(bars.map(({ tone }) => tone)).toEqual(['none', 'up', 'up']);
  expect(bars[1]?.height).toBeLessThan(bars[2]?.height ?? 0);
});
