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
  createPostKind,
  deletePost,
  listPosts,
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
  tag: 'Status page posts',
  path: '/v1/status-page-posts',
  param: 'postId',
  operand: 'StatusPagePost',
  audit: 'status_page_post',
  the: 'The post',
  one: 'a status page post',
  many: 'status page posts',
  guide: 'docs/api/status-pages.md#posts',
} as const;

const EXAMPLE = {
  pageId: 'stp_01arz3ndektsv4rrffq69g5fav',
  title: 'Payments fail for some customers',
  text: 'We are looking into **failed card payments**.',
};

const READ: Reading<typeof statusPagePost> = {
  description: 'Returns the post with its updates.',
  schema: statusPagePost,
  read: ({ services, principal, id }) =>
    getObject(createPostKind(services), principal.accountId, id),
};

const CHANGE: Omit<Replacing<StatusPagePostChange, typeof statusPagePost>, 'example'> = {
  ...READ,
  effect:
    'An update that `updates` leaves out is removed. A new `postMortem` notifies subscribers; a correction does not.',
  body: statusPagePostReplacement,
  replace: ({ services, principal, ...change }, body) =>
    changePost(services, principal.accountId, { ...change, body }),
};

export const postRoutes: readonly Route[] = [
  listRoute(POST, {
    query: postQuery,
    schema: statusPagePostPage,
    list: ({ services, principal }, query) => listPosts(services, principal.accountId, query),
  }),
  createRoute(POST, {
    description:
      'Creates a post with its first update. It is a draft that only members see, unless `publish` is true or `publishAt` is set.',
    body: statusPagePostBody,
    schema: statusPagePost,
    codes: ['limit_reached'],
    example: EXAMPLE,
    create: ({ services, principal }, body) => createPost(services, principal, body),
  }),
  route({
    endpoint: 'POST /v1/status-page-posts/preview',
    operationId: 'previewStatusPagePost',
    tag: 'Status page posts',
    summary: 'Preview a status page post',
    description: 'Renders the post in the body as HTML. Nothing is saved or published.',
    guide: 'docs/api/status-pages.md#posts',
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
    tag: 'Status page posts',
    summary: 'Add an update to a post',
    description:
      'Shows the update at once, or stores it as a draft with `draft`. The states `resolved`, `completed` and `cancelled` end the post.',
    guide: 'docs/api/status-pages.md#posts',
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
    tag: 'Status page posts',
    summary: 'Publish a post',
    description:
      'Publishes the draft and drafts of its updates, and notifies the subscribers within a minute. Publishing a published post again changes nothing.',
    guide: 'docs/api/status-pages.md#posts',
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
    description:
      'Deletes the post with its updates. Visitors no longer see it, and messages to subscribers that were not sent yet are dropped.',
    remove: ({ services, principal, ...change }) =>
      deletePost(services, principal.accountId, change),
  }),
];
