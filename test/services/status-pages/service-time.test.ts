/** Tests which part of each day counts on a status page with hours, also on days with a change of daylight saving. */
import { WEEKDAYS } from '../../../src/contracts/escalation';
import { addTimes } from '../../../src/domain/health/timeline';
import { countServiceTime, readServiceTime } from '../../../src/services/status-pages/service-time';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const weekly = [{ days: [...WEEKDAYS], from: '09:00', to: '18:00' }];
const HOURS = { key: 'desk', timeZone: 'Europe/Berlin', weekly, holidays: ['2026-03-30'] };
const stores = {
  hours: { findByKey: async (_id: string, key: string) => (key === 'desk' ? HOURS : null) },
} as never;

const daysFrom = (date: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const fromMs = Date.parse(`${date}T00:00:00Z`) + index * DAY;
    return { fromMs, toMs: fromMs + DAY };
  });
const page = (hours: string | null) => ({ accountId: 'acc_1', hours });

async function timeOf(date: string, count: number) {
  const service = await readServiceTime({ stores }, page('desk'), daysFrom(date, count));
  if (service === null) throw new Error('there are hours');
  return countServiceTime(service, async (spans) =>
    spans.map(({ fromMs, toMs }) => ({ ...addTimes([]), up: toMs - fromMs })),
  );
}

test.each([['2026-03-28'], ['2026-10-24']])(
  'each day counts nine hours of service time around the change of daylight saving on %s',
  async (date) => {
    const times = await timeOf(date, 2);
    expect(times.map(({ up }) => up / HOUR)).toEqual([9, 9]);
  },
);

test('a holiday counts no service time', async () => {
  const times = await timeOf('2026-03-29', 3);
  expect(times.map(({ up }) => up / HOUR)).toEqual([9, 0, 9]);
});

test('a status page without hours or with deleted hours counts all time as service time', async () => {
  const days = daysFrom('2026-03-28', 2);
  expect(await readServiceTime({ stores }, page(null), days)).toBeNull();
  expect(await readServiceTime({ stores }, page('gone'), days)).toBeNull();
});
