/**
 * What the service writes on status pages by itself, once a minute: drafts about incidents, posts about maintenance,
 * the end of both, and drafts whose time has come. It goes by what is stored, so that it may be repeated at any time
 * and a crash loses nothing.
 */
import type { HousekeepingPass } from '../../contracts/housekeeping';
import { DAY_MS } from '../../domain/health/summary';
import { type Post, published } from '../../domain/status-pages/post';
import { isUnavailable } from '../../platform/errors';
import { draftPosts, endPost, hasOpenIncident } from './incident-posts';
import { type PostNeeds, replaceOwnPost } from './post-writes';
import { announceWindows, followWindow } from './window-posts';

export interface WrittenPosts {
  readonly drafted: number;
  readonly announced: number;
  /** With an update about how their incidents or maintenance went on. */
  readonly followed: number;
  readonly published: number;
}

const AT_ONCE_MAX = 1_000;
const HOUR_MS = 3_600_000;
/** A draft that nobody wanted goes so long after its incident. */
const UNTOUCHED_KEPT_MS = 14 * DAY_MS;
/** Far longer than live events look back. */
const STUB_KEPT_MS = 60_000;

/** One that fails stops no other. Throws when the database is away, or when the signal is aborted. */
export async function writeStatusPosts(
  needs: PostNeeds,
  pass: HousekeepingPass,
  signal: AbortSignal,
): Promise<WrittenPosts> {
  const { posts, statusPages } = needs.stores;
  const walk = createWalk(signal);
  // An incident that ended is no longer to be announced, so that ends come before what is due.
  const followed = await walk.each(await posts.listFollowing(AT_ONCE_MAX), (post) =>
    post.window === null ? endPost(needs, post) : followWindow(needs, post),
  );
  const nowMs = needs.clock.now();
  const due = await walk.each(await posts.listDue(nowMs, AT_ONCE_MAX), (post) =>
    replaceOwnPost(needs, post, published(post, nowMs)),
  );
  const drafted = await walk.each(await statusPages.listPosting('drafts'), (page) =>
    draftPosts(needs, page),
  );
  const announced = await walk.each(await statusPages.listPosting('maintenance'), (page) =>
    announceWindows(needs, page),
  );
  await walk.each(await posts.listStubs(nowMs - STUB_KEPT_MS, AT_ONCE_MAX), (stub) =>
    sweepStub(needs, stub),
  );
  if (isFirstOfHour(pass)) {
    await posts.removeStale(nowMs - UNTOUCHED_KEPT_MS);
    await sweepLeftovers(needs);
  }
  walk.finish();
  return { drafted, announced, followed, published: due };
}

/** For what looks at all posts, and is in no hurry. */
export function isFirstOfHour({ beganAtMs, sinceMs }: HousekeepingPass): boolean {
  return sinceMs === null || Math.floor(beganAtMs / HOUR_MS) > Math.floor(sinceMs / HOUR_MS);
}

/** Counts what the steps did; `finish` throws the first failure that was no outage of the database. */
function createWalk(signal: AbortSignal) {
  const failures: unknown[] = [];
  return {
    each: async <Item>(
      items: readonly Item[],
      step: (item: Item) => Promise<number | boolean>,
    ): Promise<number> => {
      let sum = 0;
      for (const item of items) {
        signal.throwIfAborted();
        try {
          sum += Number(await step(item));
        } catch (error) {
          if (isUnavailable(error)) throw error;
          failures.push(error);
        }
      }
      return sum;
    },
    finish: () => {
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** A deleted post is remembered as long as it could be made again, and for live events. */
async function sweepStub(
  needs: PostNeeds,
  stub: Pick<Post, 'id' | 'accountId' | 'incidentIds' | 'window'>,
): Promise<boolean> {
  const { window } = stub;
  if (window !== null && window.toMs > needs.clock.now()) return false;
  if (await hasOpenIncident(needs, stub)) return false;
  await needs.stores.posts.removeStub(stub.id);
  return true;
}

/** A crash while a page was being deleted has left its posts. */
async function sweepLeftovers({ stores }: PostNeeds): Promise<void> {
  const ids = await stores.posts.listPageIds();
  if (ids.length === 0) return;
  const known = await stores.statusPages.findIds(ids);
  for (const id of ids) if (!known.has(id)) await stores.posts.removeOfPage(id);
}
