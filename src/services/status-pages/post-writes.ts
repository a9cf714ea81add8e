/** Stores posts that the service itself writes on status pages, with an audit entry for each post. */
import { createHash } from 'node:crypto';
import { buildId, type IdKind } from '../../domain/definitions/ids';
import type { Post } from '../../domain/status-pages/post';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';
import { recordChanges } from '../accounts/audit-events';
import { nextVersion } from '../objects/object-verbs';
import { POSTS_MAX, presentPost } from './posts';

export interface PostNeeds {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly newId: (kind: IdKind) => string;
  readonly notifyOperator: (facts: Readonly<Record<string, string>>, sentence: string) => void;
}

const ID_BYTES = 10;
const ACTOR = { type: 'system', id: 'status-pages', name: 'Keepwatch' } as const;

/**
 * Returns the id of a post. The same page, cause and time always give the same id. Two processes that act at the same
 * time therefore create only one post.
 */
export function derivePostId(pageId: string, cause: string, atMs: number): string {
  const hash = createHash('sha256').update(`${pageId} ${cause}`).digest();
  return buildId('post', atMs, hash.subarray(0, ID_BYTES));
}

export function listItemNames({ groups }: StatusPage, ids: readonly string[]): readonly string[] {
  const items = groups.flatMap((group) => group.items);
  return ids.flatMap((id) => items.find((item) => item.id === id)?.name ?? []);
}

/** Stores the post and its audit entry. Returns false if the post exists or was deleted, or if the page is full. */
export async function storeOwnPost(needs: PostNeeds, post: Post): Promise<boolean> {
  const { posts } = needs.stores;
  if ((await posts.countForPage(post.accountId, post.pageId)) >= POSTS_MAX) return false;
  if (!(await posts.createOnce(post))) return false;
  await record(needs, 'create', { before: null, after: post });
  return true;
}

/**
 * Stores the changed post and its audit entry. Returns false if nothing changes, or if a person changed the post in the
 * meantime. The next pass, a minute later, then checks the post again.
 */
export async function replaceOwnPost(
  needs: PostNeeds,
  before: Post,
  changed: Post,
): Promise<boolean> {
  const after = nextVersion(needs, before, changed);
  if (after === before) return false;
  const { posts } = needs.stores;
  if (!(await posts.replace(before.accountId, after, before.version))) return false;
  const isPublished = before.state === 'draft' && after.state === 'published';
  await record(needs, isPublished ? 'publish' : 'update', { before, after });
  return true;
}

async function record(
  needs: PostNeeds,
  verb: 'create' | 'update' | 'publish',
  { before, after }: { readonly before: Post | null; readonly after: Post },
): Promise<void> {
  const change = {
    action: `status_page_post.${verb}`,
    resourceType: 'status_page_post',
    resourceId: after.id,
    before: before === null ? null : presentPost(before),
    after: presentPost(after),
  };
  const origin = { accountId: after.accountId, actor: ACTOR, requestId: 'housekeeping', ip: null };
  await recordChanges(needs, origin, [change]);
}
