/**
 * Tests the form of maintenance windows: the request that it sends for its input, and the input that it shows for a
 * stored window.
 */
import {
  formatRule,
  readChoice,
  recurrenceWords,
} from '../../../src/dashboard/features/maintenance/recurrence-choice';
import {
  affectedPages,
  buildBody,
  buildTarget,
  coveredWords,
  createDraft,
  isTargetChosen,
  lengthWords,
  targetWords,
} from '../../../src/dashboard/features/maintenance/window-draft';
import {
  instantAt,
  spanInZone,
  spanNextToZone,
  wallClockAt,
} from '../../../src/dashboard/features/maintenance/zones';
import type { MaintenanceWindow } from '../../../src/dashboard/shared/data/api-types';
import { findRuleProblem } from '../../../src/schemas/recurrence';

const WINDOW: MaintenanceWindow = {
  id: 'mnt_01h0000000000000000000000a',
  version: 3,
  key: null,
  name: 'Nightly',
  mode: 'pause',
  startsAt: '2026-03-28T01:30:00.000Z',
  durationMinutes: 45,
  rrule: 'FREQ=WEEKLY;BYDAY=MO,FR',
  timeZone: 'Europe/Berlin',
  target: { all: false, ids: [], tags: ['shop'], groups: ['eu'] },
  state: 'scheduled',
  nextOccurrences: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('saving an unchanged maintenance window sends the same window', () => {
  expect(buildBody(createDraft(WINDOW, 0))).toEqual({
    name: WINDOW.name,
    mode: WINDOW.mode,
    startsAt: WINDOW.startsAt,
    durationMinutes: WINDOW.durationMinutes,
    rrule: WINDOW.rrule,
    timeZone: WINDOW.timeZone,
    target: { ids: [], tags: ['shop'], groups: ['eu'] },
  });
});

test('a new maintenance window starts at the next full hour, occurs once, and covers nothing until something is chosen', () => {
  const draft = createDraft(null, Date.parse('2026-05-01T10:20:00Z'));
  expect(buildBody({ ...draft, zone: 'UTC', start: '2026-05-01T11:00' })).toMatchObject({
    startsAt: '2026-05-01T11:00:00.000Z',
    rrule: null,
    target: { ids: [], tags: [], groups: [] },
  });
  expect(isTargetChosen(draft.target)).toBe(false);
  expect(isTargetChosen({ all: false, ids: [], tags: [], groups: [] })).toBe(false);
  expect(isTargetChosen({ all: true, ids: [], tags: [], groups: [] })).toBe(true);
  expect(isTargetChosen(WINDOW.target)).toBe(true);
  expect(instantAt(draft.start, draft.zone)).toBe('2026-05-01T11:00:00.000Z');
});

test('no maintenance window is sent if its start time is invalid', () => {
  expect(buildBody({ ...createDraft(WINDOW, 0), start: '' })).toBeNull();
});

test.each(['FREQ=DAILY', 'FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=TU,SU', 'FREQ=MONTHLY'])(
  'the simple choice of %s gives a recurrence rule that is read as the same choice',
  (rule) => {
    const choice = readChoice(rule);
    expect(choice.repeat).not.toBe('rule');
    expect(formatRule(choice)).toBe(rule);
    expect(findRuleProblem(rule)).toBeNull();
  },
);

test.each(['FREQ=MONTHLY;BYDAY=1SU', 'FREQ=WEEKLY;BYDAY=1MO', 'FREQ=DAILY;COUNT=3'])(
  'the recurrence rule %s is shown as it was written',
  (rule) => {
    expect(readChoice(rule)).toMatchObject({ repeat: 'rule', rule });
    expect(recurrenceWords(rule)).toBe(rule);
  },
);

test('the weekdays of a maintenance window are sent in the order of the week', () => {
  expect(formatRule({ repeat: 'weekly', days: ['FR', 'MO'], rule: '' })).toBe(
    'FREQ=WEEKLY;BYDAY=MO,FR',
  );
  expect(recurrenceWords('FREQ=WEEKLY;BYDAY=MO,FR')).toBe('Every week on Mon, Fri');
});

test('a local start time of maintenance is converted correctly before and after a change of daylight saving', () => {
  expect(instantAt('2026-03-28T12:00', 'Europe/Berlin')).toBe('2026-03-28T11:00:00.000Z');
  expect(instantAt('2026-03-30T12:00', 'Europe/Berlin')).toBe('2026-03-30T10:00:00.000Z');
  expect(wallClockAt('2026-03-30T10:00:00.000Z', 'Europe/Berlin')).toBe('2026-03-30T12:00');
});

const NOW_MS = Date.parse('2026-12-31T23:30:00.000Z');
const spanOf = (startsAt: string, endsAt: string, zone = 'UTC'): string =>
  spanInZone({ startsAt, endsAt }, zone, NOW_MS);

test('a time span shows its end day only if the end is on another day than the start', () => {
  expect(spanOf('2026-03-30T10:00:00.000Z', '2026-03-30T11:00:00.000Z')).toMatch(
    /30 Mar.* 10:00 – 11:00$/,
  );
  expect(spanOf('2026-03-30T23:00:00.000Z', '2026-03-31T01:00:00.000Z')).toMatch(
    /30 Mar.* – .*31 Mar.* 01:00$/,
  );
});

test('a time span next to another zone shows its day only if the zones have different days', () => {
  const at = (startsAt: string, endsAt: string) =>
    spanNextToZone({ startsAt, endsAt }, 'UTC', 'Europe/Berlin');
  expect(at('2026-01-31T12:00:00.000Z', '2026-01-31T13:00:00.000Z')).toBe('12:00 – 13:00');
  expect(at('2026-01-31T22:30:00.000Z', '2026-01-31T23:30:00.000Z')).toContain('31 Jan');
});

test('a time span shows the year only if it differs from the current year in the zone of the span', () => {
  const [startsAt, endsAt] = ['2026-07-01T10:00:00.000Z', '2026-07-01T11:00:00.000Z'];
  expect(spanOf(startsAt, endsAt)).toBe('Wed 1 Jul, 10:00 – 11:00');
  expect(spanOf(startsAt, endsAt, 'Europe/Berlin')).toBe('Wed 1 Jul 2026, 12:00 – 13:00');
  expect(spanOf('2030-07-01T10:00:00.000Z', '2030-07-01T11:00:00.000Z')).toMatch(
    / 1 Jul 2030, 10:00 – 11:00$/,
  );
});

test.each([
  ['Covers all 9 checks', 9, 9],
  ['Covers the only check', 1, 1],
  ['Covers 2 of 9 checks', 2, 9],
  ['Covers no checks', 0, 9],
])('a maintenance form says “%s” for %i of %i checks', (words, count, total) => {
  expect(coveredWords(count, total)).toBe(words);
});

test('choosing "everything" as the target of maintenance discards earlier choices', () => {
  expect(buildTarget({ all: true, ids: [], tags: ['shop'], groups: [] })).toEqual({ all: true });
  expect(targetWords(WINDOW.target, ['Shop'])).toBe('Shop · Tag shop · Group eu');
});

test('the form says when a window ends, with the day if it ends on another day, across a change of clocks', () => {
  const draft = { ...createDraft(WINDOW, 0), zone: 'Europe/Berlin', start: '2026-03-29T01:30' };
  const now = Date.parse('2026-03-01T00:00:00Z');
  expect(lengthWords({ ...draft, minutes: 60 }, now)).toBe('1 h, until 03:30');
  expect(lengthWords({ ...draft, minutes: 1440 }, now)).toBe('1 d, until Mon 30 Mar, 02:30');
  expect(lengthWords({ ...draft, start: '', minutes: 60 }, now)).toBe('1 h');
});

test('the form names only public status pages that show a check of the window', () => {
  const page = (name: string, isPublic: boolean, id: string) => ({
    name,
    isPublic,
    groups: [{ items: [{ id }] }],
  });
  const pages = [page('shop', true, 'a'), page('draft', false, 'a'), page('other', true, 'b')];
  const checks = [
    { id: 'a', tags: ['shop'], groupKey: 'eu' },
    { id: 'b', tags: [], groupKey: 'us' },
  ];
  const target = { all: false, ids: [], tags: ['shop'], groups: [] };
  expect(affectedPages(pages, target, checks).map(({ name }) => name)).toEqual(['shop']);
});
