/** The account, its regions and its trail. */
import { accountBody, accountQuery, auditQuery, regionQuery } from '../../../schemas/account';
import { getAccount, renameAccount } from '../../../services/accounts/get-account';
import { listAuditEvents } from '../../../services/accounts/list-audit-events';
import { describeService } from '../../../services/operations/describe-service';
import type { Dependencies } from '../../../services/ports/dependencies';
import { listRegions, listRegionsWithBacklog } from '../../../services/regions/regions';
import { listResponse, okResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

export function accountRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/account',
      scope: 'read',
      body: NO_BODY,
      query: accountQuery,
      handler: async (principal, { query }) => {
        const account = await getAccount(services, principal.accountId);
        if (query.include === undefined) return okResponse(account);
        return okResponse({ ...account, service: await describeService(services, principal) });
      },
    }),
    route({
      endpoint: 'PATCH /v1/account',
      scope: 'admin',
      body: accountBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) =>
        okResponse(await renameAccount(services, accountId, body.name)),
    }),
    route({
      endpoint: 'GET /v1/audit-events',
      scope: 'admin',
      body: NO_BODY,
      query: auditQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listAuditEvents(services, accountId, query), url),
    }),
    route({
      endpoint: 'GET /v1/regions',
      scope: 'read',
      body: NO_BODY,
      query: regionQuery,
      handler: async (_principal, { query }) => {
        const list = query.include === undefined ? listRegions : listRegionsWithBacklog;
        return okResponse({ data: await list(services), nextCursor: null });
      },
    }),
  ];
}
