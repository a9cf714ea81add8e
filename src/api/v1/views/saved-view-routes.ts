/** Saved views of the list of checks (docs/api.md). */
import { pageQuery } from '../../../schemas/queries';
import { savedView, savedViewPage } from '../../../schemas/responses/saved-views';
import { savedViewBody, savedViewReplacement } from '../../../schemas/saved-view';
import {
  createSavedView,
  deleteSavedView,
  getSavedView,
  listSavedViews,
  replaceSavedView,
} from '../../../services/views/saved-views';
import { PATCHES } from '../../openapi/named-shapes';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import {
  createdResponse,
  listResponse,
  NO_CONTENT,
  resourceResponse,
} from '../../routing/response';
import { NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

export const savedViewRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/saved-views',
    operationId: 'listSavedViews',
    tag: 'Saved views',
    summary: 'List shared views and your own, newest first',
    scope: 'read',
    body: NO_BODY,
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: savedViewPage } },
    handler: async (principal, { services, query, url }) =>
      listResponse(await listSavedViews(services, principal, query), url),
  }),
  route({
    endpoint: 'POST /v1/saved-views',
    operationId: 'createSavedView',
    tag: 'Saved views',
    summary: 'Save filters, order and columns of the list of checks under a name',
    scope: 'write',
    audit: 'saved_view.create',
    body: savedViewBody,
    query: NO_QUERY,
    responses: { 201: { description: 'The view', schema: savedView } },
    codes: ['limit_reached'],
    example: {
      name: 'Shop, slowest first',
      list: 'monitors',
      query: { group: 'Shop', status: 'down,degraded', sort: '-p95', by: 'none' },
      isShared: true,
    },
    handler: async (principal, { services, body }) => {
      const view = await createSavedView(services, principal, body);
      return createdResponse(view, `/v1/saved-views/${view.id}`);
    },
  }),
  route({
    endpoint: 'GET /v1/saved-views/:viewId',
    operationId: 'getSavedView',
    tag: 'Saved views',
    summary: 'Read a view',
    scope: 'read',
    body: NO_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The view', schema: savedView } },
    handler: async (principal, { services, param }) =>
      resourceResponse(await getSavedView(services, principal, param('viewId'))),
  }),
  route({
    endpoint: 'PATCH /v1/saved-views/:viewId',
    operationId: 'updateSavedView',
    tag: 'Saved views',
    summary: 'Change single fields (JSON merge patch, RFC 7396)',
    scope: 'write',
    audit: 'saved_view.update',
    body: PATCH_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The view', schema: savedView } },
    codes: ['version_mismatch'],
    documentedBody: PATCHES.SavedViewPatch,
    example: { name: 'Shop' },
    handler: async (principal, { services, param, body: patch, headers }) => {
      const id = param('viewId');
      const view = await patchResource(services, {
        patch,
        shape: savedViewReplacement,
        accept: acceptVersion(headers['if-match']),
        read: () => getSavedView(services, principal, id),
        replace: (patched) => replaceSavedView(services, principal, { id, ...patched }),
      });
      return resourceResponse(view);
    },
  }),
  route({
    endpoint: 'DELETE /v1/saved-views/:viewId',
    operationId: 'deleteSavedView',
    tag: 'Saved views',
    summary: 'Delete a view',
    scope: 'write',
    audit: 'saved_view.delete',
    body: NO_BODY,
    query: NO_QUERY,
    responses: DONE,
    codes: ['version_mismatch'],
    handler: async (principal, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      await deleteSavedView(services, principal, { id: param('viewId'), accept });
      return NO_CONTENT;
    },
  }),
];
