/** The routes of API keys of an account (docs/api.md). */

import { apiKeyBody } from '../../../schemas/account';
import { pageQuery } from '../../../schemas/queries';
import { apiKey, apiKeyPage, newApiKey } from '../../../schemas/responses/account';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../../services/accounts/api-keys';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

export const keyRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/api-keys',
    operationId: 'listApiKeys',
    tag: 'API keys',
    summary: 'List API keys',
    description:
      'Returns the keys of the account, newest first, including revoked keys, but never the keys themselves.',
    guide: 'docs/api/accounts.md#api-keys',
    scope: 'admin',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: apiKeyPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listApiKeys(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/api-keys',
    operationId: 'createApiKey',
    tag: 'API keys',
    summary: 'Create an API key',
    description:
      'Returns a new key, which is never shown again. The key cannot have more rights than its creator.',
    guide: 'docs/api/accounts.md#api-keys',
    scope: 'admin',
    audit: 'api_key.create',
    body: apiKeyBody,
    responses: { 201: { description: 'The key, this once', schema: newApiKey } },
    codes: ['plan_required', 'limit_reached'],
    example: { name: 'Deployment', scopes: ['run'] },
    handler: async (principal, { services, body }) => {
      const key = await createApiKey(services, principal, body);
      return { status: 201, headers: { Location: `/v1/api-keys/${key.id}` }, body: key };
    },
  }),
  route({
    endpoint: 'GET /v1/api-keys/:keyId',
    operationId: 'getApiKey',
    tag: 'API keys',
    summary: 'Get an API key',
    description: 'Returns the name, the scopes and the last use of a key, without the key itself.',
    guide: 'docs/api/accounts.md#api-keys',
    scope: 'admin',
    responses: { 200: { description: 'The key', schema: apiKey } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getApiKey(services, accountId, param('keyId'))),
  }),
  route({
    endpoint: 'DELETE /v1/api-keys/:keyId',
    operationId: 'revokeApiKey',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description:
      'The next request with the key gets 401 `revoked_token`. This cannot be undone: create a new key instead.',
    guide: 'docs/api/accounts.md#api-keys',
    scope: 'admin',
    audit: 'api_key.delete',
    responses: DONE,
    handler: async ({ accountId }, { services, param }) => {
      await revokeApiKey(services, accountId, param('keyId'));
      return NO_CONTENT;
    },
  }),
];
