/** Tests recurrence rules. An invalid or too expensive rule is refused with the reason. */
import { findRuleProblem } from '../../src/schemas/recurrence';
import { listOccurrencesAfter } from '../../src/services/maintenance/occurrences';

const DAY_MS = 86_400_000;
const STARTS_AT_MS = Date.UTC(2026, 0, 1);

function numbers(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).join(',');
}

it.each([
  `FREQ=DAILY;BYHOUR=${numbers(0, 23)};BYMINUTE=0,30`,
  `FREQ=DAILY;BYHOUR=${numbers(0, 23)};BYMINUTE=${numbers(0, 59)}`,
  `FREQ=YEARLY;BYYEARDAY=${numbers(1, 60)};BYHOUR=0,1,2`,
  `FREQ=YEARLY;BYMONTH=${numbers(1, 12)};BYMONTHDAY=1,2,3`,
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=1,2,3,4,5',
])(
  'the recurrence rule %s is refused, since it occurs more than 24 times in its period',
  (rule) => {
    expect(findRuleProblem(rule)).toMatch(/has \d+ combinations .* at most 24$/);
  },
);

it.each([
  `FREQ=DAILY;BYHOUR=${numbers(0, 23)}`,
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=2,14;BYMINUTE=0,30',
  `FREQ=MONTHLY;BYMONTHDAY=${numbers(1, 24)}`,
  `FREQ=YEARLY;BYMONTH=${numbers(1, 12)};BYDAY=-1SU,-2SU;BYSETPOS=${numbers(1, 30)}`,
])('the recurrence rule %s is accepted, and occurrences years later are found', (rrule) => {
  expect(findRuleProblem(rrule)).toBeNull();
  const recurrence = { startsAtMs: STARTS_AT_MS, durationMinutes: 1, rrule, timeZone: 'UTC' };
  expect(listOccurrencesAfter(recurrence, STARTS_AT_MS + 3_000 * DAY_MS, 5)).toHaveLength(5);
});
