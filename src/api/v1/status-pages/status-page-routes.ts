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
import { objectRoutes, replacementRoutes } from '../../routing/object-routes';
import { okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

const DOC = {
  names: {
    tag: 'Status pages',
    path: '/v1/status-pages',
    param: 'pageId',
    operand: 'StatusPage',
    audit: 'status_page',
    the: 'The status page',
    one: 'a status page',
    many: 'status pages',
    guide: 'docs/api/status-pages.md',
  },
  schema: statusPage,
  page: statusPagePage,
  descriptions: {
    create: 'Creates a status page. Only members of the account see it until `isPublic` is true.',
    read: 'Returns the configuration of the page, not the states that it shows. A password is never returned.',
    remove:
      'Deletes the page with its posts and subscribers. Its URLs get 404. This cannot be undone.',
  },
  codes: { create: ['key_taken', 'limit_reached'] },
  example: { slug: 'example', title: 'Example status', isPublic: true },
} as const;

const { list, create, read, remove } = objectRoutes(STATUS_PAGES, DOC);

export const statusPageRoutes: readonly Route[] = [
  list,
  create,
  route({
    endpoint: 'POST /v1/status-pages/preview',
    operationId: 'previewStatusPage',
    tag: 'Status pages',
    summary: 'Preview a status page',
    description:
      'Renders the page in the body as HTML, with the posts of `pageId`. Nothing is saved.',
    guide: 'docs/api/status-pages.md',
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
    summary: 'List the domains of a status page',
    description:
      'Returns for each domain of the page whether it leads to this installation, and otherwise the reason. It does not start a new verification: save the page for that.',
    guide: 'docs/api/status-pages.md#own-domains',
    scope: 'read',
    responses: { 200: { description: 'Every domain of the page', schema: pageDomains } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse({ data: await listPageDomains(services, accountId, param('pageId')) }),
  }),
  read,
  ...replacementRoutes(STATUS_PAGES, DOC, {
    effect: 'Visitors see the change within 30 seconds.',
    codes: ['key_taken'],
    patch: PATCHES.StatusPagePatch,
    patchExample: { isPublic: false },
  }),
  remove,
];
