/** Configuring status pages; what outsiders see of them is status-page-router.ts. */

import { pageQuery } from '../../../schemas/queries';
import {
  statusPage,
  statusPagePage,
  statusPagePreview,
} from '../../../schemas/responses/status-pages';
import { statusPageBody, statusPageReplacement } from '../../../schemas/status-page';
import { previewStatusPage } from '../../../services/status-pages/public-status';
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  listStatusPages,
  replaceStatusPage,
} from '../../../services/status-pages/status-pages';
import { PATCHES } from '../../openapi/named-shapes';
import { renderStatusPage } from '../../pages/status-page-html';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import {
  createdResponse,
  listResponse,
  NO_CONTENT,
  okResponse,
  resourceResponse,
} from '../../routing/response';
import { NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

const EXAMPLE = { slug: 'example', title: 'Example status', isPublic: true };

export const statusPageRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/status-pages',
    operationId: 'listStatusPages',
    tag: 'Status pages',
    summary: 'List status pages, newest first',
    scope: 'read',
    body: NO_BODY,
    query: pageQuery,
    responses: { 200: { description: 'A page of the list', schema: statusPagePage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listStatusPages(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/status-pages',
    operationId: 'createStatusPage',
    tag: 'Status pages',
    summary: 'Create a status page, which is off unless `isPublic` is true',
    scope: 'write',
    audit: 'status_page.create',
    body: statusPageBody,
    query: NO_QUERY,
    responses: { 201: { description: 'The status page', schema: statusPage } },
    codes: ['key_taken', 'limit_reached'],
    example: EXAMPLE,
    handler: async ({ accountId }, { services, body }) => {
      const page = await createStatusPage(services, accountId, body);
      return createdResponse(page, `/v1/status-pages/${page.id}`);
    },
  }),
  route({
    endpoint: 'POST /v1/status-pages/preview',
    operationId: 'previewStatusPage',
    tag: 'Status pages',
    summary: 'Render a status page that is not saved',
    scope: 'write',
    audit: null,
    body: statusPageBody,
    query: NO_QUERY,
    responses: { 200: { description: 'The page as HTML', schema: statusPagePreview } },
    example: EXAMPLE,
    handler: async ({ accountId }, { services, body }) => {
      const status = await previewStatusPage(services, accountId, body);
      const { html } = renderStatusPage(status, { nowMs: services.clock.now(), slug: body.slug });
      return okResponse({ html });
    },
  }),
  route({
    endpoint: 'GET /v1/status-pages/:pageId',
    operationId: 'getStatusPage',
    tag: 'Status pages',
    summary: 'Read a status page as it was configured',
    scope: 'read',
    body: NO_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The status page', schema: statusPage } },
    handler: async ({ accountId }, { services, param }) =>
      resourceResponse(await getStatusPage(services, accountId, param('pageId'))),
  }),
  route({
    endpoint: 'PUT /v1/status-pages/:pageId',
    operationId: 'replaceStatusPage',
    tag: 'Status pages',
    summary: 'Replace the whole status page',
    scope: 'write',
    audit: 'status_page.put',
    body: statusPageReplacement,
    readStored: ({ accountId }, { services, param }) =>
      getStatusPage(services, accountId, param('pageId')),
    query: NO_QUERY,
    responses: { 200: { description: 'The status page', schema: statusPage } },
    codes: ['key_taken', 'version_mismatch'],
    example: EXAMPLE,
    handler: async ({ accountId }, { services, param, body, headers }) => {
      const request = { id: param('pageId'), body, accept: acceptVersion(headers['if-match']) };
      return resourceResponse(await replaceStatusPage(services, accountId, request));
    },
  }),
  route({
    endpoint: 'PATCH /v1/status-pages/:pageId',
    operationId: 'updateStatusPage',
    tag: 'Status pages',
    summary: 'Change single fields (JSON merge patch, RFC 7396)',
    scope: 'write',
    audit: 'status_page.update',
    body: PATCH_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The status page', schema: statusPage } },
    codes: ['key_taken', 'version_mismatch'],
    documentedBody: PATCHES.StatusPagePatch,
    example: { isPublic: false },
    handler: async ({ accountId }, { services, param, body: patch, headers }) => {
      const id = param('pageId');
      const page = await patchResource(services, {
        patch,
        shape: statusPageReplacement,
        accept: acceptVersion(headers['if-match']),
        read: () => getStatusPage(services, accountId, id),
        replace: (patched) => replaceStatusPage(services, accountId, { id, ...patched }),
      });
      return resourceResponse(page);
    },
  }),
  route({
    endpoint: 'DELETE /v1/status-pages/:pageId',
    operationId: 'deleteStatusPage',
    tag: 'Status pages',
    summary: 'Delete a status page; outsiders find nothing there any more',
    scope: 'write',
    audit: 'status_page.delete',
    body: NO_BODY,
    query: NO_QUERY,
    responses: DONE,
    codes: ['version_mismatch'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      await deleteStatusPage(services, accountId, { id: param('pageId'), accept });
      return NO_CONTENT;
    },
  }),
];
