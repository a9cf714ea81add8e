/** Configuring status pages; what outsiders see of them is status-page-router.ts. */
import { pageQuery } from '../../../schemas/queries';
import { statusPageBody, statusPageReplacement } from '../../../schemas/status-page';
import type { Dependencies } from '../../../services/ports/dependencies';
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  listStatusPages,
  replaceStatusPage,
} from '../../../services/status-pages/status-pages';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import { listResponse, NO_CONTENT, resourceResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';

export function statusPageRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/status-pages',
      scope: 'read',
      body: NO_BODY,
      query: pageQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listStatusPages(services, accountId, query), url),
    }),
    route({
      endpoint: 'POST /v1/status-pages',
      scope: 'write',
      body: statusPageBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) => {
        const page = await createStatusPage(services, accountId, body);
        return resourceResponse(page, { location: `/v1/status-pages/${page.id}` });
      },
    }),
    route({
      endpoint: 'GET /v1/status-pages/:pageId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        resourceResponse(await getStatusPage(services, accountId, param('pageId'))),
    }),
    ...changeRoutes(services),
  ];
}

function changeRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'PUT /v1/status-pages/:pageId',
      scope: 'write',
      body: statusPageReplacement,
      readStored: ({ accountId }, param) => getStatusPage(services, accountId, param('pageId')),
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body, headers }) => {
        const request = { id: param('pageId'), body, accept: acceptVersion(headers['if-match']) };
        return resourceResponse(await replaceStatusPage(services, accountId, request));
      },
    }),
    route({
      endpoint: 'PATCH /v1/status-pages/:pageId',
      scope: 'write',
      body: PATCH_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body: patch, headers }) => {
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
      scope: 'write',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        await deleteStatusPage(services, accountId, { id: param('pageId'), accept });
        return NO_CONTENT;
      },
    }),
  ];
}
