/**
 * Writes the service's own posts on status pages once a minute. Drafts posts about incidents and maintenance, adds
 * updates when these end, and publishes drafts that are due. Safe to repeat.
 */
import type { HousekeepingPass } from '../../contracts/housekeeping';
import { DAY_MS } from '../../domain/health/summary';
import { type Post, withPublication } from '../../domain/status-pages/post';
import { isUnavailable } from '../../platform/errors';
import { interleave } from '../../platform/paced';
import { readBatches } from '../lists/read-batches';
import { draftPosts, endPost, hasOpenIncident } from './incident-posts';
import { type PostNeeds, replaceOwnPost } from './post-writes';
import { announceWindows, followWindow } from './window-posts';

export interface WrittenPosts {
  readonly drafted: number;
  readonly announced: number;
  /** Number of posts that got an update about their incident or maintenance. */
  readonly followed: number;
  readonly published: number;
}

const AT_ONCE_MAX = 1_000;
const HOUR_MS = 3_600_000;
/** A draft that no one has changed is removed this long after its incident. */
const UNTOUCHED_KEPT_MS = 14 * DAY_MS;
/** The record of a deleted post is kept at least this long, so that event streams can report the deletion. */
const STUB_KEPT_MS = 60_000;

/**
 * Makes one pass and returns the number of posts that were written. If a post fails, the others continue, and the first
 * error is thrown at the end. Throws at once if the database is unavailable or the signal is aborted.
 */
export async function writeStatusPosts(
  needs: PostNeeds,
  pass: HousekeepingPass,
  signal: AbortSignal,
): Promise<WrittenPosts> {
  const { posts, statusPages } = needs.stores;
  const walk = createWalk(signal);
  // Ended incidents are handled before due drafts are published, because an incident that is over must not be
  // announced.
  let followed = 0;
  await readBatches(
    (batch) => posts.listFollowing(batch),
    async (following) => {
      followed += await walk.each(following, (post) =>
        post.window === null ? endPost(needs, post) : followWindow(needs, post),
      );
    },
  );
  const nowMs = needs.clock.now();
  const due = await walk.each(await posts.listDue(nowMs, AT_ONCE_MAX), (post) =>
    replaceOwnPost(needs, post, withPublication(post, nowMs)),
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

/** Returns true for the first pass of an hour. That pass also does work that is not urgent. */
export function isFirstOfHour({ beganAtMs, sinceMs }: HousekeepingPass): boolean {
  return sinceMs === null || Math.floor(beganAtMs / HOUR_MS) > Math.floor(sinceMs / HOUR_MS);
}

/**
 * Returns two functions. `each` runs a step for each item, alternates between accounts, and returns the sum of the
 * results. It throws at once if the database is unavailable. `finish` throws the first error of the other kinds.
 */
function createWalk(signal: AbortSignal) {
  const failures: unknown[] = [];
  return {
    each: async <Item extends { readonly accountId: string }>(
      items: readonly Item[],
      step: (item: Item) => Promise<number | boolean>,
    ): Promise<number> => {
      let sum = 0;
      for (const item of interleave(items, ({ accountId }) => accountId)) {
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

/**
 * Removes the record of a deleted post. Keeps the record if its cause could still create the post again. Returns true
 * if the record was removed.
 */
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

/** Removes posts of pages whose deletion was interrupted by a crash. */
async function sweepLeftovers({ stores }: PostNeeds): Promise<void> {
  const ids = await stores.posts.listPageIds();
  if (ids.length === 0) return;
  const known = await stores.statusPages.findIds(ids);
  for (const id of ids) if (!known.has(id)) await stores.posts.removeOfPage(id);
}
