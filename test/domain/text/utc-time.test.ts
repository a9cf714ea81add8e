import { formatUtcTime } from '../../../src/domain/text/utc-time';

test('a time names its zone and never the one of the machine', () => {
  expect(formatUtcTime(Date.UTC(2026, 0, 5, 12))).toBe('5 Jan 2026, 12:00 UTC');
});
