import { formatUtcTime } from '../../../src/domain/text/utc-time';

test.each([
  ['en', '5 Jan 2026, 12:00 UTC'],
  ['de', '5. Jan. 2026, 12:00 UTC'],
  ['ja', '2026年1月5日 12:00 UTC'],
] as const)(
  'a time in %s names its zone, and does not use the zone of the machine',
  (language, text) => {
    expect(formatUtcTime(Date.UTC(2026, 0, 5, 12), language)).toBe(text);
  },
);
