/** API keys of an account (docs/api.md). */
import { apiKeyBody } from '../../../schemas/account';
import { pageQuery } from '../../../schemas/queries';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../../services/accounts/api-keys';
import type { Dependencies } from '../../../services/ports/dependencies';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

export function keyRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/api-keys',
      scope: 'admin',
      body: NO_BODY,
      query: pageQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listApiKeys(services, accountId, query), url),
    }),
    route({
      endpoint: 'POST /v1/api-keys',
      scope: 'admin',
      body: apiKeyBody,
      query: NO_QUERY,
      handler: async (principal, { body }) => {
        const key = await createApiKey(services, principal, body);
        return { status: 201, headers: { Location: `/v1/api-keys/${key.id}` }, body: key };
      },
    }),
    route({
      endpoint: 'GET /v1/api-keys/:keyId',
      scope: 'admin',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        okResponse(await getApiKey(services, accountId, param('keyId'))),
    }),
    route({
      endpoint: 'DELETE /v1/api-keys/:keyId',
      scope: 'admin',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) => {
        await revokeApiKey(services, accountId, param('keyId'));
        return NO_CONTENT;
      },
    }),
  ];
}
