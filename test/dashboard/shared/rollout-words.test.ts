/** Tests plans and rollouts in words, and the change that the form of the checks makes. */
import { buildChange, NEW_DRAFT } from '../../../src/dashboard/features/checks/edit/fields-draft';
import type { Rollout } from '../../../src/dashboard/shared/data/api-types';
import {
  describeProgress,
  describeRollout,
  isUndoable,
  sumUpPlan,
} from '../../../src/dashboard/shared/rollouts/rollout-words';

const ENDED: Rollout = {
  id: 'rol_1',
  state: 'ended',
  cause: { type: 'edit' },
  change: { type: 'edit', set: { interval: 30, alerts: { policy: null } }, unset: ['retries'] },
  actor: { type: 'user', id: 'usr_1', name: 'ann@example.com' },
  progress: { total: 4, pending: 0, changed: 1, unchanged: 1, failed: 1, skipped: 1 },
  waitsFor: null,
  undoUntil: '2026-01-02T00:00:00.000Z',
  undoneBy: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  endedAt: null,
};

test('a plan lists each change once with its checks, beginning with the change that applies to most checks', () => {
  const interval = { path: 'interval', before: 60, after: 30 };
  const tags = { path: 'tags', before: [], after: ['a', 'b'] };
  const items = [
    { id: 'mon_1', name: 'One', type: 'monitor' as const, changes: [tags, interval] },
    { id: 'mon_2', name: 'Two', type: 'monitor' as const, changes: [interval] },
    { id: 'mon_3', name: 'Three', type: 'monitor' as const, changes: [] },
  ];
  expect(sumUpPlan({ items })).toEqual([
    { sentence: 'Interval 60 s → 30 s', names: ['One', 'Two'] },
    { sentence: 'Tags none → a, b', names: ['One'] },
  ]);
});

test('a rollout is described by its change, its progress and its outcome', () => {
  expect(describeRollout(ENDED)).toBe('Interval: 30 s, Alert policy: none, Retries: default');
  expect(describeRollout({ ...ENDED, cause: { type: 'undo', rolloutId: 'rol_0' } })).toBe('Undo');
  expect(describeRollout({ ...ENDED, cause: { type: 'profile', key: 'eu' } })).toBe('Profile eu');
  expect(describeProgress(ENDED)).toBe('1 check changed, 1 unchanged, 1 skipped, 1 failed');
  const running = {
    ...ENDED,
    state: 'running',
    progress: { ...ENDED.progress, pending: 3 },
  } as const;
  expect(describeProgress(running)).toBe('1 of 4 checks done');
  const waiting = { ...running, state: 'waiting', waitsFor: 'rol_0' } as const;
  expect(describeProgress(waiting)).toBe('Waits for another rollout');
});

test('a rollout can be undone once, until the time that the rollout names', () => {
  const untilMs = Date.parse('2026-01-02T00:00:00.000Z');
  expect(isUndoable(ENDED, untilMs - 1)).toBe(true);
  expect(isUndoable(ENDED, untilMs)).toBe(false);
  expect(isUndoable({ ...ENDED, undoneBy: 'rol_2' }, untilMs - 1)).toBe(false);
  expect(isUndoable({ ...ENDED, undoUntil: null }, untilMs - 1)).toBe(false);
});

test('a rollout plan changes only chosen fields, and an empty field returns to its default', () => {
  const draft = { ...NEW_DRAFT, interval: 30, group: ' shop ', policy: 'night', retries: 2 };
  expect(buildChange(draft, ['interval', 'group', 'policy'])).toEqual({
    set: { interval: 30, group: 'shop', alerts: { policy: 'night' } },
    unset: [],
  });
  expect(buildChange(NEW_DRAFT, ['regions', 'hours', 'group', 'retries', 'tags'])).toEqual({
    set: {},
    unset: ['regions', 'hours', 'group', 'retries', 'tags'],
  });
  expect(buildChange(NEW_DRAFT, ['channels', 'policy'])).toEqual({
    set: { alerts: { channels: [], policy: null } },
    unset: [],
  });
});
