/**
 * Writes the automatic posts about an occurrence of a maintenance window: planned, moved, started, over or cancelled.
 * Pure. Returns the same post if there is nothing to write.
 */
import type { Occurrence } from '../../contracts/maintenance';
import type { PostState, StatusPageLanguage } from '../../contracts/status-pages';
import { cutText } from '../text/cut-text';
import { formatUtcTime } from '../text/utc-time';
import { fillItems, TITLE_MAX } from './incident-post';
import {
  findPostState,
  isOver,
  type Post,
  type PostUpdate,
  type PostWindow,
  UPDATES_MAX,
  withUpdate,
} from './post';
import { POST_WORDS } from './post-words';

/** Milliseconds between the announcement of an occurrence and its start. */
export const ANNOUNCED_BEFORE_MS = 86_400_000;

interface Now {
  readonly nowMs: number;
  readonly newUpdateId: () => string;
  readonly language: StatusPageLanguage;
}

/** A maintenance window as it is defined now. */
export interface SeenWindow {
  /** The announced occurrence at its current time. null means that the window no longer has this occurrence. */
  readonly occurrence: Occurrence | null;
  /** True means that the window was deleted, or covers no item of the page any more. */
  readonly isDeleted: boolean;
}

/** Returns the texts of a new post about an occurrence that is near or has started. */
export function announce(
  occurrence: Occurrence,
  names: readonly string[],
  { nowMs, newUpdateId, language }: Now,
): Pick<Post, 'title' | 'updates'> {
  const hasBegun = occurrence.fromMs <= nowMs;
  const words = POST_WORDS[language];
  const text = fillTimes(hasBegun ? words.started : words.planned, occurrence, language);
  const state = hasBegun ? 'started' : 'scheduled';
  return {
    title: cutText(fillItems(words.maintenance, names, language), TITLE_MAX),
    updates: [buildOwnUpdate({ id: newUpdateId(), state, text, atMs: nowMs })],
  };
}

interface WindowTimes {
  /** The rule of recurrence. null means that the window does not repeat. */
  readonly rrule: string | null;
  readonly occurrences: readonly Occurrence[];
}

/**
 * Finds the announced occurrence in the current window. If the window does not repeat, its only occurrence may have
 * moved.
 */
export function findOccurrence(
  { rrule, occurrences }: WindowTimes,
  announced: Pick<Occurrence, 'fromMs'>,
): Occurrence | null {
  const same = occurrences.find(({ fromMs }) => fromMs === announced.fromMs);
  return same ?? (rrule === null ? (occurrences[0] ?? null) : null);
}

/** Adds the updates that are due now. */
export function withWindow(post: Post, seen: SeenWindow, now: Now): Post {
  const { window } = post;
  if (window === null || isOver(post)) return post;
  const { occurrence, isDeleted } = seen;
  const { started, completed } = POST_WORDS[now.language];
  if (occurrence === null || isDeleted) return withLost(post, window, { isDeleted, ...now });
  const moved = withMove(post, { ...occurrence, id: window.id }, now);
  if (now.nowMs >= occurrence.toMs) return withOurs(moved, 'completed', completed, now);
  if (now.nowMs < occurrence.fromMs || findPostState(moved) === 'started') return moved;
  return withOurs(moved, 'started', fillTimes(started, occurrence, now.language), now);
}

interface Lost extends Now {
  readonly isDeleted: boolean;
}

/**
 * Ends a post whose occurrence no longer exists. The maintenance counts as completed if it had started, and otherwise
 * as cancelled.
 */
function withLost(post: Post, { fromMs }: PostWindow, { isDeleted, ...now }: Lost): Post {
  const hasBegun = findPostState(post) === 'started' || (!isDeleted && fromMs <= now.nowMs);
  const state = hasBegun ? 'completed' : 'cancelled';
  return withOurs(post, state, POST_WORDS[now.language][state], now);
}

/** Announces a new time. Adds no update if the new end has already passed, because the maintenance is then over. */
function withMove(post: Post, window: PostWindow, now: Now): Post {
  const before = post.window;
  if (before?.fromMs === window.fromMs && before.toMs === window.toMs) return post;
  const moved = { ...post, window };
  if (window.toMs <= now.nowMs) return moved;
  const hasBegun = findPostState(post) === 'started' && window.fromMs <= now.nowMs;
  const words = POST_WORDS[now.language];
  const text = fillTimes(hasBegun ? words.started : words.moved, window, now.language);
  return withOurs(moved, hasBegun ? 'started' : 'scheduled', text, now);
}

function fillTimes(
  text: string,
  { fromMs, toMs }: Occurrence,
  language: StatusPageLanguage,
): string {
  return text
    .replace('{{from}}', formatUtcTime(fromMs, language))
    .replace('{{to}}', formatUtcTime(toMs, language));
}

function withOurs(post: Post, state: PostState, text: string, now: Now): Post {
  if (post.updates.length >= UPDATES_MAX) return post;
  return withUpdate(post, buildOwnUpdate({ id: now.newUpdateId(), state, text, atMs: now.nowMs }));
}

function buildOwnUpdate(update: Pick<PostUpdate, 'id' | 'state' | 'text' | 'atMs'>): PostUpdate {
  return { ...update, by: null, isDraft: false };
}
