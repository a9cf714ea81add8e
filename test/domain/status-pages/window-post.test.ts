/** Tests the posts that the service writes about an occurrence of a maintenance window. */
import fc from 'fast-check';
import { findPostState, isFinal, isOver, type Post } from '../../../src/domain/status-pages/post';
import {
  announce,
  findOccurrence,
  type SeenWindow,
  withWindow,
} from '../../../src/domain/status-pages/window-post';
import { propertyOptions } from '../../support/property-runs';
import { NOW, postOf } from './example-post';

const HOUR = 3_600_000;
const PLANNED = { fromMs: NOW + 20 * HOUR, toMs: NOW + 22 * HOUR };
let ids = 0;

const at = (nowMs: number) => ({
  nowMs,
  language: 'en' as const,
  newUpdateId: () => {
    ids += 1;
    return `upd_${ids}`;
  },
});

function announced(occurrence = PLANNED): Post {
  return postOf({
    type: 'maintenance',
    state: 'published',
    publishedAtMs: NOW,
    isTouched: false,
    window: { id: 'mnt_1', ...occurrence },
    ...announce(occurrence, ['Payments'], at(NOW)),
  });
}

const seen = (occurrence: SeenWindow['occurrence'], isDeleted = false) => ({
  occurrence,
  isDeleted,
});
const lastText = ({ updates }: Post) => updates.at(-1)?.text;

test('a post announces the start and end of maintenance, or only the end once the maintenance has begun', () => {
  expect(announced()).toMatchObject({
    title: 'Maintenance of Payments',
    updates: [
      {
        state: 'scheduled',
        text: 'Planned from 21 Nov 2026, 08:00 UTC to 21 Nov 2026, 10:00 UTC.',
        isDraft: false,
        by: null,
      },
    ],
  });
  expect(findPostState(announced({ fromMs: NOW, toMs: NOW + HOUR }))).toBe('started');
});

test('the post of maintenance gets exactly one update at the start and one at the end', () => {
  const post = announced();
  expect(withWindow(post, seen(PLANNED), at(PLANNED.fromMs - 1))).toBe(post);
  const started = withWindow(post, seen(PLANNED), at(PLANNED.fromMs));
  expect(findPostState(started)).toBe('started');
  expect(withWindow(started, seen(PLANNED), at(PLANNED.toMs - 1))).toBe(started);
  const over = withWindow(started, seen(PLANNED), at(PLANNED.toMs));
  expect(findPostState(over)).toBe('completed');
  expect(withWindow(over, seen(null), at(PLANNED.toMs + 1))).toBe(over);
});

test('a rescheduled maintenance window is posted with its new times, even far ahead', () => {
  const later = { fromMs: PLANNED.fromMs + 100 * HOUR, toMs: PLANNED.toMs + 100 * HOUR };
  const moved = withWindow(announced(), seen(later), at(NOW));
  expect(findPostState(moved)).toBe('scheduled');
  expect(lastText(moved)).toMatch(/^Moved: now planned from 25 Nov 2026, 12:00 UTC/);
  expect(withWindow(moved, seen(later), at(NOW + 1))).toBe(moved);
});

test('extending a maintenance window updates its post, and an early end completes the post', () => {
  const started = withWindow(announced(), seen(PLANNED), at(PLANNED.fromMs));
  const longer = { ...PLANNED, toMs: PLANNED.toMs + HOUR };
  const extended = withWindow(started, seen(longer), at(PLANNED.fromMs + 1));
  expect(lastText(extended)).toMatch(/planned until 21 Nov 2026, 11:00 UTC/);
  const early = { ...PLANNED, toMs: PLANNED.fromMs + 5 };
  const over = withWindow(started, seen(early), at(PLANNED.fromMs + 5));
  expect(over.updates.map(({ state }) => state)).toEqual(['scheduled', 'started', 'completed']);
});

test('deleting a maintenance window cancels its post before the start, and completes the post after the start', () => {
  expect(findPostState(withWindow(announced(), seen(null, true), at(NOW)))).toBe('cancelled');
  expect(findPostState(withWindow(announced(), seen(PLANNED, true), at(NOW)))).toBe('cancelled');
  const started = withWindow(announced(), seen(PLANNED), at(PLANNED.fromMs));
  expect(findPostState(withWindow(started, seen(null, true), at(PLANNED.fromMs)))).toBe(
    'completed',
  );
});

test('the post of a maintenance window that began and ended while the service was away is completed', () => {
  const late = withWindow(announced(), seen(null), at(PLANNED.toMs + HOUR));
  expect(late.updates.map(({ state }) => state)).toEqual(['scheduled', 'completed']);
});

test('a post that has ended does not change', () => {
  const ended = withWindow(announced(), seen(null, true), at(NOW));
  expect(withWindow(ended, seen(PLANNED), at(PLANNED.fromMs))).toBe(ended);
});

test('only a maintenance window that does not repeat counts as rescheduled', () => {
  const next = { fromMs: PLANNED.fromMs + HOUR, toMs: PLANNED.toMs + HOUR };
  expect(findOccurrence({ rrule: null, occurrences: [next] }, PLANNED)).toEqual(next);
  expect(findOccurrence({ rrule: null, occurrences: [] }, PLANNED)).toBeNull();
  const rrule = 'FREQ=DAILY';
  expect(findOccurrence({ rrule, occurrences: [next] }, PLANNED)).toBeNull();
  expect(findOccurrence({ rrule, occurrences: [next, PLANNED] }, PLANNED)).toEqual(PLANNED);
});

test('the post of a maintenance window ends only once, for any changes of the window', () => {
  const hours = fc.integer({ min: -10, max: 60 });
  const look = fc.record({
    from: hours,
    length: fc.integer({ min: 1, max: 30 }),
    isDeleted: fc.boolean(),
    passed: fc.integer({ min: 0, max: 10 }),
  });
  fc.assert(
    fc.property(fc.array(look, { maxLength: 12 }), (looks) => {
      let post = announced();
      let nowMs = NOW;
      for (const { from, length, isDeleted, passed } of looks) {
        nowMs += passed * HOUR;
        const fromMs = NOW + from * HOUR;
        const now = seen({ fromMs, toMs: fromMs + length * HOUR }, isDeleted && passed > 5);
        post = withWindow(post, now, at(nowMs));
        expect(withWindow(post, now, at(nowMs))).toBe(post);
      }
      const ends = post.updates.filter(({ state }) => isFinal(state));
      expect(ends).toHaveLength(isOver(post) ? 1 : 0);
    }),
    propertyOptions(200),
  );
});
