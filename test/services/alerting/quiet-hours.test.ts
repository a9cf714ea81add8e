/** Tests quiet hours in local time, over midnight, weekends and changes of daylight saving. */
import { WEEKDAYS } from '../../../src/contracts/escalation';
import { findQuietEndMs } from '../../../src/services/alerting/quiet-hours';

const NIGHTS = { timeZone: 'Europe/Berlin', days: WEEKDAYS, from: '22:00', to: '06:30' };
const endOf = (quiet: Parameters<typeof findQuietEndMs>[0], at: string): string | null => {
  const endMs = findQuietEndMs(quiet, Date.parse(at));
  return endMs === null ? null : new Date(endMs).toISOString().slice(0, 16);
};

test.each([
  ['before they begin', '2026-11-20T20:59:59Z', null],
  ['as they begin', '2026-11-20T21:00:00Z', '2026-11-21T05:30'],
  ['after midnight', '2026-11-21T03:12:30Z', '2026-11-21T05:30'],
  ['as they end', '2026-11-21T05:30:00Z', null],
  ['in the night in which clocks go forward', '2026-03-28T23:00:00Z', '2026-03-29T04:30'],
  ['in the night in which clocks go back', '2026-10-24T22:00:00Z', '2026-10-25T05:30'],
])(
  'at any instant, the end of nightly quiet hours is computed correctly: %s',
  (_when, at, expected) => {
    expect(endOf(NIGHTS, at)).toBe(expected);
  },
);

test('quiet hours of a night belong to the day on which the night begins', () => {
  const friday = { ...NIGHTS, days: ['fri' as const] };
  expect(endOf(friday, '2026-11-21T03:00:00Z')).toBe('2026-11-21T05:30');
  expect(endOf(friday, '2026-11-20T03:00:00Z')).toBeNull();
  expect(endOf(friday, '2026-11-21T22:00:00Z')).toBeNull();
});

test('quiet hours within a day end on that day', () => {
  const noon = { timeZone: 'UTC', days: ['mon' as const], from: '12:00', to: '13:00' };
  expect(endOf(noon, '2026-11-23T12:30:00Z')).toBe('2026-11-23T13:00');
  expect(endOf(noon, '2026-11-24T12:30:00Z')).toBeNull();
  expect(findQuietEndMs(null, 0)).toBeNull();
});
