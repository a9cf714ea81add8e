/** The routes of the account, its regions and its audit trail. */

import { accountBody, accountQuery, auditQuery, regionQuery } from '../../../schemas/account';
import { accountDetail } from '../../../schemas/responses/account';
import { auditPage } from '../../../schemas/responses/changes';
import { regionPage } from '../../../schemas/responses/regions';
import { listAuditEvents } from '../../../services/accounts/audit-events';
import { changeAccount, getAccount } from '../../../services/accounts/get-account';
import { describeService } from '../../../services/operations/describe-service';
import { addLoads, listRegions, listRegionsWithBacklog } from '../../../services/regions/regions';
import { listResponse, okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

export const accountRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/account',
    operationId: 'getAccount',
    tag: 'Account',
    summary: 'Get the account',
    description:
      'Returns the account with the limits of its plan, its usage and the rate limits of a key.',
    guide: 'docs/api/accounts.md',
    scope: 'read',
    query: accountQuery,
    responses: { 200: { description: 'The account', schema: accountDetail } },
    handler: async (principal, { services, query }) => {
      const account = await getAccount(services, principal.accountId);
      if (query.include === undefined) return okResponse(account);
      return okResponse({ ...account, service: await describeService(services, principal) });
    },
  }),
  route({
    endpoint: 'PATCH /v1/account',
    operationId: 'updateAccount',
    tag: 'Account',
    summary: 'Update the account',
    description:
      'Changes the name, the default profile, or whether people need a second factor. Fields that are left out stay as they are.',
    guide: 'docs/api/accounts.md#sign-in',
    scope: 'admin',
    audit: 'account.update',
    body: accountBody,
    responses: { 200: { description: 'The account', schema: accountDetail } },
    codes: ['second_factor_required'],
    example: { name: 'Example Ltd' },
    handler: async (principal, { services, body }) =>
      okResponse(await changeAccount(services, principal, body)),
  }),
  route({
    endpoint: 'GET /v1/audit-events',
    operationId: 'listAuditEvents',
    tag: 'Account',
    summary: 'List audit events',
    description:
      'Returns who changed what, newest first. Every request that changed something is an event, kept for 400 days; secrets are masked.',
    guide: 'docs/api/accounts.md#the-audit-trail',
    scope: 'admin',
    query: auditQuery,
    responses: { 200: { description: 'A page', schema: auditPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listAuditEvents(services, accountId, query), url),
  }),
  route({
    endpoint: 'GET /v1/regions',
    operationId: 'listRegions',
    tag: 'Regions',
    summary: 'List regions',
    description:
      'Returns every region with its running probes, and since when the network of its probes is suspect. The list is not divided into pages.',
    guide: 'docs/self-hosting.md#probes-in-other-regions',
    scope: 'read',
    query: regionQuery,
    responses: { 200: { description: 'Every region', schema: regionPage } },
    handler: async ({ accountId }, { services, query: { include } }) => {
      const list = include?.has('backlog') === true ? listRegionsWithBacklog : listRegions;
      const regions = await list(services);
      const data =
        include?.has('load') === true ? await addLoads(services, accountId, regions) : regions;
      return okResponse({ data, nextCursor: null });
    },
  }),
];
