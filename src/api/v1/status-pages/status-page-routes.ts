/** Routes that configure status pages. status-page-router.ts serves the pages to the public. */

import {
  pageDomains,
  statusPage,
  statusPagePage,
  statusPagePreview,
} from '../../../schemas/responses/status-pages';
import { statusPageBody, statusPagePreviewQuery } from '../../../schemas/status-pages/status-page';
import { listPageDomains } from '../../../services/status-pages/page-domains';
import { previewStatusPage } from '../../../services/status-pages/public-status';
import { STATUS_PAGES } from '../../../services/status-pages/status-pages';
import { PATCHES } from '../../openapi/named-shapes';
import { renderStatusPage } from '../../pages/status-page-html';
import { getFindLedger } from '../../routing/check-sources';
import { okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { replacementRoutes, thingRoutes } from '../../routing/thing-routes';

const DOC = {
  names: {
    tag: 'Status pages',
    path: '/v1/status-pages',
    param: 'pageId',
    operand: 'StatusPage',
    audit: 'status_page',
    the: 'The status page',
  },
  schema: statusPage,
  page: statusPagePage,
  summaries: {
    list: 'List status pages, newest first',
    create: 'Create a status page, which is off unless `isPublic` is true',
    read: 'Read a status page as it was configured',
    remove: 'Delete a status page with its posts; outsiders find nothing there any more',
  },
  codes: { create: ['key_taken', 'limit_reached'] },
  example: { slug: 'example', title: 'Example status', isPublic: true },
} as const;

const { list, create, read, remove } = thingRoutes(STATUS_PAGES, DOC);

export const statusPageRoutes: readonly Route[] = [
  list,
  create,
  route({
    endpoint: 'POST /v1/status-pages/preview',
    operationId: 'previewStatusPage',
    tag: 'Status pages',
    summary: 'Render a status page that is not saved',
    scope: 'write',
    audit: null,
    body: statusPageBody,
    query: statusPagePreviewQuery,
    responses: { 200: { description: 'The page as HTML', schema: statusPagePreview } },
    example: DOC.example,
    handler: async ({ accountId }, { services, body, query: { pageId } }) => {
      const status = await previewStatusPage(services, accountId, { body, pageId });
      const ledger = body.showLedger ? await getFindLedger(services)(accountId, {}) : null;
      const options = { nowMs: services.clock.now(), slug: body.slug, ledger };
      const { html } = renderStatusPage(status, options);
      return okResponse({ html });
    },
  }),
  route({
    endpoint: 'GET /v1/status-pages/:pageId/domains',
    operationId: 'listStatusPageDomains',
    tag: 'Status pages',
    summary: 'Say which domains of a status page lead here',
    scope: 'read',
    responses: { 200: { description: 'Every domain of the page', schema: pageDomains } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse({ data: await listPageDomains(services, accountId, param('pageId')) }),
  }),
  read,
  ...replacementRoutes(STATUS_PAGES, DOC, {
    summary: 'Replace the whole status page',
    codes: ['key_taken'],
    patch: PATCHES.StatusPagePatch,
    patchExample: { isPublic: false },
  }),
  remove,
];
