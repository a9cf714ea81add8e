/** Tests the form of hours: the request that it sends for its input, and the input that it shows for stored hours. */

import {
  buildBody,
  createDraft,
  newTime,
  timeWords,
} from '../../../src/dashboard/features/settings/hours/hours-draft';
import { nameDraft } from '../../../src/dashboard/features/settings/keyed/keyed';
import type { Hours } from '../../../src/dashboard/shared/data/api-types';
import { hoursBody } from '../../../src/schemas/hours/hours';
import { validate } from '../../../src/schemas/issues';

const HOURS: Hours = {
  id: 'hrs_01h0000000000000000000000a',
  version: 3,
  key: 'shop',
  name: 'Shop',
  timeZone: 'Europe/Berlin',
  weekly: [
    { days: ['mon', 'tue'], from: '09:00', to: '24:00' },
    { days: ['sat'], from: '20:00', to: '02:00' },
  ],
  holidays: ['2026-12-25', { rrule: 'FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1' }],
  isOpen: true,
  changesAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('saving unchanged hours sends them unchanged', () => {
  const { key, name, timeZone, weekly, holidays } = HOURS;
  expect(buildBody(createDraft(HOURS))).toEqual({ key, name, timeZone, weekly, holidays });
});

test('new hours are accepted once they have a name, from which the key is derived', () => {
  const empty = createDraft(null);
  const draft = { ...empty, ...nameDraft(empty, 'Opening hours'), timeZone: 'UTC' };
  expect(draft.key).toBe('opening-hours');
  expect(validate(hoursBody, buildBody(draft))).toMatchObject({ ok: true });
  const again = { ...draft, weekly: [...draft.weekly, newTime(['fri'])] };
  expect(validate(hoursBody, buildBody(again))).toMatchObject({
    ok: false,
    problems: [{ path: 'weekly[1].from' }],
  });
});

test('a period of the week is shown in words', () => {
  expect(HOURS.weekly.map(timeWords)).toEqual(['Mon, Tue 09:00–24:00', 'Sat 20:00–02:00']);
  const week = { days: ['fri', 'mon', 'tue', 'wed', 'thu'], from: '09:00', to: '17:00' } as const;
  expect(timeWords({ ...week, days: [...week.days] })).toBe('Mon–Fri 09:00–17:00');
  expect(timeWords({ ...week, days: ['mon', 'wed', 'sun'] })).toBe('Mon, Wed, Sun 09:00–17:00');
});
