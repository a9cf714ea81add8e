/** The routes that write and publish posts of status pages (docs/api/status-pages.md). */

import {
  statusPagePost,
  statusPagePostPage,
  statusPagePreview,
} from '../../../schemas/responses/status-pages';
import {
  postQuery,
  postUpdateBody,
  type StatusPagePostChange,
  statusPagePostBody,
  statusPagePostReplacement,
} from '../../../schemas/status-pages/post';
import { getObject } from '../../../services/objects/object-verbs';
import {
  addPostUpdate,
  changePost,
  createPost,
  deletePost,
  listPosts,
  postKind,
  publishPost,
} from '../../../services/status-pages/posts';
import { previewPost } from '../../../services/status-pages/public-posts';
import { PATCHES } from '../../openapi/named-shapes';
import { renderPostPreview } from '../../pages/status-page-html';
import { acceptVersion } from '../../routing/preconditions';
import {
  createRoute,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Reading,
  type Replacing,
} from '../../routing/resource-routes';
import { okResponse, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';

const POST = {
  tag: 'Status pages',
  path: '/v1/status-page-posts',
  param: 'postId',
  operand: 'StatusPagePost',
  audit: 'status_page_post',
  the: 'The post',
} as const;

const EXAMPLE = {
  pageId: 'stp_01arz3ndektsv4rrffq69g5fav',
  title: 'Payments fail for some customers',
  text: 'We are looking into **failed card payments**.',
};

const READ: Reading<typeof statusPagePost> = {
  summary: 'Read a post',
  schema: statusPagePost,
  read: ({ services, principal, id }) => getObject(postKind(services), principal.accountId, id),
};

const CHANGE: Omit<
  Replacing<StatusPagePostChange, typeof statusPagePost>,
  'summary' | 'example'
> = {
  ...READ,
  body: statusPagePostReplacement,
  replace: ({ services, principal, ...change }, body) =>
    changePost(services, principal.accountId, { ...change, body }),
};

export const postRoutes: readonly Route[] = [
  listRoute(POST, {
    summary: 'List posts of status pages, newest first',
    query: postQuery,
    schema: statusPagePostPage,
    list: ({ services, principal }, query) => listPosts(services, principal.accountId, query),
  }),
  createRoute(POST, {
    summary: 'Write a post with its first update, as a draft or published at once',
    body: statusPagePostBody,
    schema: statusPagePost,
    codes: ['limit_reached'],
    example: EXAMPLE,
    create: ({ services, principal }, body) => createPost(services, principal, body),
  }),
  route({
    endpoint: 'POST /v1/status-page-posts/preview',
    operationId: 'previewStatusPagePost',
    tag: 'Status pages',
    summary: 'Render a post that is not saved',
    scope: 'write',
    audit: null,
    body: statusPagePostBody,
    responses: { 200: { description: 'The post as HTML', schema: statusPagePreview } },
    example: EXAMPLE,
    handler: async (principal, { services, body }) => {
      const { html } = renderPostPreview(await previewPost(services, principal, body));
      return okResponse({ html });
    },
  }),
  getRoute(POST, READ),
  patchRoute(POST, CHANGE, {
    patch: PATCHES.StatusPagePostPatch,
    example: { title: 'Card payments fail' },
  }),
  route({
    endpoint: 'POST /v1/status-page-posts/:postId/updates',
    operationId: 'addStatusPagePostUpdate',
    tag: 'Status pages',
    summary: 'Add an update; the state resolved, completed or cancelled ends the post',
    scope: 'write',
    audit: 'status_page_post.add_update',
    body: postUpdateBody,
    responses: { 200: { description: 'The post', schema: statusPagePost } },
    codes: ['already_finished', 'limit_reached', 'version_mismatch'],
    example: { state: 'identified', text: 'A provider of ours is down.' },
    handler: async (principal, { services, param, body, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      const change = { id: param('postId'), accept, ...body };
      return resourceResponse(await addPostUpdate(services, principal, change));
    },
  }),
  route({
    endpoint: 'POST /v1/status-page-posts/:postId/publish',
    operationId: 'publishStatusPagePost',
    tag: 'Status pages',
    summary: 'Publish a draft, and drafts of updates',
    scope: 'write',
    audit: 'status_page_post.publish',
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: { 200: { description: 'The post', schema: statusPagePost } },
    codes: ['version_mismatch'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      return resourceResponse(
        await publishPost(services, accountId, { id: param('postId'), accept }),
      );
    },
  }),
  deleteRoute(POST, {
    summary: 'Delete a post; outsiders do not see it any more',
    remove: ({ services, principal, ...change }) =>
      deletePost(services, principal.accountId, change),
  }),
];
