/**
 * Lets people write posts of status pages. The file public-posts.ts shows posts to outsiders. The files
 * incident-posts.ts and window-posts.ts write the posts of the service itself.
 */
import { POST_STATES } from '../../contracts/status-pages';
import {
  findPostState,
  hasState,
  isOver,
  type Post,
  UPDATES_MAX,
  withPublication,
  withUpdate,
} from '../../domain/status-pages/post';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { StatusPagePostResponse } from '../../schemas/responses/status-pages';
import type {
  PostQuery,
  PostUpdateBody,
  StatusPagePostBody,
  StatusPagePostChange,
} from '../../schemas/status-pages/post';
import type { Principal } from '../accounts/principal';
import { readActorName } from '../alerting/incidents';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import { type ListPage, readList } from '../lists/read-list';
import {
  changeObject,
  newObject,
  type ObjectChange,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import {
  createStateProblem,
  findChangeProblems,
  findNewProblems,
  mergeUpdates,
} from './post-problems';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes'>;

/** Maximum number of posts per page. */
export const POSTS_MAX = 1_000;

const LIST = 'status-page-posts';
const OVER =
  'Use PATCH to add a `postMortem`, or to remove the last update and reopen it. Otherwise create a new post.';

export function createPostKind({ stores }: Pick<Needs, 'stores'>) {
  return {
    idKind: 'post',
    name: 'post',
    store: stores.posts,
    present: presentPost,
  } as const;
}

export function presentPost(post: Post): StatusPagePostResponse {
  const {
    updates,
    window,
    publishAtMs,
    publishedAtMs,
    isTouched: _touched,
    postMortemAtMs: _learned,
    ...shown
  } = presentObject(post);
  return {
    ...shown,
    status: findPostState(post),
    updates: updates.map(({ atMs, ...update }) => ({ ...update, at: toInstant(atMs) })),
    publishAt: publishAtMs === null ? null : toInstant(publishAtMs),
    publishedAt: publishedAtMs === null ? null : toInstant(publishedAtMs),
    windowId: window?.id ?? null,
  };
}

/** Lists posts, the newest first. */
export function listPosts(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  { limit, cursor, ...filters }: PostQuery,
): Promise<ListPage<StatusPagePostResponse>> {
  return readList(
    { accountId, list: LIST, ...filters },
    { limit, cursor },
    {
      read: (query) => stores.posts.list(accountId, { ...filters, ...query }),
      present: presentPost,
    },
  );
}

/**
 * Creates a post. Throws `limit_reached` if the page has too many posts, and `validation_failed` for an unknown page or
 * items.
 */
export async function createPost(
  needs: Needs,
  principal: Principal,
  body: StatusPagePostBody,
): Promise<StatusPagePostResponse> {
  const post = await newPost(needs, principal, body);
  const { accountId, pageId } = post;
  await storeObject(
    needs,
    {
      names: 'posts on one page',
      turn: `posts ${pageId}`,
      max: POSTS_MAX,
      store: {
        ...needs.stores.posts,
        count: () => needs.stores.posts.countForPage(accountId, pageId),
      },
    },
    post,
  );
  return presentPost(post);
}

/** Builds and validates the post without storing it. */
export async function newPost(
  needs: Needs,
  principal: Principal,
  { pageId, type, title, affected, state, text, publish, publishAt }: StatusPagePostBody,
): Promise<Post> {
  const { accountId } = principal;
  const page = await needs.stores.statusPages.find(accountId, pageId);
  const nowMs = needs.clock.now();
  refuseProblems(findNewProblems({ affected, publishAt }, page, nowMs));
  const draft: Post = {
    ...newObject(needs, { idKind: 'post' }, accountId),
    pageId,
    type,
    title,
    affected,
    state: 'draft',
    updates: [
      {
        id: needs.newId('postUpdate'),
        state: state ?? POST_STATES[type][0],
        text,
        atMs: nowMs,
        by: await readActorName(needs, principal),
        isDraft: true,
      },
    ],
    postMortem: null,
    publishAtMs: publishAt,
    publishedAtMs: null,
    incidentIds: [],
    window: null,
    isTouched: true,
  };
  return publish ? withPublication(draft, nowMs) : draft;
}

/** Changes the post. Throws `validation_failed` with every problem of the body. */
export async function changePost(
  needs: Needs,
  accountId: string,
  { body, ...change }: ObjectChange & { readonly body: StatusPagePostChange },
): Promise<StatusPagePostResponse> {
  const changed = await changeObject(
    needs,
    createPostKind(needs),
    { ...change, accountId },
    async (before) => {
      const page = await needs.stores.statusPages.find(accountId, before.pageId);
      refuseProblems(findChangeProblems(before, { body, page, nowMs: needs.clock.now() }));
      const { title, affected, postMortem, publishAt } = body;
      const updates = mergeUpdates(before.updates, body.updates);
      const isLearned = postMortem !== null && before.postMortem === null;
      const after: Post = {
        ...before,
        title,
        affected,
        updates,
        postMortem,
        publishAtMs: publishAt,
        ...(isLearned && { postMortemAtMs: before.postMortemAtMs ?? needs.clock.now() }),
      };
      return isSameJson(after, before) ? before : { ...after, isTouched: true };
    },
  );
  return presentPost(changed);
}

/**
 * Adds an update to the post. Throws `already_finished` for a post that is over, and `limit_reached` for a post with
 * too many updates.
 */
export async function addPostUpdate(
  needs: Needs,
  principal: Principal,
  { state, text, draft, ...change }: ObjectChange & PostUpdateBody,
): Promise<StatusPagePostResponse> {
  const { accountId } = principal;
  const by = await readActorName(needs, principal);
  const changed = await changeObject(
    needs,
    createPostKind(needs),
    { ...change, accountId },
    (before) => {
      if (!hasState(before.type, state)) refuseProblems([createStateProblem('state', before.type)]);
      if (isOver(before))
        throw new AppError('already_finished', `The post is ${findPostState(before)}. ${OVER}`);
      if (before.updates.length >= UPDATES_MAX)
        throw new AppError('limit_reached', `A post may have at most ${UPDATES_MAX} updates.`);
      const id = needs.newId('postUpdate');
      const update = { id, state, text, atMs: needs.clock.now(), by, isDraft: draft };
      return { ...withUpdate(before, update), isTouched: true };
    },
  );
  return presentPost(changed);
}

/** Publishes the post with all its draft updates. */
export async function publishPost(
  needs: Needs,
  accountId: string,
  change: ObjectChange,
): Promise<StatusPagePostResponse> {
  const changed = await changeObject(
    needs,
    createPostKind(needs),
    { ...change, accountId },
    (before) => {
      const after = withPublication(before, needs.clock.now());
      return after === before ? before : { ...after, isTouched: true };
    },
  );
  return presentPost(changed);
}

export async function deletePost(
  needs: Needs,
  accountId: string,
  change: ObjectChange,
): Promise<void> {
  await removeObject(needs, createPostKind(needs), { ...change, accountId });
}
