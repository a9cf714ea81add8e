/**
 * Tests steps of alert policies with hours, in every zone and in both nights with a change of daylight saving. Covers:
 * src/services/maintenance/step-hours.ts
 */
import fc from 'fast-check';
import { WEEKDAYS } from '../../../src/contracts/escalation';
import type { WeeklyHours } from '../../../src/contracts/maintenance';
import { beginCourse, forecastNotifications } from '../../../src/domain/alerting/escalation-course';
import { findOpeningAt, readCalendar } from '../../../src/services/maintenance/hours-calendar';
import { readClosedUntil } from '../../../src/services/maintenance/step-hours';
import { propertyOptions } from '../../support/property-runs';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NIGHTS = [
  { timeZone: 'Europe/Berlin', date: '2026-03-29' },
  { timeZone: 'Europe/Berlin', date: '2026-10-25' },
  { timeZone: 'America/New_York', date: '2026-03-08' },
  { timeZone: 'America/New_York', date: '2026-11-01' },
  { timeZone: 'Australia/Lord_Howe', date: '2026-10-04' },
  { timeZone: 'Australia/Lord_Howe', date: '2026-04-05' },
  { timeZone: 'Asia/Kathmandu', date: '2026-07-01' },
] as const;

const clockTime = fc
  .integer({ min: 0, max: 95 })
  .map(
    (quarter) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
  );
const openTimes = fc
  .record({ from: clockTime, to: clockTime })
  .filter(({ from, to }) => from !== to)
  .map(({ from, to }) => [{ days: [...WEEKDAYS], from, to }]);

async function foreseeWith(hours: WeeklyHours, atMs: number) {
  const steps = [
    {
      afterMinutes: 0,
      until: 'recovered' as const,
      repeat: { everyMinutes: 30, times: 4 },
      hours: 'desk',
    },
    { afterMinutes: 45, until: 'recovered' as const, repeat: null },
  ];
  const findByKey = async (_accountId: string, key: string) => ({ ...hours, key });
  const stores = { hours: { findByKey } } as never;
  const closedUntilMs = await readClosedUntil({ stores }, 'acc_1', { steps, atMs });
  const plan = {
    policyName: 'p',
    steps: steps.map((step) => ({ ...step, contacts: [] })),
    quietHours: null,
    lastResort: null,
  };
  return forecastNotifications(beginCourse(plan, atMs), atMs, () => null, closedUntilMs);
}

test('an escalation step sends each notification once and within its hours', async () => {
  const instant = fc.record({
    night: fc.constantFrom(...NIGHTS),
    minute: fc.integer({ min: -24 * 60, max: 36 * 60 }),
  });
  await fc.assert(
    fc.asyncProperty(instant, openTimes, async ({ night, minute }, weekly) => {
      const { timeZone, date } = night;
      const hours: WeeklyHours = { timeZone, weekly, holidays: [] };
      const atMs = Date.parse(`${date}T00:00:00Z`) + minute * MINUTE;
      const calendar = readCalendar(hours, atMs);
      const foreseen = await foreseeWith(hours, atMs);
      const byHours = foreseen.filter(({ step }) => step === 0);
      for (const notified of byHours)
        expect(findOpeningAt(calendar, notified.atMs).isOpen).toBe(true);
      const numbers = foreseen.flatMap((each) => each.numbers);
      expect(numbers.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
      const other = foreseen.filter(({ step }) => step === 1);
      expect(other.map((each) => each.atMs - atMs)).toEqual([45 * MINUTE]);
      const { isOpen, changesAtMs } = findOpeningAt(calendar, atMs);
      expect(byHours[0]?.atMs).toBe(isOpen ? atMs : changesAtMs);
    }),
    propertyOptions(60),
  );
});

test.each([
  ['2026-03-29', '2026-03-29T07:00:00.000Z'],
  ['2026-10-25', '2026-10-25T08:00:00.000Z'],
])(
  "in the night of %s, an escalation step waits until nine o'clock local time",
  async (date, opensAt) => {
    const weekly = [{ days: [...WEEKDAYS], from: '09:00', to: '18:00' }];
    const hours: WeeklyHours = { timeZone: 'Europe/Berlin', weekly, holidays: [] };
    const foreseen = await foreseeWith(hours, Date.parse(`${date}T00:30:00Z`) - HOUR);
    const [first] = foreseen.filter(({ step }) => step === 0);
    expect(new Date(Number(first?.atMs)).toISOString()).toBe(opensAt);
    // All notifications that became due outside of the hours are sent as one notification.
    expect(first?.numbers).toHaveLength(5);
  },
);
