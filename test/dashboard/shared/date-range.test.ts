/** Tests ranges of days in local time: the ranges that have a name, and their words. */
import { describeRange, listPresets } from '../../../src/dashboard/shared/list/date-range';

const NOW_MS = new Date(2026, 2, 5, 23, 30).getTime();

test('the date ranges that the dashboard offers end today and include their first day', () => {
  expect(listPresets(NOW_MS)).toEqual([
    { label: 'Any time' },
    { label: 'Today', from: '2026-03-05', to: '2026-03-05' },
    { label: 'Last 7 days', from: '2026-02-27', to: '2026-03-05' },
    { label: 'Last 30 days', from: '2026-02-04', to: '2026-03-05' },
    { label: 'Last 90 days', from: '2025-12-06', to: '2026-03-05' },
  ]);
});

test.each([
  [{}, 'Any time'],
  [{ from: '2026-02-27', to: '2026-03-05' }, 'Last 7 days'],
  [{ from: '2026-02-01', to: '2026-02-03' }, '1 Feb 2026 – 3 Feb 2026'],
  [{ from: '2026-02-01', to: '2026-02-01' }, '1 Feb 2026'],
  [{ from: '2026-02-01' }, 'From 1 Feb 2026'],
  [{ to: '2026-02-01' }, 'Until 1 Feb 2026'],
  [{ from: 'yesterday' }, 'From yesterday'],
])('the date range %j is shown as “%s”', (range, words) => {
  expect(describeRange(range, NOW_MS)).toBe(words);
});
