/**
 * Writes posts about maintenance windows of items on status pages: a day before the start, at the start, at the end,
 * and when a window is moved or cancelled.
 */
import type { Occurrence } from '../../contracts/maintenance';
import { isTargeted, type Targeted } from '../../domain/definitions/is-targeted';
import { isFinal, type Post } from '../../domain/status-pages/post';
import {
  ANNOUNCED_BEFORE_MS,
  announce,
  findOccurrence,
  withWindow,
} from '../../domain/status-pages/window-post';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { listEffectiveOccurrences } from '../maintenance/maintenance-plans';
import {
  derivePostId,
  listItemNames,
  type PostNeeds,
  replaceOwnPost,
  storeOwnPost,
} from './post-writes';

/** Creates a post for each running or upcoming occurrence that has no post yet. Returns the number of new posts. */
export async function announceWindows(needs: PostNeeds, page: StatusPage): Promise<number> {
  const { stores, clock } = needs;
  const nowMs = clock.now();
  const windows = await stores.maintenanceWindows.listAll(page.accountId);
  const near = windows.filter((window) => nearOccurrences(window, nowMs).length > 0);
  if (near.length === 0) return 0;
  const items = await readItems(needs, page);
  let announced = 0;
  for (const window of near) {
    const affected = items.filter((item) => isTargeted(window.target, item)).map(({ id }) => id);
    if (affected.length === 0) continue;
    const known = await stores.posts.listAnnouncing(page, window.id);
    for (const occurrence of nearOccurrences(window, nowMs)) {
      if (isAnnounced(window, occurrence, known)) continue;
      const post = newPost(needs, page, { window, occurrence, affected });
      announced += Number(await storeOwnPost(needs, post));
    }
  }
  return announced;
}

/** Updates the post when its maintenance starts, ends, moves or is cancelled. Returns true if the post was changed. */
export async function followWindow(needs: PostNeeds, post: Post): Promise<boolean> {
  const { stores, clock, newId } = needs;
  const { accountId, window: announced } = post;
  const page = await stores.statusPages.find(accountId, post.pageId);
  if (announced === null || page === null) return false;
  const window = await stores.maintenanceWindows.find(accountId, announced.id);
  const items = await readItems(needs, page);
  const times = {
    rrule: window?.rrule ?? null,
    occurrences: window === null ? [] : listOccurrences(window),
  };
  const seen = {
    occurrence: findOccurrence(times, announced),
    isDeleted: window === null || !items.some((item) => isTargeted(window.target, item)),
  };
  const { language } = page;
  const now = { nowMs: clock.now(), newUpdateId: () => newId('postUpdate'), language };
  return replaceOwnPost(needs, post, withWindow(post, seen, now));
}

/** Lists occurrences. They have their planned start, but their actual end. */
function listOccurrences(window: MaintenanceWindow): readonly Occurrence[] {
  return listEffectiveOccurrences({ ...window, effectiveFromMs: 0 });
}

function nearOccurrences(window: MaintenanceWindow, nowMs: number): readonly Occurrence[] {
  return listOccurrences(window).filter(
    ({ fromMs, toMs }) => fromMs - ANNOUNCED_BEFORE_MS <= nowMs && nowMs < toMs,
  );
}

/**
 * Returns true if the occurrence already has a post. For a one-time window, any open post about the window is enough,
 * because the window may have been moved.
 */
function isAnnounced(
  { rrule }: MaintenanceWindow,
  { fromMs }: Occurrence,
  known: readonly Post[],
): boolean {
  return known.some(
    ({ window, updates }) =>
      window?.fromMs === fromMs || (rrule === null && !updates.some(({ state }) => isFinal(state))),
  );
}

interface Announced {
  readonly window: MaintenanceWindow;
  readonly occurrence: Occurrence;
  readonly affected: readonly string[];
}

function newPost(
  { clock, newId }: PostNeeds,
  page: StatusPage,
  { window, occurrence, affected }: Announced,
): Post {
  const nowMs = clock.now();
  const { language } = page;
  const now = { nowMs, newUpdateId: () => newId('postUpdate'), language };
  return {
    id: derivePostId(page.id, `${window.id} ${occurrence.fromMs}`, occurrence.fromMs),
    accountId: page.accountId,
    version: 1,
    pageId: page.id,
    type: 'maintenance',
    ...announce(occurrence, listItemNames(page, affected), now),
    affected,
    state: 'published',
    postMortem: null,
    publishAtMs: null,
    publishedAtMs: nowMs,
    incidentIds: [],
    window: { id: window.id, ...occurrence },
    isTouched: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** Reads the items of the page with the fields that the targets of windows need. */
async function readItems({ stores }: PostNeeds, page: StatusPage): Promise<readonly Targeted[]> {
  const ids = page.groups.flatMap(({ items }) => items.map(({ id }) => id));
  if (ids.length === 0) return [];
  const query = { ids, limit: ids.length, beforeId: null };
  const [monitors, scenarios] = await Promise.all([
    stores.monitors.list(page.accountId, query),
    stores.scenarios.list(page.accountId, query),
  ]);
  const found: readonly Targeted[] = [...monitors.items, ...scenarios.items];
  return ids.flatMap((id) => found.find((item) => item.id === id) ?? []);
}
