/** Configuring status pages; status-page-router.ts serves the public side. */

import { pageQuery } from '../../../schemas/queries';
import {
  pageDomains,
  statusPage,
  statusPagePage,
  statusPagePreview,
} from '../../../schemas/responses/status-pages';
import {
  type StatusPageBody,
  statusPageBody,
  statusPagePreviewQuery,
  statusPageReplacement,
} from '../../../schemas/status-pages/status-page';
import { listPageDomains } from '../../../services/status-pages/page-domains';
import { previewStatusPage } from '../../../services/status-pages/public-status';
import {
  createStatusPage,
  removeStatusPage,
  replaceStatusPage,
  statusPageKind,
} from '../../../services/status-pages/status-pages';
import { PATCHES } from '../../openapi/named-shapes';
import { renderStatusPage } from '../../pages/status-page-html';
import { getFindLedger } from '../../routing/check-sources';
import {
  createRoute,
  createVerbs,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Reading,
  type Replacing,
  replaceRoute,
} from '../../routing/resource-routes';
import { okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

const PAGE = {
  tag: 'Status pages',
  path: '/v1/status-pages',
  param: 'pageId',
  operand: 'StatusPage',
  audit: 'status_page',
  the: 'The status page',
} as const;

const EXAMPLE = { slug: 'example', title: 'Example status', isPublic: true };

const { list, read } = createVerbs(statusPageKind);

const READ: Reading<typeof statusPage> = {
  summary: 'Read a status page as it was configured',
  schema: statusPage,
  read,
};

const REPLACEMENT: Replacing<StatusPageBody, typeof statusPage> = {
  ...READ,
  summary: 'Replace the whole status page',
  body: statusPageReplacement,
  codes: ['key_taken'],
  example: EXAMPLE,
  replace: ({ services, principal, ...change }, body) =>
    replaceStatusPage(services, principal.accountId, { ...change, body }),
};

export const statusPageRoutes: readonly Route[] = [
  listRoute(PAGE, {
    summary: 'List status pages, newest first',
    query: pageQuery,
    schema: statusPagePage,
    list,
  }),
  createRoute(PAGE, {
    summary: 'Create a status page, which is off unless `isPublic` is true',
    body: statusPageBody,
    schema: statusPage,
    codes: ['key_taken', 'limit_reached'],
    example: EXAMPLE,
    create: ({ services, principal }, body) =>
      createStatusPage(services, principal.accountId, body),
  }),
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
    example: EXAMPLE,
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
  getRoute(PAGE, READ),
  replaceRoute(PAGE, REPLACEMENT),
  patchRoute(PAGE, REPLACEMENT, { patch: PATCHES.StatusPagePatch, example: { isPublic: false } }),
  deleteRoute(PAGE, {
    summary: 'Delete a status page with its posts; outsiders find nothing there any more',
    remove: ({ services, principal, ...change }) =>
      removeStatusPage(services, principal.accountId, change),
  }),
];
