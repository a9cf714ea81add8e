/**
 * What the service writes by itself about a time of a maintenance window: that it is planned, moved, under way, over
 * or cancelled. Pure; what it returns is the same post when nothing is to be written.
 */
import type { Occurrence } from '../../contracts/maintenance';
import type { PostState } from '../../contracts/status-pages';
import { cutText } from '../text/cut-text';
import { formatUtcTime } from '../text/utc-time';
import { fillItems, TITLE_MAX } from './incident-post';
import {
  isOver,
  type Post,
  type PostUpdate,
  type PostWindow,
  stateOfPost,
  UPDATES_MAX,
  withUpdate,
} from './post';

/** So long before its start a time is announced. */
export const ANNOUNCED_BEFORE_MS = 86_400_000;

const COMPLETED = 'The maintenance is over.';
const CANCELLED = 'The maintenance is cancelled.';

interface Now {
  readonly nowMs: number;
  readonly newUpdateId: () => string;
}

/** How the window is now. */
export interface SeenWindow {
  /** The announced time, wherever it is now; null: the window has none any more. */
  readonly occurrence: Occurrence | null;
  /** It was deleted, or is for no item of the page any more. */
  readonly isGone: boolean;
}

/** The words of a new post about a time that is near or has begun. */
export function announce(
  occurrence: Occurrence,
  names: readonly string[],
  { nowMs, newUpdateId }: Now,
): Pick<Post, 'title' | 'updates'> {
  const hasBegun = occurrence.fromMs <= nowMs;
  const text = hasBegun ? startedText(occurrence) : plannedText('Planned', occurrence);
  const state = hasBegun ? 'started' : 'scheduled';
  return {
    title: cutText(fillItems('Maintenance of {{items}}', names), TITLE_MAX),
    updates: [ours({ id: newUpdateId(), state, text, atMs: nowMs })],
  };
}

interface WindowTimes {
  /** null: it does not repeat. */
  readonly rrule: string | null;
  readonly occurrences: readonly Occurrence[];
}

/** Where the announced time is now. Only a window that does not repeat can have moved it. */
export function findOccurrence(
  { rrule, occurrences }: WindowTimes,
  announced: Pick<Occurrence, 'fromMs'>,
): Occurrence | null {
  const same = occurrences.find(({ fromMs }) => fromMs === announced.fromMs);
  return same ?? (rrule === null ? (occurrences[0] ?? null) : null);
}

/** With what there is to say now. */
export function withWindow(post: Post, seen: SeenWindow, now: Now): Post {
  const { window } = post;
  if (window === null || isOver(post)) return post;
  const { occurrence, isGone } = seen;
  if (occurrence === null || isGone) return withLost(post, window, { isGone, ...now });
  const moved = withMove(post, { ...occurrence, id: window.id }, now);
  if (now.nowMs >= occurrence.toMs) return withOurs(moved, 'completed', COMPLETED, now);
  if (now.nowMs < occurrence.fromMs || stateOfPost(moved) === 'started') return moved;
  return withOurs(moved, 'started', startedText(occurrence), now);
}

interface Lost extends Now {
  readonly isGone: boolean;
}

/** What had begun is over; what passed while the service was away is over, too. */
function withLost(post: Post, { fromMs }: PostWindow, { isGone, ...now }: Lost): Post {
  const hasBegun = stateOfPost(post) === 'started' || (!isGone && fromMs <= now.nowMs);
  return hasBegun
    ? withOurs(post, 'completed', COMPLETED, now)
    : withOurs(post, 'cancelled', CANCELLED, now);
}

/** An end that came early is no move: the maintenance is over. */
function withMove(post: Post, window: PostWindow, now: Now): Post {
  const before = post.window;
  if (before?.fromMs === window.fromMs && before.toMs === window.toMs) return post;
  const moved = { ...post, window };
  if (window.toMs <= now.nowMs) return moved;
  const hasBegun = stateOfPost(post) === 'started' && window.fromMs <= now.nowMs;
  return hasBegun
    ? withOurs(moved, 'started', startedText(window), now)
    : withOurs(moved, 'scheduled', plannedText('Moved: now planned', window), now);
}

function plannedText(word: string, { fromMs, toMs }: Occurrence): string {
  return `${word} from ${formatUtcTime(fromMs)} to ${formatUtcTime(toMs)}.`;
}

function startedText({ toMs }: Occurrence): string {
  return `The maintenance is under way. It is planned until ${formatUtcTime(toMs)}.`;
}

function withOurs(post: Post, state: PostState, text: string, now: Now): Post {
  if (post.updates.length >= UPDATES_MAX) return post;
  return withUpdate(post, ours({ id: now.newUpdateId(), state, text, atMs: now.nowMs }));
}

function ours(update: Pick<PostUpdate, 'id' | 'state' | 'text' | 'atMs'>): PostUpdate {
  return { ...update, by: null, isDraft: false };
}
